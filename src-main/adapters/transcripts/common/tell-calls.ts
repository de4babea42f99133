import type { AgentId, BatchId, CallId, MessageId, ShellId } from '../../../../src-shared/ids.ts';
import { MEASURED, type Timing } from '../../../../src-shared/tool-call/timing.ts';
import { sessionTime } from '../../../../src-shared/units.ts';
import type { EventList } from '../event-list.ts';
import { timingOf } from './best-time.ts';
import type { BestTime, JudgedMessage, PlayedStart, Refusal, SavedOutput } from './judged.ts';
import { assignLanes, type Held } from './lanes.ts';
import { RANK } from './ranks.ts';
import { type CallStory, isBefore, isKnown, later, type Moment } from './story.ts';
import { summaryOf } from './summary.ts';

export type CallTelling = {
  readonly list: EventList;
  /** Wall time of session time 0. */
  readonly zero: number;
  readonly orderOnly: boolean;
  readonly savedOf: (call: CallStory) => SavedOutput | undefined;
  /** The cascade policy that is in force for the message. */
  readonly policyOf: (judged: JudgedMessage) => string;
};

type Run = { readonly played: PlayedStart; readonly start: BestTime; readonly from: Moment; readonly until: Moment };

/** Tells everything about the calls of one agent: queue, waits, lanes, ends, cascades. */
export function tellCalls(judgedMessages: readonly JudgedMessage[], agentId: string, telling: CallTelling): void {
  const runs = new Map<string, Run>();
  for (const judged of judgedMessages) {
    for (const call of judged.message.calls) {
      const run = runOf(judged, call);
      if (run !== undefined) runs.set(call.id, run);
    }
  }
  const lanes = assignLanes([...runs].map(([id, { from, until }]): Held => ({ id, from, until })));
  for (const judged of judgedMessages) {
    tellBatches(judged, agentId, runs, telling.list);
    tellWaits(judged, runs, telling.list);
    tellCascades(judged, telling);
    for (const call of judged.message.calls) {
      const run = runs.get(call.id);
      if (run !== undefined) tellStart(call, run, lanes.get(call.id) ?? 0, telling);
      tellEnd(judged, call, agentId, run, telling);
    }
  }
}

function runOf(judged: JudgedMessage, call: CallStory): Run | undefined {
  const played = judged.played.starts.get(call.id);
  const end = judged.ends.get(call.id);
  if (played === undefined || end === undefined) return undefined;
  const start = judged.starts.get(call.id);
  if (start === undefined) return undefined;
  // A start that was seen has no line of its own; it belongs after the lines of its time.
  const ord = start.at === played.moment.at ? played.moment.ord : Number.MAX_SAFE_INTEGER;
  const from = { at: start.at, ord };
  return { played, start, from: isBefore(from, end) ? from : end, until: end };
}

/** The facts of `call-queued`, told with the block that holds it. */
export function queuedFacts(judged: JudgedMessage, call: CallStory, agentId: string) {
  const safe = judged.played.safe.get(call.id) === true;
  return {
    type: 'call-queued' as const,
    callId: call.id as CallId,
    agentId: agentId as AgentId,
    messageId: judged.message.id as MessageId,
    index: call.index,
    tool: call.tool,
    input: call.input,
    summary: summaryOf(call.input),
    safety: {
      safe,
      because: 'not-recorded' as const,
      detail: 'Worked out from the tool, its input and what ran beside it.',
    },
  };
}

function tellStart(call: CallStory, run: Run, lane: number, { list, zero }: CallTelling): void {
  const rank = run.from === run.until || run.played.outOfTurn ? RANK.startedOutOfTurn : RANK.started;
  list.add(run.from, rank, {
    type: 'call-started',
    callId: call.id as CallId,
    lane,
    batchId: run.played.batchId as BatchId,
    timing: timingOf(run.start, zero),
  });
}

