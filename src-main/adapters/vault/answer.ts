import { randomBytes } from 'node:crypto';
import { relative, sep } from 'node:path';
import { assertNever } from '../../../src-shared/assert-never.ts';
import type { VaultOutcome, VaultProblem, VaultWork } from '../../../src-shared/vault/view.ts';
import { isWithin } from '../../core/vault/places.ts';
import { restoreWords, runWords, verifyWords } from '../../core/vault/words.ts';
import { realPath } from './folders.ts';
import { readManifest } from './manifest-file.ts';
import type { VaultMessage, VaultRequest } from './protocol.ts';
import { restoreVault } from './restore.ts';
import { checkedFolder, type Progress, runVault, startVault } from './run-vault.ts';
import { vaultStatus } from './vault-status.ts';
import { verifyVault } from './verify-vault.ts';

/** Problems that are named one by one. */
const MOST_NAMED = 50;

export const newVaultId = (): string => `vault_${randomBytes(8).toString('hex')}`;

/** Does what is asked, and says what it came to. @throws FailureError */
export async function answer(
  { folder, sources, ask }: VaultRequest,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<VaultMessage> {
  const options = { folder, sources, now: Date.now, signal, onProgress };
  switch (ask.kind) {
    case 'start':
      await startVault(await checkedFolder(options), newVaultId(), Date.now());
      return { kind: 'started' };
    case 'status':
      return { kind: 'status', status: await vaultStatus(options) };
    case 'run': {
      const result = await runVault({ ...options, makeAs: undefined, calm: ask.calm });
      return done('run', runWords(result), result.problems);
    }
    case 'verify':
      return stoppable('verify', signal, async () => {
        const result = await verifyVault(options);
        return done('verify', verifyWords(result), result.problems);
      });
    case 'restore':
      return stoppable('restore', signal, async () => {
        const path = await pathInVault(folder, ask.path);
        const which = { kind: 'main', path } as const;
        const result = await restoreVault({ ...options, which, to: ask.to, older: false });
        return done('restore', restoreWords(result), result.problems);
      });
    default:
      return assertNever(ask, 'ask');
  }
}

/** What was done before it was stopped is done: that is no failure. */
async function stoppable(
  work: VaultWork,
  signal: AbortSignal,
  task: () => Promise<VaultMessage>,
): Promise<VaultMessage> {
  try {
    return await task();
  } catch (error) {
    if (!signal.aborted) throw error;
    return done(work, 'Stopped.', []);
  }
}

function done(work: VaultWork, message: string, problems: readonly VaultProblem[]): VaultMessage {
  const outcome: VaultOutcome = {
    work,
    message,
    first: problems.slice(0, MOST_NAMED),
    problems: problems.length,
    done: true,
  };
  return { kind: 'done', outcome };
}

/** A session's own file as the vault names it: it may be known by where it lies there, or by where it came from. */
async function pathInVault(folder: string, path: string): Promise<string> {
  const root = await realPath(folder);
  for (const base of [root, folder]) {
    if (isWithin(path, base)) return relative(base, path).split(sep).join('/');
  }
  const { files } = await readManifest(root);
  return [...files.values()].find(({ from }) => from === path)?.path ?? path;
}
