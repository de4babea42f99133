import { join } from 'node:path';
import { FailureError } from '../../../src-shared/failure.ts';
import { MANIFEST_NAME } from '../../core/vault/manifest.ts';
import { lockFile } from '../storage/process-lock.ts';
import { vaultDown } from './trouble.ts';

/** A lock that was not renewed for this long belongs to a process that is gone, wherever it ran. */
const STALE_MS = 20_000;

/**
 * One run at a time writes a vault.
 * @param onLost told when the lock was lost all the same.
 * @returns the way to give it back
 * @throws FailureError `locked`, or when the folder cannot be written
 */
export async function lockVault(root: string, onLost: (reason: Error) => void): Promise<() => Promise<void>> {
  const path = join(root, MANIFEST_NAME);
  try {
    return await lockFile(path, { stale: STALE_MS, retries: { retries: 2, minTimeout: 100 } }, () =>
      onLost(lost(root)),
    );
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ELOCKED') throw vaultDown(root, cause);
    throw new FailureError(
      {
        kind: 'locked',
        message: `The vault in ${root} is at work in another Gantry.`,
        hint: 'Wait for it to end, or stop it there.',
      },
      { cause },
    );
  }
}

const lost = (root: string): FailureError =>
  new FailureError({ kind: 'locked', message: `Another Gantry has taken over the vault in ${root}, or it has gone.` });
