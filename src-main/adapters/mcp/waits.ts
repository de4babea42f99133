import { setMaxListeners } from 'node:events';
import type { Disposable } from '../../../src-shared/disposable.ts';
import { millis } from '../../../src-shared/units.ts';
import type { Clock } from '../../ports/clock.ts';

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A time that can be started anew. Its signal is aborted when it is over. */
export class Limit implements Disposable {
  readonly #controller = new AbortController();
  readonly #clock: Clock;
  readonly #ms: number;
  #timer: Disposable | undefined;

  constructor(clock: Clock, ms: number) {
    this.#clock = clock;
    this.#ms = Math.min(ms, LONGEST_TIMER_MS);
    this.restart();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  restart(): void {
    this.#timer?.dispose();
    this.#timer = this.#clock.schedule(millis(this.#ms), () => this.#controller.abort('timed out'));
  }

  dispose(): void {
    this.#timer?.dispose();
  }
}

/** A signal that is aborted with the first of several. Disposed of, it leaves no listener on signals that live longer. */
export class AnyOf implements Disposable {
  readonly #controller = new AbortController();
  readonly #signals: readonly AbortSignal[];
  readonly #stop: (event: Event) => void;

  constructor(...signals: readonly AbortSignal[]) {
    this.#signals = signals;
    // The SDK leaves a listener of every request on it; it does not live longer than they.
    setMaxListeners(0, this.#controller.signal);
    this.#stop = ({ target }) => this.#controller.abort((target as AbortSignal).reason);
    for (const signal of signals) {
      if (signal.aborted) this.#controller.abort(signal.reason);
      else signal.addEventListener('abort', this.#stop, { once: true });
    }
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  dispose(): void {
    for (const signal of this.#signals) signal.removeEventListener('abort', this.#stop);
  }
}

/** Settles like the work, or rejects with the signal: what is asked of others may never settle. */
export function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new Error('stopped', { cause: signal.reason }));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
