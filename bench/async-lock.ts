import { DEFAULT_CAP } from '../src-shared/session/settings.ts';

/** A call for the floor: the same start rule as a bare read-write lock over promises, and nothing else. */
export type LockedCall = { readonly safe: boolean; readonly work: () => Promise<unknown> };

/** Runs all, in order: safe ones beside each other, at most ten, and each unsafe one alone. */
export function throughLock(calls: readonly LockedCall[], cap = DEFAULT_CAP): Promise<void> {
  return new Promise((resolve) => {
    let head = 0;
    let running = 0;
    let exclusive = false;
    const ended = (): void => {
      running -= 1;
      exclusive = false;
      if (running === 0 && head === calls.length) resolve();
      else scan();
    };
    const scan = (): void => {
      while (head < calls.length && running < cap && !exclusive) {
        const call = calls[head] as LockedCall;
        if (!call.safe && running > 0) return;
        exclusive = !call.safe;
        head += 1;
        running += 1;
        void call.work().then(ended);
      }
    };
    if (calls.length === 0) resolve();
    else scan();
  });
}
