import type { Batch, Entry, ModelRequest, SessionState } from '../session/state.ts';

/** A copy to keep. Its index is left out: it is the largest part, and follows from the calls. */
export type Snapshot = Omit<SessionState, 'callIndex'>;

/**
 * Copies a state so that both grow apart. Entries of the collections are shared, as they are replaced and never changed;
 * except what `apply` appends to in place: calls of batches, blocks of messages, times of blocks.
 */
export function copyWithoutIndex(state: Snapshot): Snapshot {
  const { callIndex: _, ...rest } = state as SessionState;
  return {
    ...rest,
    settingsLog: [...state.settingsLog],
    prompts: [...state.prompts],
    asides: [...state.asides],
    calls: [...state.calls],
    turns: [...state.turns],
    requests: state.requests.map(copyRequest),
    entries: state.entries.map(copyEntry),
    agents: [...state.agents],
    batches: state.batches.map(copyBatch),
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

const copyRequest = (request: ModelRequest): ModelRequest => ({ ...request, blockTimes: [...request.blockTimes] });
const copyBatch = (batch: Batch): Batch => ({ ...batch, callIds: [...batch.callIds] });
const copyEntry = (entry: Entry): Entry =>
  entry.kind === 'assistant' ? { ...entry, blocks: [...entry.blocks] } : entry;

/** Where each call stands in the list. */
export function indexOf({ calls }: Pick<SessionState, 'calls'>): Record<string, number> {
  const index = Object.create(null) as Record<string, number>;
  for (let at = 0; at < calls.length; at++) index[(calls[at] as { readonly callId: string }).callId] = at;
  return index;
}
