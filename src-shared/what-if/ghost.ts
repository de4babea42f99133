import { type BatchId, MAIN_AGENT } from '../ids.ts';
import { emptySession, type SessionState } from '../session/state.ts';
import { isEnded } from '../timeline/parts.ts';
import { textResult } from '../tool-call/content.ts';
import type { Outcome as CallOutcome } from '../tool-call/event.ts';
import type { ToolCall } from '../tool-call/state.ts';
import { MEASURED, type Timing } from '../tool-call/timing.ts';
import { type SessionTime, sessionTime } from '../units.ts';
import type { PlayedCall } from './play.ts';
import type { Outcome, Question } from './what-if.ts';

/** A turn under other rules as a session of its own, for the chart: only calls, on the lanes of the turn's agent. */
export type Ghost = {
  readonly state: SessionState;
  /** Places, in this state's calls, of those that are as they were recorded. */
  readonly unchanged: ReadonlySet<number>;
  /** Where it first parts from the recording; undefined where it never does. */
  readonly differsAt: SessionTime | undefined;
  readonly from: SessionTime;
  readonly until: SessionTime;
};

const RESULT = textResult('');
/** Everything that is not from the recording is hatched from its start to its end (design 12). */
const computed = (from: SessionTime, until: SessionTime): Timing => ({
  certainty: 'inferred',
  source: 'previous-call',
  earliest: from,
  latest: until,
});

export function ghostOf({ work }: Pick<Question, 'work'>, { played, differences }: Outcome): Ghost {
  const changed = new Set(differences.map(({ item }) => item));
  const state = emptySession();
  const unchanged = new Set<number>();
  let until: number = work.from + played.wallMs;
  for (const call of played.calls) {
    const { recorded } = call;
    if (recorded.call.agentId !== work.agentId || call.start === undefined) continue;
    const isSame = !changed.has(recorded.item);
    const drawn = isSame ? asRecorded(recorded.call) : asPlayed(call, work.from);
    if (isSame) unchanged.add(state.calls.length);
    state.callIndex[drawn.callId] = state.calls.length;
    state.calls.push(drawn);
    until = Math.max(until, isEnded(drawn) ? drawn.end.at : 0);
  }
  const first = differences[0];
  state.now = sessionTime(until);
  state.ended = 'end-of-file';
  return {
    state,
    unchanged,
    differsAt: first === undefined ? undefined : sessionTime(work.from + first.at),
    from: work.from,
    until: sessionTime(until),
  };
}

/** What the lane does not show is left out: the queue, waits, holds, signs. */
const bare = (call: ToolCall, queuedAt: SessionTime) => ({
  ...call,
  agentId: MAIN_AGENT,
  queuedAt,
  waits: [],
  asks: [],
  pauses: [],
  stages: [],
  faults: [],
  saved: undefined,
  sameAs: undefined,
  changedInput: undefined,
  contextChanges: [],
  staleFiles: [],
  hookRuns: [],
});

function asRecorded(call: ToolCall): ToolCall {
  if (!isEnded(call) || call.run === undefined) return { ...call, agentId: MAIN_AGENT };
  const { run, end } = call;
  return {
    ...bare(call, run.at),
    phase: 'yielded',
    run: { ...run, timing: MEASURED },
    end: { ...end, timing: MEASURED },
    yieldedAt: end.at,
  };
}

function asPlayed(played: PlayedCall, zero: SessionTime): ToolCall {
  const { recorded, start, endedAt, cancelled } = played;
  const from = sessionTime(zero + (start?.at ?? endedAt));
  const until = sessionTime(zero + endedAt);
  const timing = computed(from, until);
  return {
    ...bare(recorded.call, from),
    cancellation: cancelled === undefined ? undefined : { ...cancelled, at: until, hadStarted: true },
    phase: 'yielded',
    run: { lane: start?.lane ?? 0, batchId: 'what-if' as BatchId, at: from, timing },
    end: { at: until, outcome: fateOf(played), exit: undefined, result: RESULT, timing },
    yieldedAt: until,
  };
}

function fateOf({ recorded, cancelled, known }: PlayedCall): CallOutcome {
  if (cancelled !== undefined) return cancelled.reason === 'sibling_error' ? 'cancelled' : 'interrupted';
  if (known !== 'whole') return 'ok';
  const { call } = recorded;
  return isEnded(call) ? call.end.outcome : 'unknown';
}
