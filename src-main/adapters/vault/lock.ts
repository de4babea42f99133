import { mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { lock } from 'proper-lockfile';
import { FailureError } from '../../../src-shared/failure.ts';
import { MANIFEST_NAME } from '../../core/vault/manifest.ts';
import { vaultDown } from './trouble.ts';

/** A lock that was not renewed for this long belongs to a process that is gone, wherever it ran. */
const STALE_MS = 20_000;

/**
 * One run at a time writes a vault. The lock of a process of this machine that has died is taken over at once.
 * @param onLost told when the lock was lost all the same.
 * @returns the way to give it back
 * @throws FailureError `locked`, or when the folder cannot be written
 */
export async function lockVault(root: string, onLost: (reason: Error) => void): Promise<() => Promise<void>> {
  const path = join(root, MANIFEST_NAME);
  const owner = `${path}.owner`;
  freeFromTheDead(path, owner);
  try {
    const release = await lock(path, {
      stale: STALE_MS,
      retries: { retries: 2, minTimeout: 100 },
      onCompromised: () => onLost(lost(root)),
    });
    writeFileSync(owner, me(), { mode: 0o600 });
    return async () => {
      rmSync(owner, { force: true });
      await release().catch(() => undefined);
    };
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

/** Several machines may have the folder: a number of a process says nothing without its machine. */
const me = (): string => `${process.pid} ${hostname()}`;

/** Only one process at a time does it, and it puts itself down as owner before the lock is gone. */
function freeFromTheDead(path: string, owner: string): void {
  if (!isDead(owner)) return;
  const turn = `${path}.taking-over`;
  try {
    mkdirSync(turn);
  } catch {
    // Somebody else does it, or died while doing it: then the lock goes stale by itself.
    return;
  }
  try {
    if (!isDead(owner)) return;
    writeFileSync(owner, me(), { mode: 0o600 });
    rmSync(`${path}.lock`, { recursive: true, force: true });
  } finally {
    rmdirSync(turn);
  }
}

function isDead(owner: string): boolean {
  let text: string;
  try {
    text = readFileSync(owner, 'utf8');
  } catch {
    return false;
  }
  const [, pid, host] = /^(\d+) (.+)$/.exec(text) ?? [];
  if (pid === undefined || host !== hostname()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    // Another user's process is alive, though it takes no signal of ours.
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
