import type { CallId } from '../ids.ts';
import type { BlockedBy } from '../tool-call/event.ts';
import type { Entry, Group, State } from './state.ts';
import type { Decision } from './types.ts';

/**
 * A strategy: pure answers about one state. Lanes, the debugger's hold and cancellation bind every strategy alike and are
 * not asked about here.
 */
export type Policy = {
  /** May the first queued call start now? */
  readonly mayStart: (state: State, first: Entry) => boolean;
  /** The group that a call which starts now belongs to: the open one, or one to be opened. */
  readonly groupFor: (state: State, entry: Entry) => Group;
  /** Nothing executes: is the open group over with that? */
  readonly groupIsOver: (state: State) => boolean;
  /**
   * Why a queued call waits; undefined if only for a lane or the hold. Asked about a call that has just been added, and
   * with every input about the first of the queue: O(1).
   */
  readonly whyWaits: (state: State, entry: Entry) => BlockedBy | undefined;
  /** Whom it waits for, given why. Asked only when it is going to be told. */
  readonly holders: (state: State, entry: Entry, why: BlockedBy) => readonly CallId[];
  /** Does a queued call wait for the same as the first of the queue, with only such calls between them? */
  readonly waitsLike: (first: Entry, other: Entry) => boolean;
  /** The message is complete: fixes the groups of the queued calls. */
  readonly plan?: (state: State, out: Decision[]) => void;
};
