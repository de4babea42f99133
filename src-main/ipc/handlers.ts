import { clipboard, dialog, shell } from 'electron';
import { FailureError } from '../../src-shared/failure.ts';
import type { Handlers, RequestOutput } from '../../src-shared/ipc/contract.ts';
import type { Scenario } from '../../src-shared/scenario/scenario.ts';
import type { ScenarioSummary } from '../../src-shared/session/summary.ts';
import type { Ledger } from '../app/ledger.ts';
import type { Leftovers } from '../app/leftovers.ts';
import type { SessionLibrary } from '../app/session-library.ts';
import { groundOf } from '../core/command-facts.ts';
import { touchedFiles } from '../core/permission/touched-files.ts';
import { type ExportHandlerDeps, exportHandlers } from './export-handlers.ts';
import { keptTextHandlers } from './kept-text-handlers.ts';
import { ledgerHandlers } from './ledger-handlers.ts';
import { libraryHandlers } from './library-handlers.ts';
import { type ModelHandlerDeps, modelHandlers } from './model-handlers.ts';
import { vaultHandlers } from './vault-handlers.ts';

export type HandlerDeps = {
  readonly library: SessionLibrary;
  /** What is one window's own. */
  readonly window: Pick<Handlers, 'session.attach' | 'session.detach' | 'session.take-over' | 'window.new'>;
  readonly trust: Pick<Handlers, 'trust.state' | 'trust.set'>;
  readonly info: RequestOutput<'app.info'>;
  readonly scenarios: {
    readonly list: () => Promise<readonly ScenarioSummary[]>;
    readonly find: (name: string) => Promise<Scenario | undefined>;
  };
  readonly models: ModelHandlerDeps;
  readonly leftovers: Pick<Leftovers, 'list' | 'end'>;
  readonly ledger: Ledger;
  readonly desk: Parameters<typeof libraryHandlers>[0];
  readonly vault: Parameters<typeof vaultHandlers>[0];
  readonly exports: Omit<ExportHandlerDeps, 'library'>;
  readonly output: {
    readonly read: (path: string, offset: number, length: number) => Promise<RequestOutput<'output.read'>>;
    readonly search: (
      path: string,
      text: string,
      from: number,
      limit: number,
    ) => Promise<RequestOutput<'output.search'>>;
  };
};

