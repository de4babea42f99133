import type { CallId } from '../ids.ts';
import { partition } from './partition.ts';
import type { Policy } from './policy.ts';
import type { Entry, Group, State } from './state.ts';
import type { Decision } from './types.ts';

/** Cuts the queued calls into batches. Calls cancelled while the message was open belong to none. */
function plan(state: State, out: Decision[]): void {
  const queued = state.entries.slice(state.head).filter((entry) => entry.phase === 'queued');
  const parts = partition(queued.map((entry) => entry.call));
  let before: readonly CallId[] | undefined;
  let next = 0;
  for (const { kind, calls } of parts) {
    const group: Group = { id: state.options.newBatchId(), kind, before };
    const callIds = calls.map((call) => call.callId);
    for (const end = next + calls.length; next < end; next += 1) (queued[next] as Entry).group = group;
    out.push({ type: 'batch-planned', batchId: group.id, kind, callIds });
    before = callIds;
  }
}

/** Waits for the whole message, cuts it into batches and runs one after the other (spec 1.4). */
export const batch: Policy = {
  mayStart: (state, first) => first.group !== undefined && (state.running.size === 0 || first.group === state.group),

  groupFor: (_state, entry) => entry.group as Group,

  // With one lane, or in the debugger, nothing may be executing in the middle of a batch.
  groupIsOver: (state) => state.entries[state.head]?.group !== state.group,

  whyWaits(state, entry) {
    if (entry.group === undefined) return 'message-open';
    // With nothing running no batch is before that of the first in the queue, even if the debugger keeps it from opening.
    const current = state.running.size > 0 ? state.group : state.entries[state.head]?.group;
    return entry.group === current ? undefined : 'batch';
  },

  holders: (_state, entry, why) => (why === 'batch' ? (entry.group?.before ?? []) : []),

  waitsLike: (first, other) => first.group === other.group,

  plan,
};
