import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { FailureError } from '../../src-shared/failure.ts';
import { formatBytes, formatCount } from '../../src-shared/timeline/words.ts';
import type { VaultProblem, VaultStatus } from '../../src-shared/vault/view.ts';
import { newVaultId } from '../adapters/vault/answer.ts';
import { restoreVault, type Which } from '../adapters/vault/restore.ts';
import { type Progress, runVault, type VaultOptions } from '../adapters/vault/run-vault.ts';
import { vaultStatus } from '../adapters/vault/vault-status.ts';
import { verifyVault } from '../adapters/vault/verify-vault.ts';
import { counted, shownText } from '../core/settings/words.ts';
import type { Source } from '../core/vault/places.ts';
import { restoreWords, runWords, verifyWords } from '../core/vault/words.ts';
import { type Io, wordsOrUsage } from './io.ts';

export const VAULT_USAGE =
  'gantry vault status|run|verify|restore [--dir DIR] [--new] [--to DIR] [--session ID] [--older] [--json]';

/** What the command works with: sources and the chosen folder come from the settings. */
export type VaultWorld = {
  readonly sources: readonly Source[];
  /** The folder that was chosen in the window. */
  readonly folder: string | undefined;
  readonly now: () => number;
  /** Aborted by Ctrl C. */
  readonly signal: AbortSignal;
};

const ACTIONS = ['status', 'run', 'verify', 'restore'] as const;
type Action = (typeof ACTIONS)[number];
type Words = {
  readonly action: Action;
  readonly dir: string | undefined;
  readonly isNew: boolean;
  readonly to: string | undefined;
  readonly session: string | undefined;
  readonly older: boolean;
  readonly json: boolean;
};

/**
 * `gantry vault`: what the vault covers, a run, a check of every copy, or a restore. With `--json` one object. Exit code 0;
 * 1 when something could not be copied, is not what was copied, or could not be restored, or when it was stopped.
 * @throws FailureError when there is no vault, it is at work, or cannot be written
 */
export async function vaultCommand(args: readonly string[], io: Io, world: VaultWorld): Promise<number> {
  const words = wordsOrUsage(VAULT_USAGE, () => vaultWords(args));
  const folder = words.dir ?? world.folder;
  if (folder === undefined) {
    throw new FailureError({ kind: 'bad-input', message: 'No vault was chosen.', hint: 'Name its folder: --dir DIR.' });
  }
  const { sources, now, signal } = world;
  const options: VaultOptions = { folder: resolve(folder), sources, now, signal, onProgress: progressTo(io, words) };
  try {
    return await act(words, options, io);
  } catch (error) {
    if (!signal.aborted) throw error;
    io.stderr('gantry: Stopped.\n');
    return 1;
  }
}

async function act(words: Words, options: VaultOptions, io: Io): Promise<number> {
  const tell = (result: object, text: string, problems: readonly VaultProblem[], code: number): number => {
    if (words.json) io.stdout(`${JSON.stringify(result)}\n`);
    else {
      for (const { message } of problems) io.stdout(`  ${shownText(message)}\n`);
      io.stdout(`${text}\n`);
    }
    return code;
  };
  switch (words.action) {
    case 'status': {
      const status = await vaultStatus(options);
      return tell({ folder: options.folder, ...status }, statusText(options.folder, status), [], 0);
    }
    case 'run': {
      const result = await runVault({ ...options, makeAs: words.isNew ? newVaultId() : undefined, calm: false });
      const { run, problems, leftOut } = result;
      const failed = problems.length > 0 || run.stopped;
      return tell({ ...run, problems, leftOut }, runWords(result), problems, failed ? 1 : 0);
    }
    case 'verify': {
      const result = await verifyVault(options);
      return tell(result, verifyWords(result), result.problems, result.problems.length > 0 ? 1 : 0);
    }
    case 'restore': {
      const which: Which = words.session === undefined ? { kind: 'all' } : { kind: 'session', id: words.session };
      const result = await restoreVault({ ...options, which, to: words.to, older: words.older });
      return tell(result, restoreWords(result), result.problems, result.problems.length > 0 ? 1 : 0);
    }
  }
}

function vaultWords(args: readonly string[]): Words {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { dir: text, to: text, session: text, new: flag, older: flag, json: flag },
  });
  const [action, ...rest] = positionals;
  const known = ACTIONS.find((one) => one === action);
  if (known === undefined || rest.length > 0) throw new Error(`Say what to do: ${ACTIONS.join(', ')}.`);
  const isRestore = known === 'restore';
  if (!isRestore && (values.to !== undefined || values.session !== undefined || values.older)) {
    throw new Error('--to, --session and --older are for restore.');
  }
  if (values.new && known !== 'run') throw new Error('--new is for run.');
  if (values.older && values.to === undefined)
    throw new Error('--older needs --to: the original place has one version.');
  if (values.session === '') throw new Error('--session is the id of a session, or its beginning.');
  return {
    action: known,
    dir: values.dir,
    isNew: values.new,
    to: values.to === undefined ? undefined : resolve(values.to),
    session: values.session,
    older: values.older,
    json: values.json,
  };
}

/** A line whenever another tenth of the bytes is done; none where that is at once. */
function progressTo(io: Io, { action }: Words): (progress: Progress) => void {
  let told = 0;
  return ({ files, ofFiles, bytes, ofBytes }) => {
    const tenth = Math.floor((bytes / Math.max(1, ofBytes)) * 10);
    if (ofBytes < 50_000_000 || tenth <= told) return;
    told = tenth;
    const done = `${formatBytes(bytes)} of ${formatBytes(ofBytes)}`;
    io.stderr(`gantry: ${action}: ${formatCount(files)} of ${formatCount(ofFiles)} files, ${done}\n`);
  };
}

function statusText(folder: string, status: VaultStatus): string {
  const { programs, sessions, files, bytes, older, gone, waiting, leftOut, lastRun } = status;
  const row = (name: string, ...cells: readonly string[]): string =>
    `  ${name.padEnd(14)}${cells.map((cell) => cell.padStart(12)).join('')}`;
  const last =
    lastRun === undefined
      ? 'never'
      : `${new Date(lastRun.at).toISOString().slice(0, 16).replace('T', ' ')}, ${runWords({ run: lastRun, resting: 0 })}`;
  return [
    shownText(folder),
    ...(programs.length === 0 ? [] : [row('', 'sessions', 'files', 'size')]),
    ...programs.map((one) =>
      row(one.program, formatCount(one.sessions), formatCount(one.files), formatBytes(one.bytes)),
    ),
    row('all', formatCount(sessions), formatCount(files), formatBytes(bytes)),
    `Last run: ${last}`,
    `Waiting: ${counted(waiting.files, 'file')}, ${formatBytes(waiting.bytes)}`,
    ...(gone === 0 ? [] : [`Only in the vault: ${counted(gone, 'session')}`]),
    ...(older.files === 0 ? [] : [`Older versions: ${counted(older.files, 'file')}, ${formatBytes(older.bytes)}`]),
    ...leftOut.map((path) => `Not copied: ${shownText(path)}, a database`),
  ].join('\n');
}
