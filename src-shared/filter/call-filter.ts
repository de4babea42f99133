import type { AgentId, CallId } from '../ids.ts';
import { MAIN_AGENT } from '../ids.ts';
import type { SessionState } from '../session/state.ts';
import { agentName } from '../timeline/agent-tree.ts';
import { isEnded } from '../timeline/parts.ts';
import { resultText } from '../tool-call/content.ts';
import type { Outcome } from '../tool-call/event.ts';
import { sentResult, type ToolCall } from '../tool-call/state.ts';
import { callText } from './text.ts';
import { textPattern } from './text-pattern.ts';

/** How a call ended, or that it has not. */
export type CallOutcome = Outcome | 'open';

/** Which calls a person wants to see. Every part that is set has to fit; an empty list or text is not set. */
export type CallFilter = {
  readonly tools: readonly string[];
  readonly outcomes: readonly CallOutcome[];
  readonly agents: readonly AgentId[];
  /** Looked for in the tool, its argument, its input, its output and the agent's name; upper and lower case are one. */
  readonly text: string;
  /** Only calls that ran at least this many milliseconds; 0 is not set. */
  readonly leastMs: number;
};

export const NO_FILTER: CallFilter = { tools: [], outcomes: [], agents: [], text: '', leastMs: 0 };

/** Every way to end that somebody may have to look at. */
export const PROBLEMS: readonly CallOutcome[] = [
  'error',
  'rejected',
  'denied',
  'cancelled',
  'interrupted',
  'discarded',
  'unknown',
];

/** How many of its parts are set. */
export const partsSet = ({ tools, outcomes, agents, text, leastMs }: CallFilter): number =>
  [tools.length > 0, outcomes.length > 0, agents.length > 0, text.trim() !== '', leastMs > 0].filter(Boolean).length;

export const isFiltering = (filter: CallFilter): boolean => partsSet(filter) > 0;

export const outcomeOf = (call: ToolCall): CallOutcome => (isEnded(call) ? call.end.outcome : 'open');

/** How long the call ran, in ms, so far or at all; 0 where it never started. */
export function ranFor(call: ToolCall, now: number): number {
  if (call.phase === 'queued' || call.run === undefined) return 0;
  return Math.max(0, (isEnded(call) ? call.end.at : now) - call.run.at);
}

/** Does a call fit? `state` is the one the call is of. */
export type CallTest = (call: ToolCall, state: SessionState) => boolean;

/** Is a text in those of a call's that were left in the file it was read from? Whoever can read them says so. */
export type IsInKept = (text: string, callId: CallId) => boolean;

/** The filter as a test, together with a text that is searched for; an empty one is not. */
export function testOf(filter: CallFilter, query = '', isInKept: IsInKept = () => false): CallTest {
  const tools = filter.tools.length === 0 ? undefined : new Set(filter.tools);
  const outcomes = filter.outcomes.length === 0 ? undefined : new Set(filter.outcomes);
  const agents = filter.agents.length === 0 ? undefined : new Set(filter.agents);
  const wanted = [filter.text, query].flatMap((text) => {
    const pattern = textPattern(text);
    return pattern === undefined ? [] : [{ text: text.trim(), pattern }];
  });
  return (call, state) =>
    (tools === undefined || tools.has(call.tool)) &&
    (outcomes === undefined || outcomes.has(outcomeOf(call))) &&
    (agents === undefined || agents.has(call.agentId)) &&
    (filter.leastMs <= 0 || ranFor(call, state.now) >= filter.leastMs) &&
    wanted.every(({ text, pattern }) => hasText(call, state, pattern) || isInKept(text, call.callId));
}

function hasText(call: ToolCall, state: SessionState, pattern: RegExp): boolean {
  if (pattern.test(call.tool) || pattern.test(call.summary)) return true;
  if (pattern.test(nameOfAgent(state, call.agentId))) return true;
  if (callText(call.input, (text) => pattern.test(text))) return true;
  if (call.changedInput !== undefined && callText(call.changedInput.input, (text) => pattern.test(text))) return true;
  return isEnded(call) && pattern.test(resultText(sentResult(call)));
}

/** As the chart names it. */
export function nameOfAgent(state: SessionState, agentId: AgentId): string {
  const agent = state.agents.find((one) => one.agentId === agentId);
  return agent === undefined || agentId === MAIN_AGENT ? 'main agent' : agentName(agent);
}
