import type { Disposable } from '../../../src-shared/disposable.ts';
import { millis } from '../../../src-shared/units.ts';
import type { Clock } from '../../ports/clock.ts';

/** A server that sends nothing for so long has left. Just below the 300 s after which Node's fetch gives up by itself, without words. */
export const SILENCE_LIMIT_MS = 295_000;
/** How long the rest of a connection may take after its message has ended, before it is cut. */
const LAST_WORDS_MS = 5_000;

export type ConnectionDeps = {
  readonly clock: Pick<Clock, 'monotonic' | 'schedule'>;
  readonly fetch?: typeof globalThis.fetch;
};

/**
 * One request on the wire: stopped by the signal at once, and when the server falls silent. Every byte counts as a sign of
 * life, also those that the SDKs pass over (pings, comments).
 */
export class Connection implements Disposable {
  readonly #deps: ConnectionDeps;
  readonly #outer: AbortSignal;
  readonly #controller = new AbortController();
  #heardAt: number;
  #timer: Disposable | undefined;
  #isSilent = false;
  #isEnding = false;
  #refusal: string | undefined;
  #contentType = '';

  constructor(deps: ConnectionDeps, signal: AbortSignal) {
    this.#deps = deps;
    this.#outer = signal;
    this.#heardAt = deps.clock.monotonic();
    if (signal.aborted) this.#stop();
    else signal.addEventListener('abort', this.#stop, { once: true });
    this.#watch(SILENCE_LIMIT_MS);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The person, or whoever holds the signal, has stopped it. */
  get isStopped(): boolean {
    return this.#outer.aborted;
  }

  /** It was cut because nothing came any more. */
  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** The body of the last answer, where it had an error's status: the SDKs pass on only what is formed as they expect it. */
  get refusal(): string | undefined {
    return this.#refusal;
  }

  /** What the last answer that went well said it was: `text/event-stream`, `text/html`. Empty where it said nothing. */
  get contentType(): string {
    return this.#contentType;
  }

  /** What the SDK sends with. */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    this.#refusal = undefined;
    this.#contentType = '';
    const response = await (this.#deps.fetch ?? globalThis.fetch)(input, init);
    this.#hear();
    if (!response.ok) {
      this.#refusal = await response.text();
      return new Response(this.#refusal, response);
    }
    this.#contentType = response.headers.get('content-type') ?? '';
    const { body } = response;
    return body === null ? response : new Response(this.#heard(body), response);
  };

  /**
   * The message has ended: the few bytes behind it are read in the background, so that the connection can serve the next
   * request too.
   */
  letEnd(events: AsyncIterator<unknown>): void {
    this.#isEnding = true;
    this.#timer?.dispose();
    this.#timer = this.#deps.clock.schedule(millis(LAST_WORDS_MS), this.#stop);
    void this.#drain(events);
  }

  async #drain(events: AsyncIterator<unknown>): Promise<void> {
    try {
      while ((await events.next()).done !== true);
    } catch {
      // The message is whole; how its connection ends is of no interest.
    } finally {
      this.#timer?.dispose();
    }
  }

  /** Cuts the connection, unless it is ending by itself. */
  dispose(): void {
    this.#outer.removeEventListener('abort', this.#stop);
    if (this.#isEnding) return;
    this.#timer?.dispose();
    this.#controller.abort();
  }

  readonly #stop = (): void => {
    this.#timer?.dispose();
    this.#controller.abort();
  };

  #hear(): void {
    this.#heardAt = this.#deps.clock.monotonic();
  }

  /** One timer for the whole request, moved on when it fires: a stream has thousands of events. */
  #watch(ms: number): void {
    this.#timer = this.#deps.clock.schedule(millis(ms), () => {
      const left = this.#heardAt + SILENCE_LIMIT_MS - this.#deps.clock.monotonic();
      if (left > 0) return this.#watch(left);
      this.#isSilent = true;
      this.#controller.abort();
    });
  }

  #heard(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const { done, value } = await reader.read();
          this.#hear();
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: (reason) => reader.cancel(reason),
      },
      // Nothing is read ahead: a byte is handed on when it is asked for.
      { highWaterMark: 0 },
    );
  }
}
