import { type AgentId, type CallId, MAIN_AGENT } from '../ids.ts';
import type { SessionState, Turn } from '../session/state.ts';
import { agentName } from '../timeline/agent-tree.ts';
import { mainTurns } from '../turns/turn-of.ts';

/** One of the two that are compared: a session, or one turn of it. */
export type Side = { readonly state: SessionState; readonly turn: Turn | undefined };

/** The `number`-th turn of the main agent, from 1; where it has none, as in files of a sub-agent alone, of any. */
export const turnByNumber = (state: SessionState, number: number): Turn | undefined => turnsOf(state)[number - 1];

export function turnsOf(state: SessionState): readonly Turn[] {
  const turns = mainTurns(state);
  return turns.length > 0 ? turns : state.turns;
}

/** When it begins and ends, in ms of its session. Whole sessions begin with their first turn. */
export function stretchOf({ state, turn }: Side): { readonly from: number; readonly until: number } {
  if (turn === undefined) return { from: turnsOf(state)[0]?.from ?? 0, until: state.now };
  return { from: turn.from, until: turn.end?.at ?? nextTurn(state, turn)?.from ?? state.now };
}

const nextTurn = (state: SessionState, turn: Turn): Turn | undefined => {
  const turns = turnsOf(state);
  return turns[turns.findIndex(({ turnId }) => turnId === turn.turnId) + 1];
};

/** Indices of the calls that were asked for in it, those of sub-agents among them, in the order of the session. */
export function callsIn({ state, turn }: Side): readonly number[] {
  const from = turn?.from ?? Number.NEGATIVE_INFINITY;
  const until = (turn === undefined ? undefined : nextTurn(state, turn)?.from) ?? Number.POSITIVE_INFINITY;
  const found: number[] = [];
  for (const [index, { queuedAt }] of state.calls.entries())
    if (queuedAt >= from && queuedAt < until) found.push(index);
  return found;
}

/**
 * Names agents so that the same one of two runs has the same name: by who started it, its name, and its place among
 * those of that name. Ids differ from run to run.
 */
export function agentPaths(side: Side): (agentId: AgentId) => string {
  const { state } = side;
  const mine = new Set(callsIn(side).map((index) => state.calls[index]?.callId));
  const paths = new Map<AgentId, string>([[MAIN_AGENT, '']]);
  const counts = new Map<string, number>();
  for (const agent of state.agents) {
    if (agent.agentId === MAIN_AGENT) continue;
    const isMine = agent.parentCallId === undefined || mine.has(agent.parentCallId as CallId);
    const parent = agent.parentCallId === undefined ? undefined : state.callIndex[agent.parentCallId];
    const around = parent === undefined ? '' : (paths.get(state.calls[parent]?.agentId as AgentId) ?? '');
    const name = `${around}>${agentName(agent)}`;
    const count = isMine ? (counts.get(name) ?? 0) + 1 : 0;
    if (isMine) counts.set(name, count);
    paths.set(agent.agentId, `${name}#${count}`);
  }
  return (agentId) => paths.get(agentId) ?? agentId;
}
