import { type AgentId, type CallId, MAIN_AGENT, type MessageId } from '../ids.ts';
import { callById, type SessionState } from '../session/state.ts';
import type { ToolCall } from '../tool-call/state.ts';

/** The calls of one request as a queue: what waits first, then what runs, what is done and what was handed over. */
export type QueueAt = {
  readonly agentId: AgentId;
  readonly messageId: MessageId;
  /** As the model track counts them, from 1 in each turn; undefined where the file tells of no requests. */
  readonly request: number | undefined;
  readonly calls: readonly ToolCall[];
};

const PHASES: readonly ToolCall['phase'][] = ['queued', 'executing', 'completed', 'yielded'];

/** A result of a broken attempt is never handed over: nothing of it is open any more. */
const isOpen = (call: ToolCall): boolean =>
  call.phase === 'queued' ||
  call.phase === 'executing' ||
  (call.phase === 'completed' && call.end.outcome !== 'discarded');

/** The newest call of an agent that fits. */
const newest = (
  { calls }: SessionState,
  agentId: AgentId | undefined,
  fits: (call: ToolCall) => boolean,
): ToolCall | undefined => calls.findLast((call) => (agentId === undefined || call.agentId === agentId) && fits(call));

const any = (): boolean => true;

/**
 * One call of the request that counts: of the agent whose call is selected, else of the main agent, the newest request
 * with a result that was not handed over; where all were, the selected call's own, else the agent's newest.
 */
function oneOfTheRequest(state: SessionState, selected: CallId | undefined): ToolCall | undefined {
  const chosen = selected === undefined ? undefined : callById(state, selected);
  const agentId = chosen?.agentId ?? MAIN_AGENT;
  // After the end nothing is open, whatever was not written down.
  const open = state.ended === undefined ? newest(state, agentId, isOpen) : undefined;
  return open ?? chosen ?? newest(state, agentId, any) ?? newest(state, undefined, any);
}

/** The queue at the state's moment; undefined while there has been no call. Each call of the request is there once. */
export function queueAt(state: SessionState, selected: CallId | undefined): QueueAt | undefined {
  const one = oneOfTheRequest(state, selected);
  if (one === undefined) return undefined;
  const { agentId, messageId } = one;
  const own = callsOf(state, one);
  return {
    agentId,
    messageId,
    request: requestNumber(state, messageId),
    calls: PHASES.flatMap((phase) => own.filter((call) => call.phase === phase)),
  };
}

/** The calls of the same message, in its order. */
export const callsOf = (state: SessionState, one: Pick<ToolCall, 'agentId' | 'messageId'>): readonly ToolCall[] =>
  state.calls
    .filter(({ agentId, messageId }) => messageId === one.messageId && agentId === one.agentId)
    .sort((a, b) => a.index - b.index);

/** Which request of its turn a message answers, counted as the model track counts: retries and summaries not. */
export function requestNumber({ requests }: SessionState, messageId: MessageId): number | undefined {
  const at = requests.findLastIndex((request) => request.messageId === messageId);
  const found = requests[at];
  if (found === undefined) return undefined;
  const before = requests
    .slice(0, at + 1)
    .filter(
      ({ turnId, agentId, attempt, purpose }) =>
        turnId === found.turnId && agentId === found.agentId && attempt <= 1 && purpose === undefined,
    );
  return Math.max(1, before.length);
}

/** Since when the call has been what it is now. */
export function since(call: ToolCall): number {
  switch (call.phase) {
    case 'queued':
      return call.queuedAt;
    case 'executing':
      return call.run.at;
    case 'completed':
      return call.end.at;
    case 'yielded':
      return call.yieldedAt;
  }
}
