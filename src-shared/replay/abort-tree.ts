import { assertNever } from '../assert-never.ts';
import { type AgentId, type CallId, MAIN_AGENT, type MessageId } from '../ids.ts';
import { callById, type SessionState, type Turn } from '../session/state.ts';
import { agentName } from '../timeline/agent-tree.ts';
import { isEnded } from '../timeline/parts.ts';
import type { ToolCall } from '../tool-call/state.ts';
import { mainTurns, turnOf } from '../turns/turn-of.ts';
import { callsOf, requestNumber } from './queue-at.ts';
import { shortName } from './waits-for.ts';

/** What a stop would do to a call now (spec 1.7). `waits`: it runs to its end first. `unknown`: it was not recorded. */
export type Fate = 'stops' | 'never-starts' | 'waits' | 'ended' | 'unknown';

export type CallNode = {
  readonly kind: 'call';
  readonly call: ToolCall;
  /** If Esc were pressed, and if a message were sent that interrupts. */
  readonly onEscape: Fate;
  readonly onMessage: Fate;
  /** Who told it to stop: `npm test failed`, `you stopped the turn`. Undefined where nobody did. */
  readonly cancelled: string | undefined;
  /** Turns of the agents that it runs. */
  readonly children: readonly TurnNode[];
};
export type RequestNode = {
  readonly kind: 'request';
  readonly messageId: MessageId;
  /** Undefined where the file tells of no requests. */
  readonly number: number | undefined;
  readonly children: readonly CallNode[];
  /** Calls that have ended and are left out. */
  readonly more: number;
};
export type TurnNode = {
  readonly kind: 'turn';
  readonly turn: Turn;
  /** `turn 1`, or the name of the agent. */
  readonly name: string;
  readonly children: readonly RequestNode[];
};
export type AbortNode = TurnNode | RequestNode | CallNode;

/** Calls of one request that are shown; those that can still be stopped go first. */
const MOST_CALLS = 12;
/** Agents deeper than this have long been stopped from above by what is shown. */
const MOST_DEPTH = 6;

/** What an agent's turn is stopped by: Esc stops it whole, a message may spare what should not be cut off. */
type Stop = 'escape' | 'interrupt' | 'nothing';

/** Queued calls fall with every stop; running ones with Esc, or where their tool says that they may be cut off. */
export function fateOf(call: ToolCall, stop: Stop): Fate {
  if (isEnded(call)) return 'ended';
  if (stop === 'nothing') return 'waits';
  if (call.phase === 'queued') return 'never-starts';
  if (stop === 'escape') return 'stops';
  if (call.onInterrupt === undefined) return 'unknown';
  return call.onInterrupt === 'cancel' ? 'stops' : 'waits';
}

function cancelledBy(state: SessionState, { cancellation }: ToolCall): string | undefined {
  if (cancellation === undefined) return undefined;
  switch (cancellation.reason) {
    case 'sibling_error': {
      const culprit = cancellation.culprit === undefined ? undefined : callById(state, cancellation.culprit);
      return `${culprit === undefined ? 'another call' : shortName(culprit)} failed`;
    }
    case 'escape':
      return 'you stopped the turn';
    case 'interrupt':
      return 'your message could not wait';
    case 'discarded':
      return 'the stream of the model broke';
    case 'shutdown':
      return 'the app was closed';
    case 'refused':
      return 'the model refused to go on';
    case 'cut-off':
      return 'the message was cut off';
    default:
      return assertNever(cancellation.reason, 'cancel reason');
  }
}

/** Where the tree is grown from: the moment, the call that must be in it, and how deep it is. */
type Ground = { readonly state: SessionState; readonly selected: CallId | undefined; readonly depth: number };

