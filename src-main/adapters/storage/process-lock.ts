import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type LockOptions, lock } from 'proper-lockfile';

/**
 * Locks a file against other processes. The lock of a process of this machine that has died is taken over at once, at
 * whatever moment it died: each process puts a claim beside the file before it takes the lock, and takes the claim away
 * after it has given the lock back.
 *
 * @param onLost told when the lock was lost all the same.
 * @returns the way to give it back
 * @throws the library's error with the code `ELOCKED` when another process has it
 */
export async function lockFile(
  path: string,
  options: Pick<LockOptions, 'stale' | 'retries'>,
  onLost: () => void,
): Promise<() => Promise<void>> {
  freeFromTheDead(path);
  const claim = `${path}${CLAIM}${process.pid}-${randomBytes(4).toString('hex')}-${machine()}`;
  writeFileSync(claim, '', { mode: 0o600 });
  try {
    const release = await lock(path, { ...options, onCompromised: onLost });
    return async () => {
      await release().catch(() => undefined);
      rmSync(claim, { force: true });
    };
  } catch (error) {
    rmSync(claim, { force: true });
    throw error;
  }
}

/** `journal.jsonl.claim-4711-0badcafe-laptop`: all in the name, so that a kill cannot leave half of it. */
const CLAIM = '.claim-';

/** Several machines may have the folder: a number of a process says nothing without its machine. */
const machine = (): string => encodeURIComponent(hostname());

/** Removes a lock that only dead processes can have. One process at a time does it, and looks again when it is its turn. */
function freeFromTheDead(path: string): void {
  if (claimsOfTheDead(path).length === 0) return;
  const turn = `${path}.taking-over`;
  try {
    mkdirSync(turn);
  } catch {
    // Somebody else does it, or died while doing it: then the lock goes stale by itself.
    return;
  }
  try {
    const claims = claimsOfTheDead(path);
    if (claims.length === 0) return;
    rmSync(`${path}.lock`, { recursive: true, force: true });
    for (const claim of claims) rmSync(claim, { force: true });
  } finally {
    rmdirSync(turn);
  }
}

/** The claims on a file, where all of them are of processes that have died; none where a single one may live. */
function claimsOfTheDead(path: string): readonly string[] {
  const prefix = `${basename(path)}${CLAIM}`;
  let names: readonly string[];
  try {
    names = readdirSync(dirname(path)).filter((name) => name.startsWith(prefix));
  } catch {
    return [];
  }
  const claims = names.map((name) => join(dirname(path), name));
  return claims.every(isOfTheDead) ? claims : [];
}

function isOfTheDead(claim: string): boolean {
  const [, pid, where] = /\.claim-(\d+)-[0-9a-f]{8}-(.*)$/.exec(claim) ?? [];
  if (pid === undefined || where !== machine()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    // Another user's process is alive, though it takes no signal of ours.
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