function tellEnd(
  judged: JudgedMessage,
  call: CallStory,
  agentId: string,
  run: Run | undefined,
  telling: CallTelling,
): void {
  const { list, zero } = telling;
  const verdict = judged.verdicts.get(call.id);
  const end = judged.ends.get(call.id);
  if (verdict === undefined || end === undefined || !isKnown(end)) return;
  const callId = call.id as CallId;
  if (verdict.refusal !== undefined) tellRefusal(call, verdict.refusal, run, end, list);
  if (verdict.cancel !== undefined && verdict.cancel.culprit === undefined) {
    const { reason } = verdict.cancel;
    list.add(end, RANK.cancelBeforeEnd, { type: 'call-cancelled', callId, reason, hadStarted: run !== undefined });
  }
  const saved = telling.savedOf(call);
  if (saved !== undefined) list.add(end, RANK.saved, { type: 'result-saved', callId, ...saved });
  const { exit } = verdict;
  list.add(end, RANK.completed, {
    type: 'call-completed',
    callId,
    outcome: verdict.outcome,
    result: call.result?.shown ?? { content: [], isError: true },
    timing: endTiming(judged, call, run, telling),
    ...(exit === undefined ? {} : { exit }),
  });
  if (call.result !== undefined) list.add(end, RANK.yielded, { type: 'call-yielded', callId });
  if (call.background !== undefined) {
    const { place, status } = call.background;
    const fields = { background: status, backgroundEndedAt: place.at - zero };
    list.add(later(place, end), RANK.observed, { type: 'call-observed', callId, fields });
  }
  tellShell(call, agentId, end, list);
}

/** A command in the background goes on behind its call, to its notification, or to an end that nobody recorded. */
function tellShell(call: CallStory, agentId: string, end: Moment, list: EventList): void {
  if (!call.shellId) return;
  const shellId = call.shellId as ShellId;
  list.add(end, RANK.observed, {
    type: 'shell-started',
    shellId,
    callId: call.id as CallId,
    agentId: agentId as AgentId,
    command: summaryOf(call.input),
  });
  if (call.background === undefined) return;
  const { place, status, exitCode } = call.background;
  list.add(later(place, end), RANK.observed, {
    type: 'shell-ended',
    shellId,
    end: exitCode === undefined ? { kind: 'unknown', said: status } : { kind: 'exited', code: exitCode },
  });
}

/** A result line's time is the end. Without a result the end lies somewhere between the start and what came next. */
function endTiming(
  judged: JudgedMessage,
  call: CallStory,
  run: Run | undefined,
  { zero, orderOnly }: CallTelling,
): Timing {
  const known = judged.endTimes.get(call.id);
  const end = judged.ends.get(call.id) ?? call.queued;
  if (known !== undefined) {
    // Where a file contradicts itself, the end that is shown is one of the possible ones.
    const [earliest, latest] = [Math.min(known.earliest, end.at), Math.max(known.latest, end.at)];
    return timingOf({ ...known, earliest, latest }, zero);
  }
  const recorded = call.result?.place;
  if (recorded?.timed && !orderOnly) return MEASURED;
  return {
    certainty: 'inferred',
    source: orderOnly ? 'order-only' : 'line-time',
    earliest: sessionTime((run?.start.at ?? call.queued.at) - zero),
    latest: sessionTime(end.at - zero),
  };
}

function tellRefusal(call: CallStory, refusal: Refusal, run: Run | undefined, end: Moment, list: EventList): void {
  const callId = call.id as CallId;
  const stage = refusal.by === 'hook' ? 'hooks-before' : 'permission';
  if (run !== undefined) {
    const startRank = run.from === run.until ? RANK.startedOutOfTurn : RANK.stageStarted;
    list.add(run.from, startRank, { type: 'stage-started', callId, stage });
    list.add(end, RANK.stageEnded, { type: 'stage-ended', callId, stage, verdict: 'deny' });
  }
  const step = refusal.by === 'rule' ? 'deny-rules' : refusal.by === 'no-user' ? 'fallback' : refusal.by;
  const detail = refusal.by === 'hook' ? (call.hookDenial ?? undefined) : undefined;
  list.add(end, RANK.settled, {
    type: 'permission-settled',
    callId,
    verdict: 'deny',
    by: refusal.by,
    trace: [{ step, verdict: 'deny', text: refusal.text, ...(detail ? { detail } : {}) }],
    ...(refusal.feedback === undefined ? {} : { feedback: refusal.feedback }),
  });
}

