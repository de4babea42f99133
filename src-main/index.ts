import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { app, type BrowserWindow, nativeTheme } from 'electron';
import { FailureError } from '../src-shared/failure.ts';
import type { SessionId } from '../src-shared/ids.ts';
import type { PushName, PushPayload } from '../src-shared/ipc/contract.ts';
import { SafeKeys } from './adapters/electron/safe-keys.ts';
import { gallery, scenarioByName, summariseScenario } from './adapters/scenarios/gallery.ts';
import { OwnScenarios } from './adapters/scenarios/own-scenarios.ts';
import { readPage, searchFile } from './adapters/storage/output-pages.ts';
import { RecentChoicesFile } from './adapters/storage/recent-choices.ts';
import { SessionFolders } from './adapters/storage/session-folders.ts';
import { readTranscript } from './adapters/transcripts/read-transcript.ts';
import { SessionLibrary } from './app/session-library.ts';
import { autoplay } from './composition/autoplay.ts';
import { clock, newId, prepareScenario, scriptedProvider, startHost, toolsFor } from './composition/compose.ts';
import { gantryHome } from './composition/gantry-home.ts';
import { modelProviders } from './composition/model-providers.ts';
import { promptFor } from './composition/session-prompt.ts';
import { hooksFor, hooksLaidBy, withTrustedHooks } from './composition/session-hooks.ts';
import { settingsReader } from './composition/settings.ts';
import { EventFeed } from './ipc/event-feed.ts';
import { createHandlers } from './ipc/handlers.ts';
import { PUSH_CHANNEL, serveRequests } from './ipc/serve.ts';
import { createMainWindow, isOurPage } from './windows/main-window.ts';
import { declareScheme, serveRenderer } from './windows/protocol.ts';

/** The composition root of the app: builds the real objects and joins them. */

const here = import.meta.dirname;
const home = gantryHome();
const devUrl = process.env.ELECTRON_RENDERER_URL;
const forScreenshot = process.env.GANTRY_AUTOPLAY === '1';

declareScheme();
app.setName('Gantry');
app.setPath('userData', join(home, 'electron'));

const host = startHost(here, (message) => console.error(`gantry: ${message}`));
const { settingsFor, agentsFor, capInEnvironment } = settingsReader();
const keys = new SafeKeys(join(app.getPath('userData'), 'keys.json'));
const { providerFor, models } = modelProviders(keys);
const library = new SessionLibrary({
  store: new SessionFolders(join(home, 'sessions')),
  clock,
  newId,
  app: `gantry ${app.getVersion()} on ${process.platform}`,
  readTranscript,
  toolsFor: (sessionId, settings, agents) => toolsFor(host, sessionId, settings, agents),
  agentsFor,
  settingsFor: (folder, scenario) =>
    scenario === undefined ? settingsFor(folder) : withTrustedHooks(settingsFor(folder), hooksLaidBy(scenario, folder)),
  hooksFor: ({ sessionId, journalPath }, cwd, settings) => {
    const outputFolder = join(dirname(journalPath), 'hook-output');
    return hooksFor({ sessionId, cwd, transcriptPath: journalPath, outputFolder }, settings);
  },
  capInEnvironment,
  scriptedProvider,
  providerFor,
  promptFor,
  prepareScenario,
});
const ownScenarios = new OwnScenarios(join(home, 'scenarios'));
let window: BrowserWindow | undefined;
let quitting = false;

// The first argument that is neither a switch nor the app's own folder is a file to open.
const fileIn = (argv: readonly string[], cwd: string): string | undefined => {
  const ours = resolve(app.getAppPath());
  return argv
    .slice(1)
    .filter((word) => !word.startsWith('-'))
    .map((word) => resolve(cwd, word))
    .find((path) => path !== ours && existsSync(path));
};

function push<K extends PushName>(name: K, payload: PushPayload<K>): void {
  if (window !== undefined && !window.isDestroyed()) window.webContents.send(PUSH_CHANNEL, name, payload);
}

