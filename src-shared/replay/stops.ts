import type { SessionEvent } from '../session/event.ts';

/** What a person can jump to. */
export type StopKind = 'wait' | 'cascade' | 'error' | 'permission' | 'saved';
export const STOP_KINDS: readonly StopKind[] = ['wait', 'cascade', 'error', 'permission', 'saved'];

function kindOf(event: SessionEvent): StopKind | undefined {
  switch (event.type) {
    case 'call-blocked':
      // Every call of the batch strategy waits for the end of its message; that is no news.
      return event.why === 'message-open' ? undefined : 'wait';
    case 'cascade-triggered':
      return 'cascade';
    case 'call-completed':
      return event.outcome === 'error' || event.outcome === 'denied' ? 'error' : undefined;
    case 'request-failed':
      return 'error';
    case 'permission-asked':
      return 'permission';
    case 'result-saved':
      return 'saved';
    default:
      return undefined;
  }
}

/**
 * Positions worth a stop, by kind, rising: right after the event that tells of them. Several of one kind at the same
 * moment are one stop, after the last of them. The list of events may grow.
 */
export class Stops {
  private readonly events: readonly SessionEvent[];
  private readonly found: Readonly<Record<StopKind, { readonly position: number; readonly t: number }[]>> = {
    wait: [],
    cascade: [],
    error: [],
    permission: [],
    saved: [],
  };
  private seen = 0;

  constructor(events: readonly SessionEvent[]) {
    this.events = events;
  }

  private of(kind: StopKind): readonly { readonly position: number }[] {
    for (; this.seen < this.events.length; this.seen++) {
      const event = this.events[this.seen] as SessionEvent;
      const its = kindOf(event);
      if (its === undefined) continue;
      const list = this.found[its];
      if (list.at(-1)?.t === event.t) list.pop();
      list.push({ position: this.seen + 1, t: event.t });
    }
    return this.found[kind];
  }

  /** The first stop after a position, or undefined. */
  next(kind: StopKind, position: number): number | undefined {
    return this.of(kind).find((stop) => stop.position > position)?.position;
  }

  /** The last stop before a position, or undefined. */
  previous(kind: StopKind, position: number): number | undefined {
    return this.of(kind).findLast((stop) => stop.position < position)?.position;
  }
}
