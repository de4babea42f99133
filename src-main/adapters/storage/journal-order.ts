import { isDeepStrictEqual } from 'node:util';
import type { SessionEvent } from '../../../src-shared/session/event.ts';

/** What is odd about the place of a line. `line` is the one that it repeats. */
export type OddPlace =
  | { readonly kind: 'missing'; readonly count: number }
  | { readonly kind: 'repeated'; readonly line: number }
  | { readonly kind: 'misplaced' };

type Known = { readonly event: SessionEvent; readonly line: number };

/**
 * Follows the numbers of a journal's lines, so that lines that are gone without a trace are noticed. A line that cannot be
 * read stands for one number, or for none when it was no event. Whoever opens a journal counts anew from the lines that
 * could be read, and says so with `session-resumed`; from there on numbers may be lower than before.
 */
export class JournalOrder {
  readonly #known: Known[] = [];
  /** The number that the next event should have, and how many lines since the last one could not be read. */
  #next = 0;
  #unreadable = 0;

  unreadable(): void {
    this.#unreadable++;
  }

  /** Takes the next event, with the number that stands in its line. An event that repeats another one is not counted. */
  take(event: SessionEvent, line: number): OddPlace | undefined {
    const { seq } = event;
    const first = seq < this.#next ? this.#lineOf(event) : undefined;
    if (first !== undefined) return { kind: 'repeated', line: first };
    this.#known.push({ event, line });
    const isBehind = seq < this.#next && event.type !== 'session-resumed';
    if (isBehind) return { kind: 'misplaced' };
    const count = seq - this.#next - this.#unreadable;
    this.#next = seq + 1;
    this.#unreadable = 0;
    return count > 0 ? { kind: 'missing', count } : undefined;
  }

  #lineOf(event: SessionEvent): number | undefined {
    return this.#known.findLast((known) => known.event.seq === event.seq && isDeepStrictEqual(known.event, event))
      ?.line;
  }
}
