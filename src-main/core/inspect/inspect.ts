import { sessionPaths } from '../../../src-shared/critical-path/session-path.ts';
import { sharesOf, workOf } from '../../../src-shared/critical-path/shares.ts';
import { MAIN_AGENT } from '../../../src-shared/ids.ts';
import type { SessionEvent } from '../../../src-shared/session/event.ts';
import { foldSession, type SessionState } from '../../../src-shared/session/state.ts';
import type { Finding } from '../../../src-shared/session/summary.ts';
import { Outcome } from '../../../src-shared/tool-call/event.ts';
import type { ToolCall } from '../../../src-shared/tool-call/state.ts';
import type { InspectedCall, InspectedTurn, Inspection } from './inspection.ts';
import { busyTime, longestChain, mostAtOnce, type Span } from './spans.ts';

export type InspectOptions = {
  /** Adds `callList`. */
  readonly calls: boolean;
  /** Adds `turnList`. */
  readonly turns?: boolean;
};

/** Counts and measures a session from its events alone, live, replayed or imported. */
export function inspect(
  events: readonly SessionEvent[],
  findings: readonly Finding[],
  options: InspectOptions = { calls: false },
): Inspection {
  const state = foldSession(events);
  const calls = state.calls.map((call) => inspectCall(call, hasTimes(state)));
  const withoutResult = state.calls.filter((call) => call.phase !== 'yielded').map((call) => call.callId);
  const outcomes = countOutcomes(calls);
  const spans = calls.flatMap(({ startMs, endMs }): Span[] =>
    startMs === null || endMs === null ? [] : [{ from: startMs, until: endMs }],
  );
  return {
    ...sessionFacts(state),
    messages: state.entries.filter((entry) => entry.kind !== 'notice').length,
    calls: calls.length,
    results: calls.length - withoutResult.length,
    callsWithoutResult: withoutResult,
    outcomes,
    errors: outcomes.error,
    cancelledBySibling: state.calls
      .filter((call) => call.cancellation?.reason === 'sibling_error')
      .map((call) => ({ call: call.callId, culprit: call.cancellation?.culprit ?? null })),
    rejected: outcomes.rejected,
    interrupted: outcomes.interrupted,
    denied: outcomes.denied,
    persisted: state.calls.flatMap(({ callId, saved }) => (saved === undefined ? [] : [{ call: callId, ...saved }])),
    subagents: state.agents.filter((agent) => agent.agentId !== MAIN_AGENT).length,
    ...measure(state, events, spans),
    findings: [...findings],
    ...(options.calls ? { callList: calls } : {}),
    ...(options.turns === true ? { turnList: hasTimes(state) ? inspectTurns(state) : null } : {}),
  };
}

function inspectTurns(state: SessionState): InspectedTurn[] {
  return sessionPaths(state).map((path) => {
    const shares = sharesOf([path]);
    const work = workOf(state, path);
    return {
      turn: path.turnId,
      startMs: rounded(path.from),
      wallMs: rounded(path.until - path.from),
      modelMs: rounded(shares.model),
      toolMs: rounded(shares.tool),
      humanMs: rounded(shares.human),
      hookMs: rounded(shares.hook),
      lockMs: rounded(shares.lock),
      otherMs: rounded(shares.other),
      workMs: rounded(work.workMs),
      busyMs: rounded(work.wallMs),
    };
  });
}

/** Without recorded times positions are order, and nothing measured from them would mean anything. */
const hasTimes = (state: SessionState): boolean =>
  state.origin?.kind !== 'imported' || state.origin.clock === 'recorded';

function sessionFacts(state: SessionState): Pick<Inspection, 'format' | 'version' | 'strategy' | 'cascade'> {
  const { origin, settings } = state;
  const imported = origin?.kind === 'imported';
  return {
    format: imported ? origin.format : 'gantry-journal',
    version: (imported ? origin.version : state.app) || null,
    strategy: settings.strategy,
    cascade: settings.cascade,
  };
}

function countOutcomes(calls: readonly InspectedCall[]): Inspection['outcomes'] {
  const counts = Object.fromEntries(Outcome.options.map((outcome) => [outcome, 0])) as Inspection['outcomes'];
  for (const { outcome } of calls) counts[outcome]++;
  return counts;
}

/** Recorded times are whole milliseconds; what was worked out from them need not pretend to more than a thousandth. */
const rounded = (ms: number): number => Math.round(ms * 1000) / 1000;

function inspectCall(call: ToolCall, timed: boolean): InspectedCall {
  const run = call.phase === 'queued' ? undefined : call.run;
  const end = call.phase === 'completed' || call.phase === 'yielded' ? call.end : undefined;
  // A call without a result ended at a time that nobody wrote down.
  const endIsKnown = end !== undefined && (end.timing.certainty === 'measured' || call.phase === 'yielded');
  const timing = run?.timing;
  return {
    id: call.callId,
    tool: call.tool,
    agent: call.agentId,
    outcome: end?.outcome ?? 'unknown',
    started: run !== undefined,
    startMs: timed && run !== undefined ? rounded(run.at) : null,
    endMs: timed && endIsKnown ? rounded(end.at) : null,
    startSource: timing === undefined ? null : timing.certainty === 'measured' ? 'measured' : timing.source,
    lane: run?.lane ?? null,
    culprit: call.cancellation?.culprit ?? null,
  };
}

function measure(
  state: SessionState,
  events: readonly SessionEvent[],
  spans: readonly Span[],
): Pick<Inspection, 'concurrency' | 'wallMs' | 'sumMs' | 'criticalPathMs'> {
  const ranges = hasTimes(state) ? spans : orderedSpans(state);
  const max = mostAtOnce(ranges);
  if (!hasTimes(state)) return { concurrency: { max, mean: null }, wallMs: null, sumMs: null, criticalPathMs: null };
  const sum = spans.reduce((total, span) => total + span.until - span.from, 0);
  const busy = busyTime(spans);
  return {
    concurrency: { max, mean: busy > 0 ? rounded(sum / busy) : null },
    wallMs: rounded(state.now - (events[0]?.t ?? 0)),
    sumMs: rounded(sum),
    criticalPathMs: rounded(longestChain(spans)),
  };
}

/** Positions by order still say what ran beside what. */
const orderedSpans = (state: SessionState): readonly Span[] =>
  state.calls.flatMap((call): Span[] => {
    const run = call.phase === 'queued' ? undefined : call.run;
    const isOver = call.phase === 'yielded' || call.phase === 'completed';
    return run === undefined || !isOver ? [] : [{ from: run.at, until: call.end.at }];
  });
