import type { SessionState } from '../session/state.ts';

/** A copy to keep. Its index is left out: it is the largest part, and follows from the calls. */
export type Snapshot = Omit<SessionState, 'callIndex'>;

/**
 * Copies a state so that both grow apart. Entries of the collections are shared, as they are replaced and never changed.
 * What `apply` appends to in place (calls of batches, blocks of messages, times of blocks) is frozen: whichever of the
 * two states goes on with it takes a copy.
 */
export function copyWithoutIndex(state: Snapshot): Snapshot {
  const { callIndex: _, ...rest } = state as SessionState;
  for (const { blockTimes } of state.requests) Object.freeze(blockTimes);
  for (const entry of state.entries) if (entry.kind === 'assistant') Object.freeze(entry.blocks);
  for (const { callIds } of state.batches) Object.freeze(callIds);
  return {
    ...rest,
    settingsLog: [...state.settingsLog],
    prompts: [...state.prompts],
    asides: [...state.asides],
    calls: [...state.calls],
    turns: [...state.turns],
    requests: [...state.requests],
    entries: [...state.entries],
    agents: [...state.agents],
    batches: [...state.batches],
    cascades: [...state.cascades],
    hookRuns: [...state.hookRuns],
    shells: [...state.shells],
    todoLists: [...state.todoLists],
    interrupts: [...state.interrupts],
    compactions: [...state.compactions],
    folders: [...state.folders],
    seenFiles: [...state.seenFiles],
    stops: [...state.stops],
  };
}

/** Where each call stands in the list. */
export function indexOf({ calls }: Pick<SessionState, 'calls'>): Record<string, number> {
  const index = Object.create(null) as Record<string, number>;
  for (let at = 0; at < calls.length; at++) index[(calls[at] as { readonly callId: string }).callId] = at;
  return index;
}