function callNode(ground: Ground, call: ToolCall, above: Stop): CallNode {
  const { state, depth } = ground;
  const onMessage = fateOf(call, above);
  const children: TurnNode[] = [];
  const agents = depth >= MOST_DEPTH ? [] : state.agents.filter(({ parentCallId }) => parentCallId === call.callId);
  for (const { agentId } of agents) {
    const turn = state.turns.findLast((one) => one.agentId === agentId);
    const spared = onMessage === 'waits' ? 'nothing' : 'interrupt';
    if (turn !== undefined) children.push(turnNode({ ...ground, depth: depth + 1 }, turn, spared));
  }
  return {
    kind: 'call',
    call,
    onEscape: fateOf(call, 'escape'),
    onMessage,
    cancelled: cancelledBy(state, call),
    children,
  };
}

function requestNode(ground: Ground, one: ToolCall, above: Stop): RequestNode {
  const all = callsOf(ground.state, one);
  const alive = all.filter((call) => !isEnded(call));
  const told = all.filter((call) => isEnded(call) && call.cancellation !== undefined);
  const rest = all.filter((call) => isEnded(call) && call.cancellation === undefined);
  const chosen = all.filter(({ callId }) => callId === ground.selected);
  const shown = new Set([...chosen, ...alive, ...told, ...rest].slice(0, MOST_CALLS));
  return {
    kind: 'request',
    messageId: one.messageId,
    number: requestNumber(ground.state, one.messageId),
    children: all.filter((call) => shown.has(call)).map((call) => callNode(ground, call, above)),
    more: all.length - shown.size,
  };
}

function nameOf(state: SessionState, { turnId, agentId }: Turn): string {
  if (agentId === MAIN_AGENT) return `turn ${mainTurns(state).findIndex((turn) => turn.turnId === turnId) + 1}`;
  const agent = state.agents.find((known) => known.agentId === agentId);
  return agent === undefined ? `agent ${agentId}` : agentName(agent);
}

/** The requests of a turn whose calls can still be stopped, and the one of the selected call. */
function turnNode(ground: Ground, turn: Turn, above: Stop): TurnNode {
  const { state } = ground;
  const selected = ground.selected === undefined ? undefined : callById(state, ground.selected);
  const around = selected === undefined ? [] : callsAround(state, selected);
  const heads = new Map<MessageId, ToolCall>();
  for (const call of state.calls) {
    if (call.agentId !== turn.agentId || heads.has(call.messageId)) continue;
    if (!isEnded(call) || around.some((one) => one.messageId === call.messageId)) heads.set(call.messageId, call);
  }
  const own = [...heads.values()].filter((call) => turnOf(state, { callId: call.callId })?.turnId === turn.turnId);
  return {
    kind: 'turn',
    turn,
    name: nameOf(state, turn),
    children: own.map((call) => requestNode(ground, call, above)),
  };
}

/** A call and those above it: of the agent that made it, of that agent's, up to the main agent. */
function callsAround(state: SessionState, call: ToolCall): readonly ToolCall[] {
  const found = [call];
  for (let at: ToolCall | undefined = parentOf(state, call.agentId); at !== undefined; ) {
    if (found.includes(at)) break;
    found.push(at);
    at = parentOf(state, at.agentId);
  }
  return found;
}

function parentOf(state: SessionState, agentId: AgentId): ToolCall | undefined {
  const id = state.agents.find((agent) => agent.agentId === agentId)?.parentCallId;
  return id === undefined ? undefined : callById(state, id);
}

/**
 * The tree along which a stop goes down, at the state's moment: the turn of the selected call (or the newest), seen from
 * the main agent; its requests; their calls; the turns of the agents that these run (spec 1.7).
 */
export function abortTree(state: SessionState, selected: CallId | undefined): TurnNode | undefined {
  const call = selected === undefined ? undefined : callById(state, selected);
  const root = call === undefined ? undefined : callsAround(state, call).at(-1);
  const turn = turnOf(state, root === undefined ? {} : { callId: root.callId });
  return turn === undefined ? undefined : turnNode({ state, selected, depth: 0 }, turn, 'interrupt');
}
