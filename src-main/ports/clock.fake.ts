import { type Instant, instant, type Millis, millis } from '../../src-shared/units.ts';
import type { Clock } from './clock.ts';

type Timer = { readonly due: number; readonly order: number; readonly callback: () => void };

/** A clock that tests move by hand. Timers fire in the order in which they are due. */
export class ManualClock implements Clock {
  #now = 0;
  #order = 0;
  #timers: Timer[] = [];
  readonly #wallStart: number;

  constructor(wallStart = Date.UTC(2026, 0, 1)) {
    this.#wallStart = wallStart;
  }

  now(): Instant {
    return instant(this.#wallStart + this.#now);
  }

  monotonic(): Millis {
    return millis(this.#now);
  }

  schedule(wait: Millis, callback: () => void) {
    const timer = { due: this.#now + wait, order: this.#order++, callback };
    this.#timers.push(timer);
    return {
      dispose: () => {
        this.#timers = this.#timers.filter((other) => other !== timer);
      },
    };
  }

  /** Timers that have not fired yet. */
  get pending(): number {
    return this.#timers.length;
  }

  /** When the next timer is due, on the monotonic clock; undefined when there is none. */
  get nextDue(): number | undefined {
    return this.#timers.length === 0 ? undefined : Math.min(...this.#timers.map(({ due }) => due));
  }

  advance(by: Millis): void {
    const end = this.#now + by;
    for (;;) {
      const next = this.#timers
        .filter((timer) => timer.due <= end)
        .sort((a, b) => a.due - b.due || a.order - b.order)[0];
      if (next === undefined) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#now = Math.max(this.#now, next.due);
      next.callback();
    }
    this.#now = end;
  }
}
