import type { Clock } from '../../../ports/clock.ts';

/** How long a page counts as what it was, in ms. */
const FRESH_MS = 15 * 60_000;
const MOST_CHARACTERS = 20_000_000;

type Entry<T> = { readonly value: T; readonly size: number; readonly at: number };

/** What was fetched lately, by URL; the oldest goes when there is too much of it. */
export class PageCache<T> {
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry<T>>();
  #size = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get(url: string): T | undefined {
    const entry = this.#entries.get(url);
    if (entry === undefined) return undefined;
    if (this.#clock.monotonic() - entry.at <= FRESH_MS) return entry.value;
    this.#remove(url, entry);
    return undefined;
  }

  /** @param size in characters. */
  set(url: string, value: T, size: number): void {
    const before = this.#entries.get(url);
    if (before !== undefined) this.#remove(url, before);
    this.#entries.set(url, { value, size, at: this.#clock.monotonic() });
    this.#size += size;
    for (const [oldest, entry] of this.#entries) {
      if (this.#size <= MOST_CHARACTERS) break;
      this.#remove(oldest, entry);
    }
  }

  #remove(url: string, { size }: Entry<T>): void {
    this.#entries.delete(url);
    this.#size -= size;
  }
}
