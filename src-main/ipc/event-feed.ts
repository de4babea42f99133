import type { SessionId } from '../../src-shared/ids.ts';
import type { SessionEvent } from '../../src-shared/session/event.ts';
import { millis } from '../../src-shared/units.ts';
import type { Clock } from '../ports/clock.ts';

const FRAME_MS = 16;
/** More than this in one message would hold up a frame of the renderer; the rest follows with the next one. */
const MOST_EVENTS_PER_MESSAGE = 1_000;
/** So many messages may be on the way before the page has said that it got one. */
const MOST_ON_THE_WAY = 4;
/** More than this is not kept for a page that does not keep up: it fetches what it missed when it can. */
const MOST_WAITING = 10_000;

export type SendEvents = (sessionId: SessionId, events: readonly SessionEvent[]) => void;

/** What waits to be sent of one session. `newest` stands for all that was let go because the page did not keep up. */
type Waiting = { events: SessionEvent[]; newest: SessionEvent | undefined; onTheWay: number };

/**
 * Sends the events of attached sessions to one window: at most one message per frame and session (spec 4.5). A page
 * that is slow is sent no more than it takes in: what it misses is let go, and the next message, whose numbers leave a
 * gap, makes it fetch the rest at its own pace.
 */
export class EventFeed {
  readonly #clock: Clock;
  readonly #send: SendEvents;
  readonly #sessions = new Map<SessionId, Waiting>();
  #scheduled = false;

  constructor(deps: { readonly clock: Clock; readonly send: SendEvents }) {
    this.#clock = deps.clock;
    this.#send = deps.send;
  }

  attach(sessionId: SessionId): void {
    if (!this.#sessions.has(sessionId)) this.#sessions.set(sessionId, { events: [], newest: undefined, onTheWay: 0 });
  }

  detach(sessionId: SessionId): void {
    this.#sessions.delete(sessionId);
  }

  /** The page was reloaded or has died: it attaches anew to what it shows. */
  detachAll(): void {
    this.#sessions.clear();
  }

  /** What waits is not true any more. @returns whether the window shows the session. */
  drop(sessionId: SessionId): boolean {
    const waiting = this.#sessions.get(sessionId);
    if (waiting === undefined) return false;
    waiting.events = [];
    waiting.newest = undefined;
    return true;
  }

  shows(sessionId: SessionId): boolean {
    return this.#sessions.has(sessionId);
  }

  take(sessionId: SessionId, events: readonly SessionEvent[]): void {
    const waiting = this.#sessions.get(sessionId);
    if (waiting === undefined || events.length === 0) return;
    if (waiting.newest !== undefined || waiting.events.length + events.length > MOST_WAITING) {
      waiting.events = [];
      waiting.newest = events.at(-1);
    } else {
      for (const event of events) waiting.events.push(event);
    }
    this.#schedule();
  }

  /** The page has got one message of this session. */
  received(sessionId: SessionId): void {
    const waiting = this.#sessions.get(sessionId);
    if (waiting === undefined || waiting.onTheWay === 0) return;
    waiting.onTheWay--;
    if (hasNews(waiting)) this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#clock.schedule(millis(FRAME_MS), () => {
      this.#scheduled = false;
      for (const [sessionId, waiting] of this.#sessions) this.#flush(sessionId, waiting);
    });
  }

  #flush(sessionId: SessionId, waiting: Waiting): void {
    // A page that takes nothing in wakes nobody: the next word from it does.
    if (!hasNews(waiting) || waiting.onTheWay >= MOST_ON_THE_WAY) return;
    const events = waiting.newest === undefined ? waiting.events.splice(0, MOST_EVENTS_PER_MESSAGE) : [waiting.newest];
    waiting.newest = undefined;
    waiting.onTheWay++;
    this.#send(sessionId, events);
    if (hasNews(waiting)) this.#schedule();
  }

  /** Events that are kept for the page right now, of all sessions. */
  get waiting(): number {
    let count = 0;
    for (const { events, newest } of this.#sessions.values()) count += events.length + (newest === undefined ? 0 : 1);
    return count;
  }
}

const hasNews = ({ events, newest }: Waiting): boolean => events.length > 0 || newest !== undefined;
