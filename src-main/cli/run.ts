import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { EventOf } from '../../src-shared/session/event.ts';
import { layFiles } from '../adapters/scenarios/lay-files.ts';
import type { LiveSession } from '../app/live-session.ts';
import { startHost } from '../composition/compose.ts';
import { settingsReader } from '../composition/settings.ts';
import type { Io } from './io.ts';
import { lastTurn, reportRun } from './run-report.ts';
import { type Run, startRunSession } from './run-session.ts';
import { type RunSource, readRunWords } from './run-words.ts';

/**
 * Runs a session without a window, to its end: a scenario's, or one turn of a model. Nobody is there to ask: a question is
 * answered by `--answer`, otherwise it is a deny. Exit code 0 when the turn completed, 1 when it did not, 2 for wrong words.
 *
 * @param folder where the bundled entries lie.
 */
export async function runCommand(args: readonly string[], io: Io, folder: string): Promise<number> {
  const { source, options } = await readRunWords(args);
  const cwd = resolve(options.cwd);
  if (source.kind === 'scenario') await layFiles(source.scenario, dirname(cwd), cwd);
  else await mkdir(cwd, { recursive: true });
  const scratch = await mkdtemp(join(tmpdir(), 'gantry-run-'));
  const journal = options.journal === undefined ? join(scratch, 'journal.jsonl') : resolve(options.journal);
  const host = startHost(folder, (message) => io.stderr(`gantry: ${message}\n`));
  try {
    const { session, lost } = await play({ source, options, cwd, journal, host, io, reader: settingsReader() });
    const { state } = session.log;
    if (lost !== undefined) {
      io.stderr(`gantry: ${journal} could not be written: ${lost.message}. The run was stopped.\n`);
      return 1;
    }
    reportRun(state, options.json, options.journal === undefined ? undefined : journal, io);
    return lastTurn(state)?.end?.reason === 'completed' ? 0 : 1;
  } finally {
    await host.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

const STOPPING = ['SIGINT', 'SIGTERM'] as const;

/** Runs the session to its end, or until its journal can no longer be written. Ctrl C and SIGTERM stop it like Esc. */
async function play(run: Omit<Run, 'onJournalFailure'>) {
  const now: { session?: LiveSession; lost?: Error } = {};
  const stop = () => void now.session?.interrupt('escape');
  const onJournalFailure = (error: Error): void => {
    now.lost = error;
    stop();
  };
  const session = startRunSession({ ...run, onJournalFailure });
  now.session = session;
  for (const signal of STOPPING) process.on(signal, stop);
  session.log.onEvents((events) => {
    for (const event of events) if (event.type === 'request-failed') tellOfRetry(event, run.io);
  });
  if (run.source.kind === 'scenario') session.debug.setUp(run.source.scenario, false);
  if (now.lost === undefined) session.send(promptOf(run.source));
  await session.idle;
  for (const signal of STOPPING) process.off(signal, stop);
  await session.close('closed');
  return { session, lost: now.lost };
}

/** Waits of minutes must not look like a program that hangs. What ends the turn is told at its end. */
function tellOfRetry({ message, retryInMs }: EventOf<'request-failed'>, io: Io): void {
  if (retryInMs === undefined) return;
  io.stderr(`gantry: ${message} Trying again in ${(retryInMs / 1_000).toFixed(1)} s.\n`);
}

const promptOf = (source: RunSource): string =>
  source.kind === 'model' ? source.prompt : (source.scenario.prompt ?? 'Go.');
