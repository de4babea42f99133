import type { AgentId, CallId } from '../ids.ts';
import { callById, type SessionState } from '../session/state.ts';
import { barParts, queueEnd, runEnd } from '../timeline/parts.ts';
import type { BlockedBy } from '../tool-call/event.ts';
import type { ToolCall } from '../tool-call/state.ts';
import { type CriticalPath, PATH_KINDS, type PathKind, type PathSegment } from './path.ts';

/** Time by kind, in ms. The kinds add up to the length of the path. */
export type PathShares = Readonly<Record<PathKind, number>>;

/** What the segments of a path, or of several, have of each kind. */
export function sharesOf(paths: readonly Pick<CriticalPath, 'segments'>[]): PathShares {
  const sums = Object.fromEntries(PATH_KINDS.map((kind) => [kind, 0])) as Record<PathKind, number>;
  for (const { segments } of paths) for (const { kind, from, until } of segments) sums[kind] += until - from;
  return sums;
}

/** How parallel the tools of a turn ran. `workMs`: what all worked together; `wallMs`: time in which any worked. */
export type Efficiency = { readonly workMs: number; readonly wallMs: number };

/** The longest stretch that a call waited, in the queue or for an answer. */
export type LongestWait = {
  readonly callId: CallId;
  readonly ms: number;
  readonly why: BlockedBy | 'permission';
  readonly by: readonly CallId[];
};

export type TurnWork = Efficiency & { readonly longest: LongestWait | undefined };

/**
 * The work of a turn's calls. A call in which an agent works counts with that agent's calls, not itself: it would count
 * twice. Linear in the calls of the turn, apart from sorting.
 */
export function workOf(state: SessionState, { from, until }: CriticalPath): TurnWork {
  const parents = new Set(state.agents.flatMap(({ parentCallId }) => parentCallId ?? []));
  const spans: { readonly from: number; readonly until: number }[] = [];
  let longest: LongestWait | undefined;
  for (let i = state.calls.length - 1; i >= 0; i--) {
    const call = state.calls[i] as ToolCall;
    if (call.queuedAt < from) break;
    if (call.queuedAt > until) continue;
    const wait = longestWaitOf(call, until);
    if (wait !== undefined && wait.ms >= (longest?.ms ?? NEWS_MS)) longest = wait;
    if (parents.has(call.callId)) continue;
    for (const part of barParts(call)) {
      if (part.kind !== 'running' && part.kind !== 'saving') continue;
      const end = Math.min(part.until ?? until, until);
      if (end > part.from) spans.push({ from: part.from, until: end });
    }
  }
  return { ...measured(spans), longest };
}

/** Waits below this are the scheduler's own time, in ms. */
const NEWS_MS = 0.5;

function longestWaitOf(call: ToolCall, limit: number): LongestWait | undefined {
  const end = Math.min(queueEnd(call) ?? limit, limit);
  let longest: LongestWait | undefined;
  const offer = (why: LongestWait['why'], by: readonly CallId[], ms: number): void => {
    if (ms > (longest?.ms ?? 0)) longest = { callId: call.callId, ms, why, by };
  };
  for (const wait of call.waits) offer(wait.why, wait.by, Math.min(wait.until ?? end, end) - wait.from);
  for (const ask of call.asks) offer('permission', [], Math.min(ask.until ?? runEnd(call) ?? limit, limit) - ask.from);
  return longest;
}

function measured(spans: { readonly from: number; readonly until: number }[]): Efficiency {
  spans.sort((a, b) => a.from - b.from);
  let workMs = 0;
  let wallMs = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const span of spans) {
    workMs += span.until - span.from;
    if (span.until <= until) continue;
    wallMs += span.until - Math.max(span.from, until);
    until = span.until;
  }
  return { workMs, wallMs };
}

/** What a call has of a path, in ms: its own segments, and those of all agents that worked below it. */
export function timeOnPath(state: SessionState, { segments }: CriticalPath, callId: CallId): number {
  const agents = agentsBelow(state, callId);
  const isOf = (segment: PathSegment): boolean => segment.callId === callId || agents.has(segment.agentId);
  return segments.filter(isOf).reduce((sum, { from, until }) => sum + until - from, 0);
}

function agentsBelow(state: SessionState, callId: CallId): ReadonlySet<AgentId> {
  const found = new Set<AgentId>();
  // Agents stand in the order of their starts: who starts one stands before it.
  for (const { agentId, parentCallId } of state.agents) {
    if (parentCallId === undefined) continue;
    const parent = callById(state, parentCallId);
    if (parentCallId === callId || (parent !== undefined && found.has(parent.agentId))) found.add(agentId);
  }
  return found;
}
