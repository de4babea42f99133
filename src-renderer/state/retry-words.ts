import type { RetryWait } from '../../src-shared/session/retry.ts';
import { formatMillis } from '../../src-shared/timeline/words.ts';

/** `Trying again in 4.2 s.`, and once the time is over what comes then. */
export function retryWords({ until }: RetryWait, now: number): string {
  return until > now ? `Trying again in ${formatMillis(until - now)}.` : 'Trying again.';
}
