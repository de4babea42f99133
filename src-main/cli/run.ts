import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, extname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { MAIN_AGENT, type SessionId } from '../../src-shared/ids.ts';
import { PermissionMode } from '../../src-shared/permission/event.ts';
import type { Scenario } from '../../src-shared/scenario/scenario.ts';
import { CascadePolicy, Strategy } from '../../src-shared/session/settings.ts';
import type { SessionState } from '../../src-shared/session/state.ts';
import { gallery, scenarioByName } from '../adapters/scenarios/gallery.ts';
import { layFiles } from '../adapters/scenarios/lay-files.ts';
import { loadScenario } from '../adapters/scenarios/load-scenario.ts';
import { JournalFile } from '../adapters/storage/journal-file.ts';
import { ResultFolder } from '../adapters/storage/result-folder.ts';
import { fixedAsker } from '../app/ask-board.ts';
import { LiveSession } from '../app/live-session.ts';
import { SessionLog } from '../app/session-log.ts';
import { clock, newId, scriptedProvider, startHost, toolsFor } from '../composition/compose.ts';
import { mcpFor, withTrustedServers } from '../composition/mcp.ts';
import { hooksFor, withTrustedHooks } from '../composition/session-hooks.ts';
import { type SettingsReader, settingsReader } from '../composition/settings.ts';
import { settingsNotices, toldOnTerminal } from '../core/settings/notices.ts';
import type { LoadedSettings } from '../core/settings/settings.ts';
import { settingsAtStart } from '../core/settings/start-settings.ts';
import { type Io, UsageError } from './io.ts';

export const RUN_USAGE = `gantry run SCENARIO --cwd DIR [--journal OUT] [--json]
    [--strategy streaming|batch|serial] [--cascade any-error|except-writes|bash|bash-mutating|none] [--cap N]
    [--mode default|acceptEdits|plan|auto|dontAsk|bypassPermissions] [--answer allow|deny] [--trust]
  --trust runs the hooks and MCP servers that come with DIR or the scenario, this once.
  SCENARIO is a YAML or JSON file, or the name of one of the gallery: ${gallery.map(({ name }) => name).join(', ')}.`;

const Options = z.object({
  cwd: z.string(),
  journal: z.string().optional(),
  json: z.boolean().default(false),
  strategy: Strategy.optional(),
  cascade: CascadePolicy.optional(),
  cap: z.coerce.number().int().positive().optional(),
  mode: PermissionMode.optional(),
  answer: z.enum(['allow', 'deny']).optional(),
  trust: z.boolean().default(false),
});
type Options = z.output<typeof Options>;

/**
 * Runs a scenario's session without a window, to its end. Nobody is there to ask: a question is answered by `--answer`,
 * otherwise it is a deny. Exit code 0 when the turn completed, 1 when it did not, 2 for wrong words.
 *
 * @param folder where the bundled entries lie.
 */
export async function runCommand(args: readonly string[], io: Io, folder: string): Promise<number> {
  const { scenario, options } = await parse(args);
  const cwd = resolve(options.cwd);
  await layFiles(scenario, dirname(cwd), cwd);
  const scratch = await mkdtemp(join(tmpdir(), 'gantry-run-'));
  const journal = options.journal === undefined ? join(scratch, 'journal.jsonl') : resolve(options.journal);
  const host = startHost(folder, (message) => io.stderr(`gantry: ${message}\n`));
  try {
    const reader = settingsReader();
    const { session, lost } = await play(scenario, { scenario, options, cwd, journal, host, io, reader });
    const { state } = session.log;
    if (lost !== undefined) {
      io.stderr(`gantry: ${journal} could not be written: ${lost.message}. The run was stopped.\n`);
      return 1;
    }
    report(state, options, options.journal === undefined ? undefined : journal, io);
    return lastTurn(state)?.end?.reason === 'completed' ? 0 : 1;
  } finally {
    await host.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Runs the session to its end, or until its journal can no longer be written. Ctrl C stops it like Esc. */
async function play(scenario: Scenario, run: Omit<Run, 'onJournalFailure'>) {
  const now: { session?: LiveSession; lost?: Error } = {};
  const stop = () => void now.session?.interrupt('escape');
  const onJournalFailure = (error: Error): void => {
    now.lost = error;
    stop();
  };
  const session = await startSession({ ...run, onJournalFailure });
  now.session = session;
  process.on('SIGINT', stop);
  session.debug.setUp(scenario, false);
  if (now.lost === undefined) session.send(scenario.prompt ?? 'Go.');
  await session.idle;
  process.off('SIGINT', stop);
  await session.close('closed');
  return { session, lost: now.lost };
}

type Run = {
  readonly scenario: Scenario;
  readonly options: Options;
  readonly cwd: string;
  readonly journal: string;
  readonly host: ReturnType<typeof startHost>;
  readonly reader: SettingsReader;
  /** The disk takes no more lines: nothing may go on that is not written down. */
  readonly onJournalFailure: (error: Error) => void;
  readonly io: Io;
};

async function startSession(run: Run): Promise<LiveSession> {
  const { scenario, options, cwd, journal, host, reader } = run;
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
    provider: scriptedProvider(scenario),
    tools: toolsFor(host, sessionId, settings, agents, mcp),
    mcp,
    agents,
    files: new ResultFolder(join(ownFolder, 'tool-results')),
    newId,
    asker: fixedAsker(options.answer ?? 'no-user'),
    settings,
    hooks: hooksFor({ sessionId, cwd, transcriptPath: journal, outputFolder }, settings),
  });
}