function tellBatches(judged: JudgedMessage, agentId: string, runs: ReadonlyMap<string, Run>, list: EventList): void {
  const { message, played } = judged;
  const base = { agentId: agentId as AgentId, messageId: message.id as MessageId };
  for (const { batchId, kind, callIds, moment } of played.plans) {
    list.add(moment, RANK.planned, {
      type: 'batch-planned',
      ...base,
      batchId: batchId as BatchId,
      kind,
      callIds: [...callIds],
    });
  }
  const spans = new Map<string, { from: Moment; until: Moment; outOfTurn: boolean }>();
  for (const call of message.calls) {
    const run = runs.get(call.id);
    if (run === undefined) continue;
    const { batchId } = run.played;
    const outOfTurn = run.played.outOfTurn || run.from === run.until;
    const span = spans.get(batchId);
    if (span === undefined) {
      spans.set(batchId, { from: run.from, until: run.until, outOfTurn });
    } else {
      if (isBefore(run.from, span.from)) Object.assign(span, { from: run.from, outOfTurn });
      span.until = later(span.until, run.until);
    }
  }
  for (const { batchId, kind } of played.batches) {
    const span = spans.get(batchId);
    if (span === undefined) continue;
    const rank = span.outOfTurn ? RANK.startedOutOfTurn - 1 : RANK.batchStarted;
    list.add(span.from, rank, { type: 'batch-started', ...base, batchId: batchId as BatchId, kind });
    if (isKnown(span.until))
      list.add(span.until, RANK.batchEnded, { type: 'batch-ended', batchId: batchId as BatchId });
  }
}

/** Waits as the rules had them, less those of no length. */
function tellWaits({ played, ends }: JudgedMessage, runs: ReadonlyMap<string, Run>, list: EventList): void {
  for (const { callId, why, by, moment } of played.waits) {
    const limit = runs.get(callId)?.played.moment ?? ends.get(callId);
    if (limit !== undefined && !isBefore(moment, limit)) continue;
    list.add(moment, RANK.blocked, { type: 'call-blocked', callId: callId as CallId, why, by: [...by] });
  }
}

function tellCascades(judged: JudgedMessage, telling: CallTelling): void {
  const { list } = telling;
  if (judged.cascades.size === 0) return;
  const calls = new Map(judged.message.calls.map((call) => [call.id, call]));
  for (const [culprit, victims] of judged.cascades) {
    const fell = judged.ends.get(culprit);
    if (fell === undefined) continue;
    const firstEnd = victims
      .map((id) => judged.ends.get(id) ?? fell)
      .reduce((first, end) => (isBefore(end, first) ? end : first), fell);
    // Lines of one moment may name the victim before the culprit.
    const early = isBefore(firstEnd, fell);
    const moment = early ? firstEnd : fell;
    list.add(moment, early ? RANK.cascadeBeforeEnd : RANK.cascade, {
      type: 'cascade-triggered',
      culprit: culprit as CallId,
      policy: telling.policyOf(judged),
      victims: victims as CallId[],
    });
    for (const id of victims) {
      const call = calls.get(id);
      if (call !== undefined) tellVictim(judged, call, culprit, { moment, early }, list);
    }
  }
}

function tellVictim(
  judged: JudgedMessage,
  call: CallStory,
  culprit: string,
  cascade: { readonly moment: Moment; readonly early: boolean },
  list: EventList,
): void {
  const isLatecomer = isBefore(cascade.moment, call.queued);
  const moment = isLatecomer ? call.queued : cascade.moment;
  list.add(moment, cascade.early && !isLatecomer ? RANK.cancelBeforeEnd : RANK.cancel, {
    type: 'call-cancelled',
    callId: call.id as CallId,
    reason: 'sibling_error',
    culprit: culprit as CallId,
    hadStarted: judged.played.starts.has(call.id),
  });
}
