import type { EventFacts, SessionEvent } from '../../../src-shared/session/event.ts';
import { instant, sessionTime } from '../../../src-shared/units.ts';

/** Where an event belongs: wall time in ms, then the order of the lines it comes from. */
export type EventMoment = { readonly at: number; readonly ord: number };

type Listed = EventMoment & { readonly rank: number; readonly index: number; readonly facts: EventFacts };

/**
 * Gathers the events of an imported session in any order and gives them out in order of time. Events of one moment go by
 * the order of their lines, then by `rank` (what is the cause of what), then as they were added.
 */
export class EventList {
  readonly #listed: Listed[] = [];

  add(moment: EventMoment, rank: number, facts: EventFacts): void {
    this.#listed.push({ at: moment.at, ord: moment.ord, rank, index: this.#listed.length, facts });
  }

  /** Time of the last event so far. */
  get lastAt(): number {
    return this.#listed.reduce((last, one) => Math.max(last, one.at), Number.NEGATIVE_INFINITY);
  }

  /** The events, counted from 0. `zero`: wall time of the session's start; nothing lies before it. */
  stamped(zero: number): SessionEvent[] {
    this.#listed.sort((a, b) => a.at - b.at || a.ord - b.ord || a.rank - b.rank || a.index - b.index);
    return this.#listed.map(({ at, facts }, seq) => {
      const t = Math.max(0, at - zero);
      return { seq, at: instant(zero + t), t: sessionTime(t), ...facts } as SessionEvent;
    });
  }
}
