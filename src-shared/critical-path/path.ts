import type { AgentId, CallId, RequestId } from '../ids.ts';
import type { SessionState, Turn } from '../session/state.ts';
import { endOfTurn } from '../turns/turn-of.ts';
import { TurnItems } from './items.ts';
import { Walk } from './walk.ts';

/**
 * Who was responsible for a stretch of the path. `human`: a question, a breakpoint or a held queue; `lock`: a call
 * waited for others and nobody is known who worked meanwhile; `other`: the program itself, a wait before a further try,
 * what was not recorded.
 */
export const PATH_KINDS = ['model', 'tool', 'human', 'hook', 'lock', 'other'] as const;
export type PathKind = (typeof PATH_KINDS)[number];

/** Where the thing stands on the chart: the model's row, the bar in its lane, the wait in the queue, or nowhere. */
export type PathPlace = 'model' | 'lane' | 'queue' | 'none';

export type PathSegment = {
  readonly from: number;
  readonly until: number;
  readonly kind: PathKind;
  readonly place: PathPlace;
  /** Whose row it lies in. */
  readonly agentId: AgentId;
  readonly callId: CallId | undefined;
  readonly requestId: RequestId | undefined;
};

/** The chain that decided how long a turn took. `segments` tile `from … until`, oldest first, in ms of session time. */
export type CriticalPath = {
  readonly turnId: Turn['turnId'];
  readonly from: number;
  readonly until: number;
  readonly segments: readonly PathSegment[];
};

/**
 * The critical path of a turn: from its end back to its start, each time to what had to end before the next thing could
 * begin. A call that waited leads to the call it waited for, an `Agent` call to the turn inside it. Of a turn that still
 * goes on: up to the session's newest event. Linear in what the turn holds, apart from sorting it once.
 */
export function criticalPath(state: SessionState, turn: Turn): CriticalPath {
  const from = turn.from;
  const until = Math.max(from, endOfTurn(state, turn));
  const walk = new Walk(new TurnItems(state, from, until), from, until);
  walk.agent(turn.agentId, from, undefined);
  return { turnId: turn.turnId, from, until, segments: walk.segments() };
}