/** One handler for every request of the contract; a missing one does not compile. */
export function createHandlers(deps: HandlerDeps): Handlers {
  const { library } = deps;
  const openTranscript = (path: string) => library.transcripts.open(path, new AbortController().signal);
  return {
    ...modelHandlers(library, deps.models),
    ...deps.window,
    ...deps.trust,
    ...ledgerHandlers(deps.ledger),
    ...libraryHandlers(deps.desk),
    ...vaultHandlers(deps.vault),
    ...exportHandlers({ library, ...deps.exports }),
    'app.info': async () => deps.info,
    'sessions.list': async () => [...library.list()],
    'scenarios.list': async () => [...(await deps.scenarios.list())],
    'scenario.start': async ({ name }) => ({ sessionId: await library.startScenario(await knownScenario(deps, name)) }),
    'transcript.open': async ({ path }) => {
      const { sessionId, findings } = await openTranscript(path);
      return { sessionId, findings: [...findings] };
    },
    'transcript.choose': async () => {
      const path = await chooseTranscript();
      return path === undefined ? {} : { sessionId: (await openTranscript(path)).sessionId };
    },
    'session.unqueue': async ({ sessionId, messageId, why }) => ({
      taken: (await library.live(sessionId)).unqueue(messageId, why),
    }),
    'session.interrupt': async ({ sessionId, reason }) => ({
      interrupted: (await library.live(sessionId)).interrupt(reason),
    }),
    'session.compact': async ({ sessionId, instructions }) => ({
      waits: (await library.live(sessionId)).compact(instructions.trim()),
    }),
    'session.set-mode': async ({ sessionId, mode }) => (await library.live(sessionId)).setMode(mode),
    'session.set-settings': async ({ sessionId, settings }) => (await library.live(sessionId)).setSettings(settings),
    'debug.hold': async ({ sessionId, on }) => (await library.live(sessionId)).debug.hold(on),
    'debug.step': async ({ sessionId }) => (await library.live(sessionId)).debug.step(),
    'debug.set-breakpoints': async ({ sessionId, breakpoints }) =>
      (await library.live(sessionId)).debug.setBreakpoints(breakpoints),
    'debug.set-faults': async ({ sessionId, faults }) => (await library.live(sessionId)).debug.setFaults(faults),
    'debug.resume': async ({ sessionId, callId, edited, keepHeld }) => ({
      resumed: (await library.live(sessionId)).debug.resume(callId, {
        keepHeld,
        ...(edited === undefined ? {} : { edited: { input: edited.input } }),
      }),
    }),
    'mcp.reconnect': async ({ sessionId, server }) => (await library.live(sessionId)).reconnectServer(server),
    'session.findings': async ({ sessionId }) => [...(await library.findings(sessionId))],
    'session.stop-reading': async ({ sessionId }) => library.transcripts.stopReading(sessionId),
    'session.remove': async ({ sessionId }) => library.remove(sessionId),
    'shell.kill': async ({ sessionId, shellId }) => {
      const { end } = await (await library.live(sessionId)).killShell(shellId);
      return { survivors: [...(end?.survivors ?? [])] };
    },
    'leftovers.list': async () =>
      (await deps.leftovers.list()).map(({ sessionId, ...process }) => ({
        ...process,
        title: library.list().find((session) => session.sessionId === sessionId)?.title ?? '',
      })),
    'leftovers.end': async () => {
      const { ended, survivors } = await deps.leftovers.end();
      return { ended, survivors: [...survivors] };
    },
    'permission.answer': async ({ sessionId, callId, askId, answer }) => ({
      accepted: (await library.live(sessionId)).answer(callId, askId, answer),
    }),
    'permission.answer-all': async ({ sessionId, asks, answer }) => ({
      refused: (await library.live(sessionId)).answerAll(asks, answer),
    }),
    ...keptTextHandlers(library),
    'output.read': async ({ sessionId, callId, offset, length }) => {
      const { path } = await library.savedOutput(sessionId, callId);
      return deps.output.read(path, offset, length);
    },
    'output.search': async ({ sessionId, callId, text, fromOffset, limit }) => {
      const { path } = await library.savedOutput(sessionId, callId);
      return deps.output.search(path, text, fromOffset, limit);
    },
    'output.reveal': async ({ sessionId, callId }) => {
      const { path } = await library.savedOutput(sessionId, callId);
      shell.showItemInFolder(path);
    },
    'what-if.commands': async ({ cwd, commands }) => {
      const ground = groundOf(cwd, { home: deps.info.home, platform: deps.info.platform });
      const touched: RequestOutput<'what-if.commands'> = [];
      for (const command of commands) {
        touched.push(touchedFiles(command, ground));
        // A long one takes 20 ms: nothing else should wait for all of them.
        await new Promise(setImmediate);
      }
      return touched;
    },
    'clipboard.write': async ({ text }) => clipboard.writeText(text),
    'link.open': async ({ url }) => ({ opened: await openLink(url) }),
  };
}

async function knownScenario({ scenarios }: HandlerDeps, name: string): Promise<Scenario> {
  const scenario = await scenarios.find(name);
  if (scenario === undefined) throw new FailureError({ kind: 'not-found', message: `There is no scenario ${name}.` });
  return scenario;
}

async function chooseTranscript(): Promise<string | undefined> {
  const { canceled, filePaths } = await dialog.showOpenDialog({
    title: 'Open a transcript',
    properties: ['openFile'],
    filters: [
      { name: 'Transcripts', extensions: ['jsonl', 'json', 'db'] },
      { name: 'All files', extensions: ['*'] },
    ],
  });
  return canceled ? undefined : filePaths[0];
}

/** Links go to the system's browser, and only web addresses do (spec 4.5). */
async function openLink(url: string): Promise<boolean> {
  if (!URL.canParse(url)) return false;
  const { protocol, href, username, password } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') return false;
  // `https://bank.example@evil.example` reads like an address it is not.
  if (username !== '' || password !== '') return false;
  await shell.openExternal(href);
  return true;
}
