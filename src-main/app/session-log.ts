import type { Disposable } from '../../src-shared/disposable.ts';
import type { EventFacts, SessionEvent } from '../../src-shared/session/event.ts';
import { apply, emptySession, type SessionState } from '../../src-shared/session/state.ts';
import { millis, type SessionTime, sessionTime } from '../../src-shared/units.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventStore } from '../ports/event-log.ts';

export type LogListener = (events: readonly SessionEvent[]) => void;

const RETRY_MS = 2_000;

/**
 * The one place where a session's events get their number and time, are written, folded, and told to listeners, in
 * this order: nobody sees an event that is not on disk.
 *
 * Lines that belong to one step are written together: `append` collects, and a microtask writes. Before an effect that
 * others can see (a process, a question, a request) `flush` writes at once.
 *
 * When the store refuses a write, the session pauses (spec 4.1): events are kept in memory, nobody is told of them, and
 * whoever is about to have an effect waits for `whenWritten`. The write is tried again every two seconds.
 */
export class SessionLog {
  readonly state: SessionState = emptySession();
  readonly #events: SessionEvent[] = [];
  /** How many of them are in the store. */
  #written = 0;
  readonly #store: EventStore;
  readonly #clock: Clock;
  readonly #onFailure: (error: Error) => void;
  readonly #listeners = new Set<LogListener>();
  #untold: (readonly SessionEvent[])[] = [];
  #telling = false;
  #flushQueued = false;
  #syncOwed = false;
  #closed = false;
  /** Session time at `#monotonicStart`. */
  readonly #base: SessionTime;
  readonly #monotonicStart: number;
  #failure: { readonly error: Error; readonly since: SessionTime } | undefined;
  #retry: Disposable | undefined;
  #waiting: (() => void)[] = [];

  /**
   * @param past events already in the store, oldest first; the session's clock goes on where they end.
   * @param onFailure told once when the store begins to refuse writes.
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
    for (const [seq, event] of (deps.past ?? []).entries()) {
      // A line that could not be read leaves a gap. Numbers are places in the list, so they are given anew.
      const numbered = event.seq === seq ? event : { ...event, seq };
      apply(this.state, numbered);
      this.#events.push(numbered);
    }
    this.#written = this.#events.length;
    const last = this.#events.at(-1);
    // Time in which the app was closed counts as passed, but a wall clock that was set back never turns time round.
    const passed = last === undefined ? 0 : Math.max(0, deps.clock.now() - last.at);
    this.#base = sessionTime(this.state.now + passed);
  }

  get now(): SessionTime {
    const t = this.#base + (this.#clock.monotonic() - this.#monotonicStart);
    return sessionTime(Math.round(t * 1000) / 1000);
  }

  /** All events that are in the store, oldest first; the place of each is its `seq`. */
  get events(): readonly SessionEvent[] {
    return this.#written === this.#events.length ? this.#events : this.#events.slice(0, this.#written);
  }

  /** The store refuses writes; the session is paused. */
  get failed(): boolean {
    return this.#failure !== undefined;
  }

  /** Adds one event. News that comes after the session was closed, of a call that was given up, is nobody's any more. */
  append(facts: EventFacts): void {
    if (this.#closed) return;
    const event = { seq: this.#events.length, at: this.#clock.now(), t: this.now, ...facts } as SessionEvent;
    this.#events.push(event);
    apply(this.state, event);
    if (this.#flushQueued) return;
    this.#flushQueued = true;
    queueMicrotask(() => this.flush());
  }

  /** Writes what was appended and tells the listeners. Called before every effect others can see. */
  flush(): void {
    this.#flushQueued = false;
    if (this.#failure !== undefined || this.#closed) return;
    try {
      this.#write();
    } catch (error) {
      this.#pause(error);
    }
  }

  /** Like `flush`, and waits until the disk has it: at message boundaries and before an exclusive call. */
  sync(): void {
    if (this.#closed) return;
    this.#syncOwed = true;
    this.flush();
  }

  /**
   * Settles when everything appended so far is written: at once, or during a pause when the store works again. Ends
   * early when the signal is aborted or the log closed, so what follows looks at its own signal first.
   */
  whenWritten(signal: AbortSignal): Promise<void> {
    this.flush();
    if (!this.failed || signal.aborted || this.#closed) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        signal.removeEventListener('abort', done);
        this.#waiting = this.#waiting.filter((other) => other !== done);
        resolve();
      };
      this.#waiting.push(done);
      signal.addEventListener('abort', done, { once: true });
    });
  }

  /** Listens to events as they become durable. */
  onEvents(listener: LogListener): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  /** Writes what is left, with a last try during a pause. Returns whether all of it is on disk. */
  close(): boolean {
    if (this.#closed) return !this.failed;
    this.#syncOwed = true;
    this.#tryAgain();
    this.flush();
    this.#retry?.dispose();
    this.#closed = true;
    this.#store.close();
    this.#release();
    return !this.failed;
  }

  #write(): void {
    const events = this.#events.slice(this.#written);
    if (events.length > 0) {
      this.#store.write(events);
      this.#written = this.#events.length;
      this.#untold.push(events);
      this.#tell();
    }
    if (!this.#syncOwed) return;
    this.#store.sync();
    this.#syncOwed = false;
  }

  /** In the order of writing, also when a listener appends and flushes while it is told. */
  #tell(): void {
    if (this.#telling) return;
    this.#telling = true;
    for (let events = this.#untold.shift(); events !== undefined; events = this.#untold.shift()) {
      for (const listener of [...this.#listeners]) {
        try {
          listener(events);
        } catch (error) {
          // A bug of a listener is reported as one; the session does not stand still for it.
          queueMicrotask(() => {
            throw error;
          });
        }
      }
    }
    this.#telling = false;
  }

  #pause(cause: unknown): void {
    const error = cause instanceof Error ? cause : new Error(String(cause));
    this.#failure = { error, since: this.now };
    this.#tryAgainLater();
    this.#onFailure(error);
  }

  #tryAgainLater(): void {
    this.#retry = this.#clock.schedule(millis(RETRY_MS), () => this.#tryAgain());
  }

  #tryAgain(): void {
    const failure = this.#failure;
    if (failure === undefined || this.#closed) return;
    this.#retry?.dispose();
    try {
      this.#write();
    } catch {
      this.#tryAgainLater();
      return;
    }
    this.#failure = undefined;
    const seconds = Math.max(1, Math.round((this.now - failure.since) / 1000));
    this.append({
      type: 'notice-given',
      level: 'warning',
      text: `The session was paused for ${seconds} s because its journal could not be written. Nothing is lost.`,
      detail: failure.error.message,
    });
    this.#release();
  }

  #release(): void {
    for (const done of [...this.#waiting]) done();
  }
}
