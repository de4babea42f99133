import { assertNever } from '../../src-shared/assert-never.ts';
import { type CallId, MAIN_AGENT } from '../../src-shared/ids.ts';
import type { SessionEvent } from '../../src-shared/session/event.ts';
import type { SessionState } from '../../src-shared/session/state.ts';
import { barParts, heldSpan, type PartKind, queueParts, runEnd } from '../../src-shared/timeline/parts.ts';
import { callName, formatMillis, formatMoment, inferredWords, listNames } from '../../src-shared/timeline/words.ts';
import type { Outcome, Safety } from '../../src-shared/tool-call/event.ts';
import type { ToolCall } from '../../src-shared/tool-call/state.ts';

/** What the failure of a call pulled down. `lostMs` is running time of victims; what never started is not lost. */
export type CascadeFacts = { readonly victims: readonly ToolCall[]; readonly lostMs: number };

/** Victims that joined after the cascade's own event count too (spec 1.8). */
export function cascadeStartedBy(state: SessionState, callId: CallId): CascadeFacts | undefined {
  const named = new Set(state.cascades.flatMap((cascade) => (cascade.culprit === callId ? cascade.victims : [])));
  const victims = state.calls.filter(
    ({ callId: id, cancellation }) =>
      named.has(id) || (cancellation?.reason === 'sibling_error' && cancellation.culprit === callId),
  );
  if (victims.length === 0) return undefined;
  return { victims, lostMs: victims.reduce((sum, victim) => sum + lostMs(victim), 0) };
}

/** A victim that still drains counts up to its cancellation. */
function lostMs(victim: ToolCall): number {
  if (victim.phase === 'queued' || victim.run === undefined) return 0;
  const end = victim.phase === 'executing' ? victim.cancellation?.at : victim.end.at;
  return end === undefined ? 0 : Math.max(0, end - victim.run.at);
}

/** How long a call has held its lane until now; 0 for one that never did. */
const laneMs = (call: ToolCall, now: number): number =>
  call.phase === 'queued' || call.run === undefined ? 0 : (runEnd(call) ?? now) - call.run.at;

/** One line of "Where the time went": a kind of time, and the stretches of it. */
export type TimeLine = {
  readonly kind: 'queued' | 'lock' | PartKind | 'held';
  readonly label: string;
  readonly ms: number;
  readonly spans: readonly { readonly from: number; readonly until: number }[];
  /** Instead of a time: `by rule` where nobody had to be asked. */
  readonly note: string | undefined;
};
export type TimeLines = { readonly from: number; readonly until: number; readonly lines: readonly TimeLine[] };

const LABELS = [
  ['queued', 'Queued'],
  ['lock', 'Waited for lock'],
  ['hooks', 'Hooks'],
  ['permission', 'Waited for you'],
  ['paused', 'At a breakpoint'],
  ['running', 'Running'],
  ['saving', 'Saving output'],
  ['held', 'Held until its turn'],
] as const;

/** Where a call's time went, from its arrival to its hand-over, cut as the chart cuts its bar. */
export function whereTheTimeWent(call: ToolCall, now: number, isOver: boolean): TimeLines {
  const spans = new Map<TimeLine['kind'], { from: number; until: number }[]>();
  const add = (kind: TimeLine['kind'], from: number, until: number | undefined): void => {
    const list = spans.get(kind) ?? [];
    spans.set(kind, list);
    list.push({ from, until: Math.max(from, until ?? now) });
  };
  // A queue that a person holds is time in the queue like any other here; "held" means the finished result.
  for (const part of queueParts(call)) add(part.kind === 'lock' ? 'lock' : 'queued', part.from, part.until);
  for (const part of barParts(call)) add(part.kind === 'empty' ? 'running' : part.kind, part.from, part.until);
  const held = heldSpan(call, isOver);
  if (held !== undefined) add('held', held.from, held.until);
  const ends = [...spans.values()].flatMap((list) => list.map((span) => span.until));
  const lines = LABELS.flatMap(([kind, label]): readonly TimeLine[] => {
    const list = spans.get(kind) ?? [];
    const ms = list.reduce((sum, span) => sum + span.until - span.from, 0);
    if ((kind === 'held' || kind === 'paused') && ms < 1) return [];
    const note = kind === 'permission' && list.length === 0 ? decidedBy(call) : undefined;
    return [{ kind, label, ms, spans: list, note }];
  });
  return { from: call.queuedAt, until: Math.max(call.queuedAt, ...ends), lines };
}

/** Who decided without asking: `by rule`, `by mode`. Undefined where a person was asked, or nothing is known. */
export function decidedBy(call: ToolCall): string | undefined {
  const by = call.permission?.by;
  switch (by) {
    case undefined:
    case 'user':
    case 'cancelled':
    case 'closed':
    case 'recorded':
      return undefined;
    case 'rule':
    case 'new-rule':
      return 'by rule';
    case 'no-user':
      return 'nobody to ask';
    case 'tool':
      return 'by the tool';
    case 'hook':
      return 'by a hook';
    case 'mode':
    case 'classifier':
      return `by ${by}`;
    default:
      return assertNever(by, 'decider');
  }
}

