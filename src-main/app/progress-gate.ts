import type { Clock } from '../ports/clock.ts';

/**
 * Lets ten progress events a second through at first, one a second after three seconds of them and one every five
 * seconds later, so that an hour of output does not fill the journal.
 */
export function progressGate({ clock }: { readonly clock: Pick<Clock, 'monotonic'> }): () => boolean {
  let count = 0;
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    const now = clock.monotonic();
    const gap = count < 30 ? 100 : count < 90 ? 1_000 : 5_000;
    if (now - last < gap) return false;
    count++;
    last = now;
    return true;
  };
}
