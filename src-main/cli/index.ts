import { FailureError } from '../../src-shared/failure.ts';
import { Leftovers } from '../app/leftovers.ts';
import { MARKER_PREFIX, startHost } from '../composition/compose.ts';
import { libraryOfThisMachine } from '../composition/library.ts';
import { settingsReader } from '../composition/settings.ts';
import { vaultOfThisMachine } from '../composition/vault.ts';
import { compareCommand } from './compare.ts';
import { explainBashCommand } from './explain-bash.ts';
import { explainPermissionCommand } from './explain-permission.ts';
import { exportCommand, versionBeside } from './export.ts';
import { inspectCommand } from './inspect.ts';
import { type Io, UsageError } from './io.ts';
import { ledgerCommand } from './ledger.ts';
import { leftoversCommand } from './leftovers.ts';
import { runCommand } from './run.ts';
import { searchCommand, sessionsCommand } from './sessions.ts';
import { simulateCommand } from './simulate.ts';
import { trustCommand } from './trust.ts';
import { helpFor, USAGE } from './usage.ts';
import { vaultCommand } from './vault.ts';

/** The command line: the same core as the app, no display, no Electron. */

const io: Io = {
  stdout: (text) => void process.stdout.write(text),
  stderr: (text) => void process.stderr.write(text),
};

async function main(args: readonly string[]): Promise<number> {
  const help = helpFor(args);
  if (help !== undefined) {
    io.stdout(help);
    return 0;
  }
  const [command, ...rest] = args;
  switch (command) {
    case 'inspect':
      return inspectCommand(rest, io);
    case 'export':
      return exportCommand(rest, io, { reader: settingsReader(), folder: import.meta.dirname, output: process.stdout });
    case 'run':
      return runCommand(rest, io, import.meta.dirname);
    case 'trust':
      return trustCommand(rest, io, settingsReader());
    case 'leftovers':
      return lookForLeftovers(rest);
    case 'explain-bash':
      return explainBashCommand(rest, io, process.stdin);
    case 'explain-permission':
      return explainPermissionCommand(rest, io, process.stdin);
    case 'ledger':
      return ledgerCommand(rest, io, settingsReader());
    case 'sessions':
      return sessionsCommand(rest, io, libraryOfThisMachine(import.meta.dirname));
    case 'search':
      return searchCommand(rest, io, libraryOfThisMachine(import.meta.dirname));
    case 'vault':
      return workOnVault(rest);
    case 'simulate':
      return simulateCommand(rest, io);
    case 'compare':
      return compareCommand(rest, io);
    case '--version':
    case '-v':
      io.stdout(`${versionBeside(import.meta.dirname)}\n`);
      return 0;
    default:
      io.stderr(command === undefined ? USAGE : `gantry: there is no command ${command}.\n${USAGE}`);
      return 2;
  }
}

async function lookForLeftovers(args: readonly string[]): Promise<number> {
  const host = startHost(import.meta.dirname, (message) => io.stderr(`gantry: ${message}\n`));
  try {
    return await leftoversCommand(args, io, new Leftovers(host, MARKER_PREFIX));
  } finally {
    await host.close();
  }
}

/** Ctrl C ends it as Stop does: what was copied stays. */
async function workOnVault(args: readonly string[]): Promise<number> {
  const stop = new AbortController();
  const onSignal = (): void => stop.abort(new Error('stopped'));
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  const { sources, folder } = vaultOfThisMachine(settingsReader(), process.env);
  return vaultCommand(args, io, { sources, folder, now: Date.now, signal: stop.signal });
}

/** Nobody is shown a stack: an expected failure says what, where and what to do; a bug says its message. */
function explain(error: unknown): number {
  if (error instanceof UsageError) {
    io.stderr(`gantry: ${error.message}\n`);
    return 2;
  }
  if (error instanceof FailureError) {
    io.stderr(`gantry: ${error.failure.message}${error.failure.hint === undefined ? '' : ` ${error.failure.hint}`}\n`);
    return 1;
  }
  io.stderr(`gantry: ${error instanceof Error ? error.message : String(error)}\n`);
  return 1;
}

process.exitCode = await main(process.argv.slice(2)).catch(explain);
