import type { EventOf, SessionEvent } from '../session/event.ts';
import { apply, emptySession, type SessionState } from '../session/state.ts';
import { copyWithoutIndex, indexOf, type Snapshot } from './copy-state.ts';

/** A copy of the state is kept after at least so many new events. */
const LEAST_DISTANCE = 48;
const MOST_KEPT = 24;
/** So many events at once are of a file that is being read, not of one that is being written. */
const MANY = 500;

type Kept = { readonly position: number; readonly snapshot: Snapshot };

/**
 * The events of a session of which the last ones may turn out to be others: one that another program writes, told as it is
 * read. What is appended costs only itself. Going back starts from a copy of the state that was taken on the way; what is
 * taken back lies near the end, so the copies do too.
 */
export class GrowingSession {
  /** Grows in place; another object once something in it has changed. */
  events: readonly SessionEvent[] = [];
  /** Grows in place; another object once something was taken back. */
  state: SessionState;
  #kept: Kept[] = [];

  constructor(events: readonly SessionEvent[] = [], state: SessionState = emptySession()) {
    this.events = events;
    this.state = state;
  }

  append(events: readonly SessionEvent[]): void {
    // Sessions of ours are never told anew.
    if (this.state.origin?.kind === 'imported') this.#keep(events.length);
    for (const event of events) {
      apply(this.state, event);
      (this.events as SessionEvent[]).push(event);
    }
  }

  /** Takes back all events behind the first `count`. */
  cut(count: number): void {
    if (count >= this.events.length) return;
    const { followed } = this.state;
    this.#kept = this.#kept.filter(({ position }) => position <= count);
    const kept = this.#kept.at(-1);
    const state: SessionState =
      kept === undefined ? emptySession() : { ...copyWithoutIndex(kept.snapshot), callIndex: indexOf(kept.snapshot) };
    for (let at = kept?.position ?? 0; at < count; at++) apply(state, this.events[at] as SessionEvent);
    state.followed = followed;
    this.events = this.events.slice(0, count);
    this.state = state;
  }

  /** Puts better tellings in the place of events with the same number: of a start's bounds, or of the title. */
  amend(events: readonly SessionEvent[]): void {
    if (events.length === 0) return;
    const all = [...this.events];
    let first = Number.POSITIVE_INFINITY;
    for (const event of events) {
      const before = all[event.seq];
      if (before === undefined) continue;
      all[event.seq] = event;
      first = Math.min(first, event.seq);
      if (event.type === 'call-started') amendStart(this.state, event);
      if (event.type === 'session-started' && before.type === 'session-started') amendTitle(this.state, before, event);
    }
    // Copies from before tell the old one.
    this.#kept = this.#kept.filter(({ position }) => position <= first);
    this.events = all;
  }

  #keep(coming: number): void {
    const position = this.events.length;
    // Copies cost as much as the session is long: with every piece of a large file they would cost more than reading it.
    const distance = coming < MANY ? LEAST_DISTANCE : Math.max(LEAST_DISTANCE, position / MOST_KEPT);
    if (position - (this.#kept.at(-1)?.position ?? 0) < distance) return;
    this.#kept.push({ position, snapshot: copyWithoutIndex(this.state) });
    // The oldest but every second one: what is far back is taken back seldom.
    if (this.#kept.length > MOST_KEPT) this.#kept = this.#kept.filter((_, at) => at % 2 === 1 || at > MOST_KEPT / 2);
  }
}

function amendStart(state: SessionState, event: EventOf<'call-started'>): void {
  const at = state.callIndex[event.callId];
  const call = at === undefined ? undefined : state.calls[at];
  if (at === undefined || call === undefined || !('run' in call) || call.run === undefined) return;
  state.calls[at] = { ...call, run: { ...call.run, timing: event.timing } };
}

/** Unless it was given another one since. */
function amendTitle(state: SessionState, before: EventOf<'session-started'>, now: EventOf<'session-started'>): void {
  if (state.title === before.title) state.title = now.title;
}
