import type { SessionEvent } from '../session/event.ts';
import { type SessionTime, sessionTime } from '../units.ts';

/**
 * Positions and times. A position is a number of events that count; its time is the latest one any of them tells. Files
 * may tell of things later than they happened: then the order of events decides what was known, and time stands still.
 */
export class Moments {
  private readonly events: readonly SessionEvent[];
  /** Time of position i + 1. Never falls. */
  private readonly latest: number[] = [];

  /** The list may grow. */
  constructor(events: readonly SessionEvent[]) {
    this.events = events;
  }

  private catchUp(): void {
    for (let i = this.latest.length; i < this.events.length; i++) {
      this.latest.push(Math.max(this.latest[i - 1] ?? 0, (this.events[i] as SessionEvent).t));
    }
  }

  get length(): number {
    return this.events.length;
  }

  /** The time of a position; 0 before the first event. */
  timeOf(position: number): SessionTime {
    this.catchUp();
    return sessionTime(position <= 0 ? 0 : (this.latest[Math.min(position, this.latest.length) - 1] ?? 0));
  }

  /** How many events were known at a time: all up to the first that is later. */
  positionAt(t: number): number {
    this.catchUp();
    let low = 0;
    let high = this.latest.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.latest[middle] as number) <= t) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
