import type { SessionState } from '../../src-shared/session/state.ts';
import { conversationRows, type Row, type RowOptions } from './rows.ts';

const isSame = (before: readonly unknown[], now: readonly unknown[]): boolean =>
  before.length === now.length && now.every((item, at) => item === before[at]);

/**
 * Keeps the rows of a session as long as nothing they are made of has changed. Most news of a running session (progress,
 * stages, processes) change no row, and making the rows of 100,000 calls takes longer than a frame.
 */
export class RowBook {
  private lists: readonly (readonly unknown[])[] = [];
  private rows: readonly Row[] = [];

  rowsOf(state: SessionState, options: RowOptions): readonly Row[] {
    const lists = [state.entries, state.agents, state.requests, state.turns, factsOf(state, options)];
    if (this.lists.length === lists.length && lists.every((list, at) => isSame(this.lists[at] ?? [], list))) {
      return this.rows;
    }
    // The lists of the state grow in place: what they hold now is kept, not the lists themselves.
    this.lists = lists.map((list) => [...list]);
    this.rows = conversationRows(state, options);
    return this.rows;
  }
}

/** What else decides about rows. With a set every call does: it may fit, or not any more. */
const factsOf = (state: SessionState, { openAgents, calls }: RowOptions): readonly unknown[] => [
  openAgents,
  calls,
  state.calls.length,
  state.compactions.length,
  state.history,
  state.interrupts.length,
  state.stops.length,
  state.ended,
  state.followed,
  ...(typeof calls === 'string' ? [] : state.calls.map((_, index) => calls.has(index))),
];
