import type { Disposable } from '../../src-shared/disposable.ts';
import type { Instant, Millis } from '../../src-shared/units.ts';

/** Time as the rest asks for it; tests move it by hand. */
export interface Clock {
  /** Wall clock. May jump. */
  now(): Instant;
  /** Milliseconds since some fixed moment, never backwards, with fraction. */
  monotonic(): Millis;
  /** Calls back once after `wait`. */
  schedule(wait: Millis, callback: () => void): Disposable;
}
