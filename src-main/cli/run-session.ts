import { existsSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { FailureError } from '../../src-shared/failure.ts';
import type { SessionId } from '../../src-shared/ids.ts';
import type { ModelChoice } from '../../src-shared/model/choice.ts';
import type { Origin } from '../../src-shared/session/event.ts';
import { createProvider } from '../adapters/providers/create-provider.ts';
import { JournalFile } from '../adapters/storage/journal-file.ts';
import { ResultFolder } from '../adapters/storage/result-folder.ts';
import { fixedAsker } from '../app/ask-board.ts';
import { LiveSession } from '../app/live-session.ts';
import { SessionLog } from '../app/session-log.ts';
import { classifierFor } from '../composition/classifier.ts';
import { clock, newId, scriptedProvider, type startHost, toolsFor } from '../composition/compose.ts';
import { mcpFor, withTrustedServers } from '../composition/mcp.ts';
import { hooksFor, withTrustedHooks } from '../composition/session-hooks.ts';
import { promptFor } from '../composition/session-prompt.ts';
import type { SettingsReader } from '../composition/settings.ts';
import { settingsNotices, toldOnTerminal } from '../core/settings/notices.ts';
import type { LoadedSettings } from '../core/settings/settings.ts';
import { settingsAtStart } from '../core/settings/start-settings.ts';
import type { ModelProvider } from '../ports/model-provider.ts';
import { type Io, UsageError } from './io.ts';
import type { RunOptions, RunSource } from './run-words.ts';

export type Run = {
  readonly source: RunSource;
  readonly options: RunOptions;
  readonly cwd: string;
  readonly journal: string;
  readonly host: ReturnType<typeof startHost>;
  readonly reader: SettingsReader;
  /** The disk takes no more lines: nothing may go on that is not written down. */
  readonly onJournalFailure: (error: Error) => void;
  readonly io: Io;
};

/** A session without a window: nobody is asked, and keys come from the environment alone. */
export function startRunSession(run: Run): LiveSession {
  const { source, options, cwd, journal, host, reader } = run;
  const sessionId = newId('session') as SessionId;
  const own = reader.settingsFor(cwd);
  const settings = options.trust ? withTrustedServers(withTrustedHooks(own, () => true)) : own;
  const agents = reader.agentsFor(cwd);
  const ownFolder = join(dirname(journal), fileStem(journal));
  const outputFolder = join(ownFolder, 'hook-output');
  const mcp = mcpFor({ sessionId, cwd, settings }, { host, version: 'cli' });
  return new LiveSession({
    log: beginLog(run, sessionId, settings.current()),
    clock,
    provider: source.kind === 'scenario' ? scriptedProvider(source.scenario) : providerFor(source.model),
    providerFor,
    preparePrompt: promptFor(cwd, settings),
    tools: toolsFor(host, sessionId, settings, agents, mcp, providerFor),
    mcp,
    agents,
    files: new ResultFolder(join(ownFolder, 'tool-results')),
    newId,
    asker: fixedAsker(options.answer ?? 'no-user'),
    settings,
    hooks: hooksFor({ sessionId, cwd, transcriptPath: journal, outputFolder }, settings),
    classifier: classifierFor(settings, providerFor),
  });
}

function providerFor(choice: ModelChoice): ModelProvider {
  const { provider } = choice;
  if (provider === 'scripted') {
    throw new FailureError({
      kind: 'bad-input',
      message: 'A scripted model plays a scenario and answers nothing else.',
    });
  }
  return createProvider({ ...choice, provider }, { apiKey: () => undefined, clock, newId });
}

/** The journal with the session's beginning. What has no effect of the settings is said on the terminal too. */
function beginLog(
  { source, options, cwd, journal, reader, io, onJournalFailure }: Run,
  sessionId: SessionId,
  loaded: LoadedSettings,
): SessionLog {
  const { strategy, cascade, cap, mode } = options;
  const { settings, warnings } = settingsAtStart({
    chosen: { strategy, cascade, cap, mode },
    scenario: source.kind === 'scenario' ? source.scenario.settings : undefined,
    loaded,
    capInEnvironment: reader.capInEnvironment,
  });
  const log = new SessionLog({
    store: createJournal(journal),
    clock,
    onFailure: onJournalFailure,
  });
  log.append({
    type: 'session-started',
    sessionId,
    ...beginningOf(source),
    cwd,
    app: `gantry command line on ${process.platform}`,
    settings,
  });
  for (const text of warnings) log.append({ type: 'notice-given', level: 'warning', text });
  for (const text of [...warnings, ...settingsNotices(loaded).map(toldOnTerminal)]) io.stderr(`gantry: ${text}\n`);
  return log;
}

function beginningOf(source: RunSource): { readonly title: string; readonly origin: Origin } {
  if (source.kind === 'model') {
    const { model } = source;
    return { title: model.model, origin: { kind: 'live', provider: model.provider, model } };
  }
  const { title, name } = source.scenario;
  return { title: title ?? name, origin: { kind: 'live', provider: 'scripted', scenario: name } };
}

function createJournal(path: string): JournalFile {
  try {
    return JournalFile.create(path);
  } catch (cause) {
    const exists = existsSync(path);
    throw new UsageError(
      exists
        ? `${path} exists already. Give a new name with --journal.`
        : `${path} cannot be written. Check its folder.`,
      { cause },
    );
  }
}

const fileStem = (path: string): string => path.slice(dirname(path).length + 1, path.length - extname(path).length);
