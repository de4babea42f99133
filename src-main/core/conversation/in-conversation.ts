import { lastCompaction } from '../../../src-shared/history/state.ts';
import type { AgentId, CallId } from '../../../src-shared/ids.ts';
import type { AssistantMessage, SessionState, UserMessage } from '../../../src-shared/session/state.ts';

export type Said = UserMessage | AssistantMessage;

/** What an agent's conversation holds word for word: all of it, or what came after the part that a summary stands for. */
export function inConversation(state: SessionState, agentId: AgentId): readonly Said[] {
  const said = state.entries.filter((entry): entry is Said => entry.kind !== 'notice' && entry.agentId === agentId);
  return said.slice(lastCompaction(state, agentId)?.entriesBefore ?? 0);
}

/** The calls whose results the agent can read in its conversation: what a reference may point to (spec 2.8). */
export const callsInConversation = (state: SessionState, agentId: AgentId): ReadonlySet<CallId> =>
  new Set(inConversation(state, agentId).flatMap(callsOf));

/** The calls of a message; none of one that was thrown away. */
export const callsOf = (entry: Said): readonly CallId[] =>
  entry.kind === 'user' || entry.discarded
    ? []
    : entry.blocks.flatMap((block) => (block.kind === 'tool-use' ? [block.callId] : []));
