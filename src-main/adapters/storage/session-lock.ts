import { mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { lock } from 'proper-lockfile';
import { FailureError } from '../../../src-shared/failure.ts';
import type { SessionId } from '../../../src-shared/ids.ts';

/** A lock that was not renewed for this long belongs to a process that is gone. */
const STALE_LOCK_MS = 10_000;

/**
 * Two windows never write one session (spec 4.1). The lock of a process that has died is taken over at once, so that a
 * session can be opened right after a crash.
 *
 * @param onLost told when the lock was lost all the same, with a reason for a person.
 * @returns the way to give it back.
 */
export async function lockJournal(
  sessionId: SessionId,
  journalPath: string,
  onLost: (reason: Error) => void,
): Promise<() => Promise<void>> {
  freeFromTheDead(journalPath);
  try {
    const release = await lock(journalPath, {
      stale: STALE_LOCK_MS,
      retries: { retries: 3, minTimeout: 100 },
      onCompromised: () =>
        onLost(new Error('another window of Gantry has taken this session, or its folder was removed')),
    });
    writeFileSync(ownerOf(journalPath), String(process.pid), { mode: 0o600 });
    return () => release().catch(() => undefined);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ELOCKED') throw cause;
    throw new FailureError(
      {
        kind: 'locked',
        message: `The session ${sessionId} is open in another window of Gantry.`,
        hint: 'Close it there first.',
      },
      { cause },
    );
  }
}

/** Holds the id of the process that has the lock, or had it last. */
const ownerOf = (journalPath: string): string => `${journalPath}.owner`;

/**
 * Removes the lock of a dead process. Only one process at a time does it, and it puts itself down as owner before the
 * lock is gone: otherwise a second one could remove the lock that the first one has just taken.
 */
function freeFromTheDead(journalPath: string): void {
  if (!ownerIsDead(journalPath)) return;
  const turn = `${journalPath}.taking-over`;
  try {
    mkdirSync(turn);
  } catch {
    // Somebody else does it, or died while doing it: then the lock goes stale by itself.
    return;
  }
  try {
    if (!ownerIsDead(journalPath)) return;
    writeFileSync(ownerOf(journalPath), String(process.pid), { mode: 0o600 });
    rmSync(`${journalPath}.lock`, { recursive: true, force: true });
  } finally {
    rmdirSync(turn);
  }
}

function ownerIsDead(journalPath: string): boolean {
  let pid: number;
  try {
    pid = Number(readFileSync(ownerOf(journalPath), 'utf8'));
  } catch {
    return false;
  }
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // Another user's process is alive, though it takes no signal of ours.
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
