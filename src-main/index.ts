import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { app, nativeTheme } from 'electron';
import { FailureError } from '../src-shared/failure.ts';
import type { SessionId } from '../src-shared/ids.ts';
import { SafeKeys } from './adapters/electron/safe-keys.ts';
import { gallery, scenarioByName, summariseScenario } from './adapters/scenarios/gallery.ts';
import { OwnScenarios } from './adapters/scenarios/own-scenarios.ts';
import { ensureFolder } from './adapters/storage/ensure-folder.ts';
import { openExportFile } from './adapters/storage/export-file.ts';
import { exportPage } from './adapters/storage/export-page.ts';
import { readPage, searchFile } from './adapters/storage/output-pages.ts';
import { RecentChoicesFile } from './adapters/storage/recent-choices.ts';
import { SessionFolders } from './adapters/storage/session-folders.ts';
import { transcriptFollower } from './adapters/transcripts/follow/follow-transcript.ts';
import { watchFolders } from './adapters/transcripts/follow/watch-folders.ts';
import { readingInWorker } from './adapters/transcripts/worker/read-in-worker.ts';
import { AttentionDesk } from './app/attention-desk.ts';
import { SessionExporter } from './app/export-session.ts';
import { Leftovers } from './app/leftovers.ts';
import { SessionLibrary } from './app/session-library.ts';
import { AppWindows } from './composition/app-windows.ts';
import { autoplay } from './composition/autoplay.ts';
import { classifierFor } from './composition/classifier.ts';
import {
  clock,
  MARKER_PREFIX,
  newId,
  prepareScenario,
  scriptedProvider,
  startHost,
  toolsFor,
} from './composition/compose.ts';
import { gantryHome } from './composition/gantry-home.ts';
import { openLedger } from './composition/ledger.ts';
import { libraryDesk, transcriptReader } from './composition/library.ts';
import { mcpFor } from './composition/mcp.ts';
import { modelProviders } from './composition/model-providers.ts';
import { hooksFor, hooksLaidBy, withTrustedHooks } from './composition/session-hooks.ts';
import { promptFor } from './composition/session-prompt.ts';
import { settingsReader } from './composition/settings.ts';
import { vaultDesk } from './composition/vault.ts';
import { createHandlers } from './ipc/handlers.ts';
import { serveRequests } from './ipc/serve.ts';
import { trustHandlers } from './ipc/trust-handlers.ts';
import { createMainWindow, isOurPage, refuseToLeave } from './windows/main-window.ts';
import { setMenu } from './windows/menu.ts';
import { declareScheme, serveRenderer } from './windows/protocol.ts';
import { SystemAttention } from './windows/system-attention.ts';

/** The composition root of the app: builds the real objects and joins them. */

const here = import.meta.dirname;
const home = gantryHome();
const devUrl = process.env.ELECTRON_RENDERER_URL;
const forScreenshot = process.env.GANTRY_AUTOPLAY === '1';

declareScheme();
app.setName('Gantry');
app.setPath('userData', join(home, 'electron'));

const host = startHost(here, (message) => console.error(`gantry: ${message}`));
const settings = settingsReader();
const { settingsFor, trust, agentsFor, capInEnvironment } = settings;
const keys = new SafeKeys(join(app.getPath('userData'), 'keys.json'));
const { providerFor, models } = modelProviders(keys);
const library = new SessionLibrary({
  store: new SessionFolders(join(home, 'sessions')),
  clock,
  newId,
  app: `gantry ${app.getVersion()} on ${process.platform}`,
  readTranscript: transcriptReader(here, readingInWorker(join(here, 'transcript-worker.js'))),
  followTranscript: transcriptFollower({ clock, watch: watchFolders }),
  toolsFor: (sessionId, settings, agents, mcp) => toolsFor(host, sessionId, settings, agents, mcp, providerFor),
  mcpFor: (sessionId, cwd, settings) => mcpFor({ sessionId, cwd, settings }, { host, version: app.getVersion() }),
  agentsFor,
  settingsFor: (folder, scenario) =>
    scenario === undefined ? settingsFor(folder) : withTrustedHooks(settingsFor(folder), hooksLaidBy(scenario, folder)),
  hooksFor: ({ sessionId, journalPath }, cwd, settings) => {
    const outputFolder = join(dirname(journalPath), 'hook-output');
    return hooksFor({ sessionId, cwd, transcriptPath: journalPath, outputFolder }, settings);
  },
  capInEnvironment,
  scriptedProvider,
  ensureFolder,
  providerFor,
  promptFor,
  classifierFor: (own) => classifierFor(own, providerFor),
  prepareScenario,
});
const ledger = openLedger(settings, (sessionId) => library.titleOf(sessionId));
const desk = libraryDesk(here, settings, {
  sessions: library,
  onChanged: (index) => windows.broadcast('library.changed', { index }),
});
const vault = vaultDesk(here, settings, {
  pathOf: (id) => desk.pathOf(id),
  onChanged: (state) => windows.broadcast('vault.changed', { state }),
  onFiles: () => desk.filesChanged(),
});
const exporter = new SessionExporter({
  clock,
  generator: `Gantry ${app.getVersion()}`,
  loadPage: exportPage(join(here, '..', 'viewer', 'viewer.html')),
});
const ownScenarios = new OwnScenarios(join(home, 'scenarios'));
const leftovers = new Leftovers(host, MARKER_PREFIX);
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

