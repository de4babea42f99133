import type { Stretch } from '../../src-shared/chart/viewport.ts';

export const FRAMES = 200;
/** The deepest zoom shows about this many calls. */
const CALLS_SHOWN = 80;

/**
 * The stretch of time that a frame shows: all of the session, into it at two thirds, along it, half out again, along
 * it fast, and back to all of it.
 */
export function stretchAt(frame: number, until: number, calls: number): Stretch {
  const least = Math.min(1, CALLS_SHOWN / calls);
  const zoom = (share: number): number => least ** share;
  const at = (center: number, depth: number): Stretch => {
    const length = until * zoom(depth);
    const from = Math.max(0, Math.min(until - length, center * until - length / 2));
    return { from, until: from + length };
  };
  if (frame < 60) return at(0.66, frame / 59);
  if (frame < 110) return at(0.66 + (((frame - 60) / 50) * 4 * CALLS_SHOWN) / calls, 1);
  if (frame < 130) return at(0.66, 1 - ((frame - 110) / 20) * 0.5);
  if (frame < 170) return at(0.66 - ((frame - 130) / 40) * 0.3, 0.5);
  return at(0.36, 0.5 * (1 - (frame - 170) / 29));
}
