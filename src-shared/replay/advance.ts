import type { Fold } from '../timeline/axis.ts';
import { foldAt } from './gaps.ts';

export const SPEEDS: readonly number[] = [0.1, 0.25, 0.5, 1, 2, 5, 10, 25, 50, 100];

/** A folded gap takes at most this long to pass, at any speed. */
export const GAP_MS = 400;

/**
 * Where the playhead stands after `real` ms of play. What the chart folds is passed in `GAP_MS`, as nothing can be seen
 * in it; a gap that was unfolded is played like the rest.
 */
export function advance(t: number, real: number, speed: number, folds: readonly Fold[]): number {
  let at = t;
  let left = real;
  while (left > 0) {
    const { gap, until } = foldAt(folds, at);
    const rate = gap === undefined ? speed : Math.max(speed, (gap.until - gap.from) / GAP_MS);
    const room = (until - at) / rate;
    if (room >= left) return at + left * rate;
    at = until;
    left -= room;
  }
  return at;
}