async function openFile(path: string): Promise<SessionId | undefined> {
  try {
    return (await library.openTranscript(path, new AbortController().signal)).sessionId;
  } catch (error) {
    const failure = error instanceof FailureError ? error.failure : undefined;
    const message = failure?.message ?? (error instanceof Error ? error.message : String(error));
    push('app.problem', { message, ...(failure?.hint === undefined ? {} : { hint: failure.hint }) });
    console.error(`gantry: ${message}`);
    return undefined;
  }
}

async function start(): Promise<void> {
  if (devUrl === undefined) serveRenderer(join(here, '..', 'renderer'));
  await library.load();
  const file = fileIn(process.argv, process.cwd());
  const open = file === undefined ? undefined : await openFile(file);
  const feed = new EventFeed({
    clock,
    send: (sessionId, events) => push('session.events', { sessionId, events: [...events] }),
  });
  const handlers = createHandlers({
    library,
    feed,
    info: {
      version: app.getVersion(),
      electron: process.versions.electron ?? '',
      platform: process.platform,
      home: app.getPath('home'),
      gallery: process.env.GANTRY_GALLERY === '1',
      ...(open === undefined ? {} : { open }),
    },
    scenarios: {
      list: async () => [...gallery.map(summariseScenario), ...(await ownScenarios.list())],
      find: async (name) => scenarioByName(name) ?? (await ownScenarios.find(name)),
    },
    models: {
      keys,
      recent: new RecentChoicesFile(join(home, 'recent.json')),
      defaultModel: () => settingsFor(app.getPath('home')).current().model,
      models,
    },
    output: { read: readPage, search: searchFile },
  });
  serveRequests({
    handlers: () => handlers,
    isOurs: (event) =>
      event.sender === window?.webContents &&
      event.senderFrame === event.sender.mainFrame &&
      isOurPage(event.senderFrame?.url ?? '', devUrl),
    onBug: (request, error) => console.error(`gantry: ${request} failed`, error),
  });
  library.onEvents((sessionId, events) => feed.take(sessionId, events));
  library.onChanged((sessions) => push('sessions.changed', [...sessions]));
  library.onProblem(({ message, hint }) => push('app.problem', { message, ...(hint === undefined ? {} : { hint }) }));

  window = createMainWindow({
    preload: join(here, '..', 'preload', 'preload.cjs'),
    devUrl,
    dark: nativeTheme.shouldUseDarkColors,
    show: process.env.GANTRY_HIDDEN !== '1',
    query: process.env.GANTRY_THEME === undefined ? '' : `?theme=${encodeURIComponent(process.env.GANTRY_THEME)}`,
  });
  // A page that was reloaded attaches anew; what the old one followed is nobody's now.
  window.webContents.on('did-start-navigation', (details) => {
    if (details.isMainFrame && !details.isSameDocument) feed.detachAll();
  });
  window.on('closed', () => {
    window = undefined;
  });
  if (forScreenshot) {
    const first = gallery[0];
    await autoplay({
      window,
      library,
      clock,
      scenario: open === undefined ? first : undefined,
      screenshot: process.env.GANTRY_SCREENSHOT ?? 'gantry.png',
      show: (sessionId) => push('session.show', { sessionId }),
    });
    app.quit();
  }
}

/** Denies what waits and ends every process before the app goes (spec 3.6). */
async function stop(): Promise<void> {
  await library.closeAll('quit');
  await host.close();
}

if (!app.requestSingleInstanceLock()) {
  app.quit();
} else {
  app.on('second-instance', (_event, argv, cwd) => {
    const file = fileIn(argv, cwd);
    if (window?.isMinimized()) window.restore();
    window?.focus();
    if (file !== undefined) void openFile(file).then((sessionId) => sessionId && push('session.show', { sessionId }));
  });
  app.on('open-file', (event, path) => {
    event.preventDefault();
    void openFile(path).then((sessionId) => sessionId && push('session.show', { sessionId }));
  });
  app.on('window-all-closed', () => app.quit());
  app.on('before-quit', (event) => {
    if (quitting) return;
    event.preventDefault();
    quitting = true;
    void stop().finally(() => app.quit());
  });
  app.whenReady().then(start, fail).catch(fail);
}

function fail(error: unknown): void {
  console.error(`gantry: cannot start: ${error instanceof Error ? error.message : String(error)}`);
  app.exit(1);
}
