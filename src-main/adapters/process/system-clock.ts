import { instant, type Millis, millis } from '../../../src-shared/units.ts';
import type { Clock } from '../../ports/clock.ts';

/** The machine's own clocks. */
export const systemClock: Clock = {
  now: () => instant(Date.now()),
  monotonic: () => millis(performance.now()),
  schedule: (wait, callback) => {
    const timer = setTimeout(callback, wait);
    return { dispose: () => clearTimeout(timer) };
  },
};

export const pause = (clock: Clock, wait: Millis): Promise<void> =>
  new Promise((resolve) => {
    clock.schedule(wait, resolve);
  });
