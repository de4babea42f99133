import type { Disposable } from '../../src-shared/disposable.ts';
import type { EventFacts, SessionEvent } from '../../src-shared/session/event.ts';
import { apply, emptySession, type SessionState } from '../../src-shared/session/state.ts';
import { type SessionTime, sessionTime } from '../../src-shared/units.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventStore } from '../ports/event-log.ts';

export type LogListener = (events: readonly SessionEvent[]) => void;

/**
 * The one place where a session's events get their number and time, are written, folded, and told to listeners, in
 * this order: nobody sees an event that is not on disk.
 *
 * Lines that belong to one step are written together: `append` collects, and a microtask writes. Before an effect that
 * others can see (a process, a question, a request) `flush` writes at once.
 */
export class SessionLog {
  readonly state: SessionState = emptySession();
  readonly events: SessionEvent[] = [];
  readonly #store: EventStore;
  readonly #clock: Clock;
  readonly #listeners = new Set<LogListener>();
  #unwritten: SessionEvent[] = [];
  #flushQueued = false;
  /** Session time at `#monotonicStart`. */
  #base: SessionTime;
  readonly #monotonicStart: number;
  #failure: Error | undefined;
  readonly #onFailure: (error: Error) => void;

  /**
   * @param past events already in the store, oldest first; the session's clock goes on where they end.
   * @param onFailure told once when the store refuses a write: the session must pause, nothing more is acknowledged.
   */
  constructor(deps: {
    readonly store: EventStore;
    readonly clock: Clock;
    readonly past?: readonly SessionEvent[];
    readonly onFailure?: (error: Error) => void;
  }) {
    this.#store = deps.store;
    this.#clock = deps.clock;
    this.#onFailure = deps.onFailure ?? (() => undefined);
    this.#monotonicStart = deps.clock.monotonic();
    for (const event of deps.past ?? []) {
      apply(this.state, event);
      this.events.push(event);
    }
    const last = this.events.at(-1);
    // Time in which the app was closed counts as passed, but a wall clock that was set back never turns time round.
    this.#base = last === undefined ? sessionTime(0) : sessionTime(last.t + Math.max(0, deps.clock.now() - last.at));
  }

  get now(): SessionTime {
    const t = this.#base + (this.#clock.monotonic() - this.#monotonicStart);
    return sessionTime(Math.round(t * 1000) / 1000);
  }

  /** Adds one event. Returns it with its number and time. */
  append(facts: EventFacts): SessionEvent {
    const event = { seq: this.events.length, at: this.#clock.now(), t: this.now, ...facts } as SessionEvent;
    this.events.push(event);
    apply(this.state, event);
    this.#unwritten.push(event);
    if (!this.#flushQueued) {
      this.#flushQueued = true;
      queueMicrotask(() => this.flush());
    }
    return event;
  }

  /** Writes what was appended and tells the listeners. Called before every effect others can see. */
  flush(): void {
    this.#flushQueued = false;
    if (this.#unwritten.length === 0 || this.#failure !== undefined) return;
    const events = this.#unwritten;
    try {
      this.#store.write(events);
    } catch (cause) {
      this.#failure = cause instanceof Error ? cause : new Error(String(cause));
      this.#onFailure(this.#failure);
      return;
    }
    this.#unwritten = [];
    for (const listener of this.#listeners) listener(events);
  }

  /** Like `flush`, and waits until the disk has it: at message boundaries and before an exclusive call. */
  sync(): void {
    this.flush();
    if (this.#failure === undefined) this.#store.sync();
  }

  /** Tries again after a failed write, keeping the order. */
  retryAfterFailure(): boolean {
    this.#failure = undefined;
    this.flush();
    return this.#failure === undefined;
  }

  get failed(): boolean {
    return this.#failure !== undefined;
  }

  /** Listens to events as they become durable. */
  onEvents(listener: LogListener): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  close(): void {
    this.sync();
    this.#store.close();
  }
}
