import { type AgentId, type CallId, MAIN_AGENT } from '../ids.ts';
import { callById, type ModelRequest, type SessionState, type Turn } from '../session/state.ts';
import type { ToolCall } from '../tool-call/state.ts';
import type { SessionTime } from '../units.ts';

/** The newest turn of an agent that had begun by `t`, else its first. */
function turnAt(turns: readonly Turn[], agentId: AgentId, t: number): Turn | undefined {
  const own = turns.filter((turn) => turn.agentId === agentId);
  return own.findLast((turn) => turn.from <= t) ?? own[0];
}

/** The request whose answer held this call; undefined where the file tells of no requests. */
const requestOf = (state: SessionState, call: ToolCall): ModelRequest | undefined =>
  state.requests.findLast(({ messageId }) => messageId === call.messageId);

/**
 * The turn of a call (of the agent that made it: sub-agents have turns of their own), else the main agent's turn at a
 * time, else its newest. A time before the first turn gives the first one. Where the main agent has no turn, as in files
 * that hold a sub-agent alone, the newest of any agent.
 */
export function turnOf(
  state: SessionState,
  at: { readonly callId?: CallId; readonly t?: SessionTime },
): Turn | undefined {
  const call = at.callId === undefined ? undefined : callById(state, at.callId);
  if (call !== undefined) {
    const turnId = requestOf(state, call)?.turnId;
    const told = state.turns.find((turn) => turn.turnId === turnId && turn.agentId === call.agentId);
    const found = told ?? turnAt(state.turns, call.agentId, call.queuedAt);
    if (found !== undefined) return found;
  }
  return turnAt(state.turns, MAIN_AGENT, at.t ?? Number.POSITIVE_INFINITY) ?? state.turns.at(-1);
}

/** The main agent's turns, in order: "turn 3" is the third of these. */
export const mainTurns = (state: SessionState): readonly Turn[] =>
  state.turns.filter(({ agentId }) => agentId === MAIN_AGENT);

/** When the turn is over: at its end, at the begin of its agent's next turn, or at the end of what is known. */
export function endOfTurn(state: SessionState, turn: Turn): SessionTime {
  if (turn.end !== undefined) return turn.end.at;
  const next = state.turns.find(({ agentId, from }) => agentId === turn.agentId && from > turn.from);
  return next?.from ?? state.now;
}