/** When the call started, and how that is known: `15.20 s, as its block arrived`. */
export function startWords(call: ToolCall): string {
  const run = call.phase === 'queued' ? undefined : call.run;
  if (run === undefined) return call.phase === 'queued' ? 'not yet' : 'never';
  const inferred = inferredWords('start', run.timing);
  if (inferred !== undefined) return inferred.replace(/^start: /, '');
  const waited = run.at - call.queuedAt;
  return `${formatMoment(run.at)}, ${waited < 1 ? 'as its block arrived' : `after ${formatMillis(waited)} in the queue`}`;
}

export function endWords(call: ToolCall): string {
  if (call.phase === 'queued' || call.phase === 'executing') return 'not yet';
  const inferred = inferredWords('end', call.end.timing);
  return inferred === undefined ? formatMoment(call.end.at) : inferred.replace(/^end: /, '');
}

/** The calls of the same agent that held a lane at the same time, by their start. */
export function ranBeside(state: SessionState, call: ToolCall): readonly ToolCall[] {
  const mine = laneSpan(call);
  if (mine === undefined) return [];
  return state.calls.filter((other) => {
    if (other.callId === call.callId || other.agentId !== call.agentId) return false;
    const span = laneSpan(other);
    return span !== undefined && span.from < mine.until && span.until > mine.from;
  });
}

const laneSpan = (call: ToolCall): { readonly from: number; readonly until: number } | undefined => {
  if (call.phase === 'queued' || call.run === undefined) return undefined;
  return { from: call.run.at, until: call.phase === 'executing' ? Number.POSITIVE_INFINITY : call.end.at };
};

export const besideWords = (others: readonly ToolCall[]): string =>
  others.length === 0 ? 'no other call' : listNames(others.map(callName), 4);

/** Which guard decided whether the call may run beside others (spec 1.2), in words. */
export function safetyWords(safety: Safety): string {
  switch (safety.because) {
    case 'declared-safe':
      return 'the tool says it is safe';
    case 'treat-as-safe-rule':
      return 'your setting treatAsSafe';
    case 'unknown-tool':
      return 'no tool has this name';
    case 'invalid-input':
      return 'its input is not valid';
    case 'threw':
      return 'the check of the tool failed';
    case 'declared-unsafe':
      return 'the tool says it may change things';
    case 'not-recorded':
      return 'not recorded in the file';
    default:
      return assertNever(safety.because, 'safety reason');
  }
}

export type SessionFacts = {
  readonly turns: number;
  readonly calls: number;
  readonly outcomes: readonly { readonly outcome: Outcome | 'running' | 'queued'; readonly count: number }[];
  readonly wallMs: number;
  readonly sumMs: number;
};

/**
 * The session in numbers: `sumMs` is the time all calls together held their lanes.
 * @param now the moment until which what still runs has run, in ms from the session's start.
 */
export function sessionFacts(state: SessionState, now: number = state.now): SessionFacts {
  const counts = new Map<Outcome | 'running' | 'queued', number>();
  let sumMs = 0;
  for (const call of state.calls) {
    const isEnded = call.phase === 'completed' || call.phase === 'yielded';
    const outcome = isEnded ? call.end.outcome : call.phase === 'executing' ? 'running' : 'queued';
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    sumMs += laneMs(call, now);
  }
  return {
    turns: state.turns.filter(({ agentId }) => agentId === MAIN_AGENT).length,
    calls: state.calls.length,
    outcomes: [...counts].map(([outcome, count]) => ({ outcome, count })).sort((a, b) => b.count - a.count),
    wallMs: now,
    sumMs,
  };
}

/** Does the event speak of this call? */
function isAbout(event: SessionEvent, callId: CallId, runs: ReadonlySet<string>): boolean {
  switch (event.type) {
    case 'cascade-triggered':
      return event.culprit === callId || event.victims.includes(callId);
    case 'batch-planned':
      return event.callIds.includes(callId);
    case 'block-arrived':
      return event.block.kind === 'tool-use' && event.block.callId === callId;
    case 'agent-started':
      return event.parentCallId === callId;
    case 'hook-ended':
      return runs.has(event.runId);
    default:
      return 'callId' in event && event.callId === callId;
  }
}

/**
 * Finds the events of one call. Remembers how far it has looked: in a session that runs, only what is new is looked at.
 */
export class CallEvents {
  private readonly callId: CallId;
  private readonly found: SessionEvent[] = [];
  private readonly runs = new Set<string>();
  private looked = 0;

  constructor(callId: CallId) {
    this.callId = callId;
  }

  upTo(events: readonly SessionEvent[]): readonly SessionEvent[] {
    // The playhead has gone back.
    if (events.length < this.looked) {
      this.found.length = 0;
      this.runs.clear();
      this.looked = 0;
    }
    for (; this.looked < events.length; this.looked++) {
      const event = events[this.looked];
      if (event === undefined || !isAbout(event, this.callId, this.runs)) continue;
      if (event.type === 'hook-started') this.runs.add(event.runId);
      this.found.push(event);
    }
    return this.found;
  }
}