async function openFile(path: string): Promise<SessionId | undefined> {
  try {
    return (await library.transcripts.open(path, new AbortController().signal)).sessionId;
  } catch (error) {
    const failure = error instanceof FailureError ? error.failure : undefined;
    const message = failure?.message ?? (error instanceof Error ? error.message : String(error));
    windows.tell({ message, ...(failure?.hint === undefined ? {} : { hint: failure.hint }) });
    console.error(`gantry: ${message}`);
    return undefined;
  }
}

/** The session of the file the app was started with. The first window shows it. */
let fromStart: SessionId | undefined;

const windows = new AppWindows({
  library,
  clock,
  isOurPage: (url) => isOurPage(url, devUrl),
  create: (beside) =>
    createMainWindow({
      preload: join(here, '..', 'preload', 'preload.cjs'),
      devUrl,
      dark: nativeTheme.shouldUseDarkColors,
      show: process.env.GANTRY_HIDDEN !== '1',
      query: process.env.GANTRY_THEME === undefined ? '' : `?theme=${encodeURIComponent(process.env.GANTRY_THEME)}`,
      beside,
    }),
  handlersFor: (own, isFirst) =>
    createHandlers({
      library,
      window: own,
      trust: trustHandlers({
        library,
        settingsFor,
        trust,
        changed: (payload) => windows.broadcast('trust.changed', payload),
      }),
      info: {
        version: app.getVersion(),
        electron: process.versions.electron ?? '',
        platform: process.platform,
        home: app.getPath('home'),
        gallery: process.env.GANTRY_GALLERY === '1',
        ...(isFirst && fromStart !== undefined ? { open: fromStart } : {}),
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
      leftovers,
      ledger,
      desk,
      vault,
      exports: {
        exporter,
        redact: () => settingsFor(app.getPath('home')).current().redact,
        openFile: openExportFile,
        onProgress: (progress) => windows.broadcast('export.progress', progress),
      },
      output: { read: readPage, search: searchFile },
    }),
});

async function start(): Promise<void> {
  app.on('web-contents-created', (_event, contents) => refuseToLeave(contents, devUrl));
  if (devUrl === undefined) serveRenderer(join(here, '..', 'renderer'));
  setMenu({ development: devUrl !== undefined, newWindow: () => windows.open() });
  await library.load();
  const file = fileIn(process.argv, process.cwd());
  fromStart = file === undefined ? undefined : await openFile(file);
  serveRequests({
    handlers: (event) => windows.handlersOf(event),
    isOurs: (event) => windows.isOurs(event),
    onBug: (request, error) => console.error(`gantry: ${request} failed`, error),
  });
  library.transcripts.onReading((reading) => windows.broadcast('session.reading', reading));
  library.onChanged((sessions) => windows.broadcast('sessions.changed', [...sessions]));
  library.onProblem(({ message, hint }) =>
    windows.broadcast('app.problem', { message, ...(hint === undefined ? {} : { hint }) }),
  );
  library.onEvents((sessionId, events) => ledger.heed(sessionId, events));
  ledger.onChanged((news) => windows.broadcast('ledger.changed', news));
  callWhoLooksElsewhere();

  const window = windows.open();
  if (forScreenshot) {
    const first = gallery[0];
    await autoplay({
      window,
      library,
      clock,
      scenario: fromStart === undefined ? first : undefined,
      screenshot: process.env.GANTRY_SCREENSHOT ?? 'gantry.png',
      show: (sessionId) => windows.show({ sessionId }),
    });
    app.quit();
  }
}

/** Badge and notifications for questions that wait while no window has the keyboard. */
function callWhoLooksElsewhere(): void {
  const desk = new AttentionDesk({
    attention: new SystemAttention(),
    clock,
    choice: () => settingsFor(app.getPath('home')).current().notifications ?? 'all',
    titleOf: (sessionId) => library.titleOf(sessionId),
    show: (sessionId, askId) => windows.show({ sessionId, ...(askId === undefined ? {} : { askId }) }),
  });
  library.onEvents((sessionId, events) => {
    if (library.isLive(sessionId)) desk.take(sessionId, events);
  });
  app.on('browser-window-focus', () => desk.focusChanged());
  app.on('browser-window-blur', () => desk.focusChanged());
}

/** Denies what waits and ends every process before the app goes (spec 3.6). */
async function stop(): Promise<void> {
  desk.close();
  vault.close();
  await library.closeAll('quit');
  await host.close();
}

if (!app.requestSingleInstanceLock()) {
  app.quit();
} else {
  app.on('second-instance', (_event, argv, cwd) => {
    const file = fileIn(argv, cwd);
    windows.focusLast();
    if (file !== undefined) void openFile(file).then((sessionId) => sessionId && windows.show({ sessionId }));
  });
  app.on('open-file', (event, path) => {
    event.preventDefault();
    void openFile(path).then((sessionId) => sessionId && windows.show({ sessionId }));
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
