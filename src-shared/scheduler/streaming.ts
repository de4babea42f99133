import type { Policy } from './policy.ts';
import { type Entry, idOf, inCallOrder, type State } from './state.ts';

/** The setting `streaming.startUnsafe` keeps unsafe calls back until the message has ended well (spec 1.9). */
const isKeptBack = (state: State, entry: Entry): boolean =>
  !entry.call.safe && state.messageEnd === undefined && state.options.startUnsafe === 'after-message';

/** The queued call that goes first: nothing overtakes an unsafe call, and an unsafe one overtakes nothing. */
function callAhead(state: State, entry: Entry): Entry | undefined {
  if (entry.index === state.head) return undefined;
  if (!entry.call.safe) return state.entries[entry.index - 1];
  return state.lastUnsafe?.phase === 'queued' ? state.lastUnsafe : undefined;
}

/**
 * The default: a call starts as soon as it has arrived and nothing is executing, or it is safe and everything executing
 * is (spec 1.4). Groups are what really ran at once: one opens when a call starts while nothing executes.
 */
export const streaming: Policy = {
  mayStart: (state, first) =>
    (state.running.size === 0 || (first.call.safe && state.exclusive === undefined)) && !isKeptBack(state, first),

  groupFor: (state, entry) =>
    state.group ?? { id: state.options.newBatchId(), kind: entry.call.safe ? 'safe' : 'exclusive' },

  groupIsOver: () => true,

  whyWaits(state, entry) {
    if (callAhead(state, entry) !== undefined) return 'order';
    if (isKeptBack(state, entry)) return 'settings';
    const mayRunBeside = state.running.size === 0 || (entry.call.safe && state.exclusive === undefined);
    return mayRunBeside ? undefined : 'lock';
  },

  holders(state, entry, why) {
    const ahead = callAhead(state, entry);
    if (ahead !== undefined) return [idOf(ahead)];
    return why === 'lock' ? state.running.occupants().sort(inCallOrder).map(idOf) : [];
  },

  waitsLike: (first, other) => first.call.safe && other.call.safe,
};