/** The journal with the session's beginning. What has no effect of the settings is said on the terminal too. */
function beginLog(
  { scenario, options, cwd, journal, reader, io, onJournalFailure }: Run,
  sessionId: SessionId,
  loaded: LoadedSettings,
) {
  const { strategy, cascade, cap, mode } = options;
  const { settings, warnings } = settingsAtStart({
    chosen: { strategy, cascade, cap, mode },
    scenario: scenario.settings,
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
    title: scenario.title ?? scenario.name,
    cwd,
    origin: { kind: 'live', provider: 'scripted', scenario: scenario.name },
    app: `gantry command line on ${process.platform}`,
    settings,
  });
  for (const text of warnings) log.append({ type: 'notice-given', level: 'warning', text });
  for (const text of [...warnings, ...settingsNotices(loaded).map(toldOnTerminal)]) io.stderr(`gantry: ${text}\n`);
  return log;
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

async function parse(args: readonly string[]): Promise<{ readonly scenario: Scenario; readonly options: Options }> {
  const { values, positionals } = readWords(args);
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) throw new UsageError(`Give one scenario.\n${RUN_USAGE}`);
  const options = Options.safeParse(values);
  if (!options.success) {
    const issue = options.error.issues[0];
    throw new UsageError(`--${issue?.path.join('.')} does not fit: ${issue?.message}\n${RUN_USAGE}`);
  }
  const scenario = existsSync(name) ? undefined : scenarioByName(name);
  return { scenario: scenario ?? (await loadScenario(resolve(name))), options: options.data };
}

function readWords(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        cwd: text,
        journal: text,
        strategy: text,
        cascade: text,
        cap: text,
        mode: text,
        answer: text,
        json: { type: 'boolean' },
        trust: { type: 'boolean' },
      },
    });
  } catch (cause) {
    throw new UsageError(`${cause instanceof Error ? cause.message : String(cause)}\n${RUN_USAGE}`, { cause });
  }
}

/** The main agent's: those of sub-agents are turns too. */
const lastTurn = ({ turns }: SessionState) => turns.findLast(({ agentId }) => agentId === MAIN_AGENT);

function report(state: SessionState, options: Options, journal: string | undefined, io: Io): void {
  const turn = lastTurn(state)?.end;
  const calls = state.calls.map((call) => ({
    id: call.callId,
    tool: call.tool,
    summary: call.summary,
    outcome: 'end' in call ? call.end.outcome : 'unknown',
  }));
  if (options.json) {
    io.stdout(
      `${JSON.stringify({ turn: turn?.reason ?? 'unknown', wallMs: state.now, calls, ...(journal === undefined ? {} : { journal }) })}\n`,
    );
    return;
  }
  for (const call of calls) io.stdout(`${call.outcome.padEnd(11)} ${call.tool} ${call.summary}\n`);
  io.stdout(
    `${calls.length} calls in ${(state.now / 1000).toFixed(1)} s, the turn ended: ${turn?.reason ?? 'unknown'}\n`,
  );
  if (turn?.message !== undefined) io.stderr(`gantry: ${turn.message}\n`);
  if (journal !== undefined) io.stdout(`Journal: ${journal}\n`);
}
