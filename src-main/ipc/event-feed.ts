import type { SessionId } from '../../src-shared/ids.ts';
import type { SessionEvent } from '../../src-shared/session/event.ts';
import { millis } from '../../src-shared/units.ts';
import type { Clock } from '../ports/clock.ts';

const FRAME_MS = 16;
/** More than this in one message would hold up a frame of the renderer; the rest follows with the next one. */
const MOST_EVENTS_PER_MESSAGE = 1_000;

export type SendEvents = (sessionId: SessionId, events: readonly SessionEvent[]) => void;

/** Sends the events of attached sessions to one window: at most one message per frame and session (spec 4.5). */
export class EventFeed {
  readonly #clock: Clock;
  readonly #send: SendEvents;
  readonly #waiting = new Map<SessionId, SessionEvent[]>();
  #scheduled = false;

  constructor(deps: { readonly clock: Clock; readonly send: SendEvents }) {
    this.#clock = deps.clock;
    this.#send = deps.send;
  }

  attach(sessionId: SessionId): void {
    if (!this.#waiting.has(sessionId)) this.#waiting.set(sessionId, []);
  }

  detach(sessionId: SessionId): void {
    this.#waiting.delete(sessionId);
  }

  /** The page was reloaded: it attaches anew to what it shows. */
  detachAll(): void {
    this.#waiting.clear();
  }

  take(sessionId: SessionId, events: readonly SessionEvent[]): void {
    const waiting = this.#waiting.get(sessionId);
    if (waiting === undefined) return;
    for (const event of events) waiting.push(event);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#clock.schedule(millis(FRAME_MS), () => {
      this.#scheduled = false;
      for (const [sessionId, waiting] of this.#waiting) {
        if (waiting.length === 0) continue;
        this.#send(sessionId, waiting.splice(0, MOST_EVENTS_PER_MESSAGE));
        if (waiting.length > 0) this.#schedule();
      }
    });
  }
}
