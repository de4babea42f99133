import type { Policy } from './policy.ts';
import { type Entry, idOf, type State } from './state.ts';

/** The call that must be over first: the queued one right before, or for the first of the queue the running one. */
const callBefore = (state: State, entry: Entry): Entry | undefined =>
  entry.index === state.head ? state.running.occupants(1)[0] : state.entries[entry.index - 1];

/** One call after the other, each from the moment it has arrived (spec 1.4). */
export const serial: Policy = {
  mayStart: (state) => state.running.size === 0,

  groupFor: (state) => ({ id: state.options.newBatchId(), kind: 'exclusive' }),

  groupIsOver: () => true,

  whyWaits: (state, entry) => (callBefore(state, entry) === undefined ? undefined : 'order'),

  holders(state, entry) {
    const before = callBefore(state, entry);
    return before === undefined ? [] : [idOf(before)];
  },

  waitsLike: () => false,
};
