import { FailureError } from '../../../src-shared/failure.ts';
import type { SessionId } from '../../../src-shared/ids.ts';
import { lockFile } from './process-lock.ts';

/** A lock that was not renewed for this long belongs to a process that is gone. */
const STALE_LOCK_MS = 10_000;

/**
 * Two windows never write one session (spec 4.1). A session can be opened right after a crash.
 *
 * @param onLost told when the lock was lost all the same, with a reason for a person.
 * @returns the way to give it back.
 */
export async function lockJournal(
  sessionId: SessionId,
  journalPath: string,
  onLost: (reason: Error) => void,
): Promise<() => Promise<void>> {
  try {
    return await lockFile(journalPath, { stale: STALE_LOCK_MS, retries: { retries: 3, minTimeout: 100 } }, () =>
      onLost(new Error('another window of Gantry has taken this session, or its folder was removed')),
    );
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
