import type { z } from 'zod';
import { assertNever } from '../assert-never.ts';
import type { FaultKind, PauseReason } from '../debugger/event.ts';
import type { AgentId, AskId, BatchId, CallId, HookRunId, MessageId } from '../ids.ts';
import type { Question, TraceStep } from '../permission/event.ts';
import type { EventOf } from '../session/event.ts';
import type { SessionTime } from '../units.ts';
import type { ContentBlock, ToolResult } from './content.ts';
import type { BlockedBy, CancelReason, Exit, Outcome, Safety, Stage } from './event.ts';
import type { Timing } from './timing.ts';

/** A stretch of the queue during which the call waited for one reason. Ends when `until` is set. */
export type Wait = {
  readonly why: z.output<typeof BlockedBy>;
  readonly by: readonly CallId[];
  readonly from: SessionTime;
  readonly until: SessionTime | undefined;
};

export type StageSpan = {
  readonly stage: Stage;
  readonly from: SessionTime;
  readonly until: SessionTime | undefined;
  readonly verdict: string | undefined;
};

/** A question to the user about this call, and what came of it. */
export type Ask = {
  readonly askId: AskId;
  readonly question: Question;
  readonly trace: readonly TraceStep[];
  readonly from: SessionTime;
  readonly until: SessionTime | undefined;
};

export type Settled = {
  readonly verdict: 'allow' | 'deny';
  readonly by: EventOf<'permission-settled'>['by'];
  readonly trace: readonly TraceStep[];
  readonly feedback: string | undefined;
  readonly at: SessionTime;
};

/** A stretch in which the call waited at a breakpoint. */
export type Pause = {
  readonly why: PauseReason;
  readonly breakpointId: string;
  readonly from: SessionTime;
  readonly until: SessionTime | undefined;
};

/** A classifier's look at the call (spec 2.4). */
export type Classified = {
  readonly name: string;
  readonly from: SessionTime;
  readonly end:
    | {
        readonly at: SessionTime;
        readonly verdict: EventOf<'classifier-ended'>['verdict'];
        readonly reason: string;
        readonly ms: number;
      }
    | undefined;
};

export type Progress = { readonly bytes: number; readonly lines: number; readonly tail: string };

export type Process = {
  readonly pid: number;
  readonly command: string;
  readonly from: SessionTime;
  readonly until: SessionTime | undefined;
  readonly code: number | undefined;
  readonly signal: string | undefined;
};

/** The whole output on disk, where the model saw a preview only. */
export type SavedOutput = {
  readonly path: string;
  readonly bytes: number;
  readonly found: boolean;
  /** Characters a result of the tool may have, where being longer was the reason. */
  readonly limit: number | undefined;
};

export type Cancellation = {
  readonly reason: CancelReason;
  readonly culprit: CallId | undefined;
  readonly hadStarted: boolean;
  readonly at: SessionTime;
};

/** When and where a call ran: the lane it really held. */
export type Run = {
  readonly lane: number;
  readonly batchId: BatchId;
  readonly at: SessionTime;
  readonly timing: Timing;
};

export type End = {
  readonly at: SessionTime;
  readonly outcome: Outcome;
  readonly exit: Exit | undefined;
  /** A failure of its own; undefined where the outcome says it. */
  readonly failed?: boolean | undefined;
  readonly result: ToolResult;
  readonly timing: Timing;
};

/** Did the call fail by itself, so that its siblings may fall with it (spec 1.8)? */
export const failedByItself = ({ outcome, failed }: End): boolean =>
  failed ?? (outcome === 'error' || outcome === 'denied');

type Base = {
  readonly callId: CallId;
  readonly agentId: AgentId;
  readonly messageId: MessageId;
  readonly index: number;
  readonly tool: string;
  readonly input: unknown;
  readonly summary: string;
  readonly safety: Safety;
  readonly onInterrupt: 'cancel' | 'block' | undefined;
  readonly queuedAt: SessionTime;
  readonly waits: readonly Wait[];
  readonly stages: readonly StageSpan[];
  readonly asks: readonly Ask[];
  readonly classified: readonly Classified[];
  readonly pauses: readonly Pause[];
  /** Trouble on purpose that the call was given. */
  readonly faults: readonly FaultKind[];
  readonly hookRuns: readonly HookRunId[];
  readonly processes: readonly Process[];
  readonly observed: Readonly<Record<string, unknown>>;
  /** What the call really ran with, where a person or a hook changed the input. */
  readonly changedInput: { readonly by: 'user' | 'hook'; readonly input: unknown } | undefined;
  readonly permission: Settled | undefined;
  readonly progress: Progress | undefined;
  readonly cancellation: Cancellation | undefined;
  readonly saved: SavedOutput | undefined;
  /** What the model was sent instead of the result. */
  readonly replaced: { readonly why: 'budget' | 'duplicate'; readonly content: readonly ContentBlock[] } | undefined;
  readonly sameAs: CallId | undefined;
  readonly staleFiles: readonly string[];
  readonly contextChanges: readonly string[];
  /** Processes alive after the call's end; undefined where it was not looked at. */
  readonly survivors: readonly { readonly pid: number; readonly command: string }[] | undefined;
};

/** A call as the events so far tell it. `run` is undefined for a call that ended without ever starting. */
export type ToolCall =
  | (Base & { readonly phase: 'queued' })
  | (Base & { readonly phase: 'executing'; readonly run: Run })
  | (Base & { readonly phase: 'completed'; readonly run: Run | undefined; readonly end: End })
  | (Base & {
      readonly phase: 'yielded';
      readonly run: Run | undefined;
      readonly end: End;
      readonly yieldedAt: SessionTime;
    });

export type CallEvent = EventOf<
  | 'call-blocked'
  | 'call-started'
  | 'stage-started'
  | 'stage-ended'
  | 'call-progressed'
  | 'call-input-changed'
  | 'call-observed'
  | 'call-cancelled'
  | 'call-completed'
  | 'call-yielded'
  | 'result-saved'
  | 'result-deduplicated'
  | 'result-replaced'
  | 'reads-went-stale'
  | 'context-modified'
  | 'permission-asked'
  | 'permission-settled'
  | 'classifier-started'
  | 'classifier-ended'
  | 'process-spawned'
  | 'process-ended'
  | 'process-tree-ended'
  | 'call-paused'
  | 'call-resumed'
  | 'fault-injected'
>;

export const queued = (e: EventOf<'call-queued'>): ToolCall => ({
  phase: 'queued',
  callId: e.callId,
  agentId: e.agentId,
  messageId: e.messageId,
  index: e.index,
  tool: e.tool,
  input: e.input,
  summary: e.summary,
  safety: e.safety,
  onInterrupt: e.onInterrupt,
  queuedAt: e.t,
  waits: [],
  stages: [],
  asks: [],
  classified: [],
  pauses: [],
  faults: [],
  hookRuns: [],
  processes: [],
  observed: {},
  changedInput: undefined,
  permission: undefined,
  progress: undefined,
  cancellation: undefined,
  saved: undefined,
  replaced: undefined,
  sameAs: undefined,
  staleFiles: [],
  contextChanges: [],
  survivors: undefined,
});

const closeLast = <T extends { readonly until: SessionTime | undefined }>(spans: readonly T[], t: SessionTime) => {
  const last = spans.at(-1);
  if (last === undefined || last.until !== undefined) return spans;
  return [...spans.slice(0, -1), { ...last, until: t }];
};

/** The only way from one state of a call to the next. An event that does not fit the phase leaves the call as it is. */
export function evolve(call: ToolCall, e: CallEvent): ToolCall {
  switch (e.type) {
    case 'call-blocked':
      if (call.phase !== 'queued') return call;
      return {
        ...call,
        waits: [...closeLast(call.waits, e.t), { why: e.why, by: e.by, from: e.t, until: undefined }],
      };
    case 'call-started':
      if (call.phase !== 'queued') return call;
      return {
        ...call,
        phase: 'executing',
        waits: closeLast(call.waits, e.t),
        run: { lane: e.lane, batchId: e.batchId, at: e.t, timing: e.timing },
      };
    case 'stage-started':
      return {
        ...call,
        stages: [...call.stages, { stage: e.stage, from: e.t, until: undefined, verdict: undefined }],
      };
    case 'stage-ended':
      return { ...call, stages: endStage(call.stages, e) };
    case 'call-progressed':
      if (hasEnded(call)) return call;
      return { ...call, progress: { bytes: e.bytes, lines: e.lines, tail: e.tail } };
    case 'call-input-changed':
      return { ...call, changedInput: { by: e.by, input: e.input } };
    case 'call-observed':
      return { ...call, observed: { ...call.observed, ...e.fields } };
    case 'call-cancelled':
      return { ...call, cancellation: cancellation(call, e) };
    case 'call-completed':
      return complete(call, e);
    case 'call-yielded':
      return call.phase === 'completed' ? { ...call, phase: 'yielded', yieldedAt: e.t } : call;
    case 'result-saved':
      return { ...call, saved: { path: e.path, bytes: e.bytes, found: e.found, limit: e.limit } };
    case 'result-deduplicated':
      return { ...call, sameAs: e.sameAs };
    case 'result-replaced':
      return { ...call, replaced: call.replaced ?? { why: e.why, content: e.content } };
    case 'reads-went-stale':
      return { ...call, staleFiles: [...call.staleFiles, ...e.files] };
    case 'context-modified':
      return { ...call, contextChanges: [...call.contextChanges, ...e.changes] };
    case 'permission-asked':
    case 'permission-settled':
      return evolvePermission(call, e);
    case 'classifier-started':
    case 'classifier-ended':
      return { ...call, classified: evolveClassified(call.classified, e) };
    case 'process-spawned':
    case 'process-ended':
    case 'process-tree-ended':
      return evolveProcesses(call, e);
    case 'call-paused':
      if (hasEnded(call)) return call;
      return {
        ...call,
        pauses: [...call.pauses, { why: e.why, breakpointId: e.breakpointId, from: e.t, until: undefined }],
      };
    case 'call-resumed':
      return { ...call, pauses: closeLast(call.pauses, e.t) };
    case 'fault-injected':
      return { ...call, faults: [...call.faults, e.kind] };
    default:
      return assertNever(e, 'call event');
  }
}

/** A stronger reason may come while the call is stopping: the last one told counts, stopping began with the first. */
const cancellation = (call: ToolCall, e: EventOf<'call-cancelled'>): Cancellation => ({
  reason: e.reason,
  culprit: e.culprit,
  hadStarted: e.hadStarted,
  at: call.cancellation?.at ?? e.t,
});

function evolvePermission(call: ToolCall, e: EventOf<'permission-asked' | 'permission-settled'>): ToolCall {
  if (e.type === 'permission-settled') {
    return {
      ...call,
      asks: closeLast(call.asks, e.t),
      permission: { verdict: e.verdict, by: e.by, trace: e.trace, feedback: e.feedback, at: e.t },
    };
  }
  if (hasEnded(call)) return call;
  const ask: Ask = { askId: e.askId, question: e.question, trace: e.trace, from: e.t, until: undefined };
  return { ...call, asks: [...call.asks, ask] };
}

function evolveClassified(
  classified: readonly Classified[],
  e: EventOf<'classifier-started' | 'classifier-ended'>,
): readonly Classified[] {
  if (e.type === 'classifier-started') return [...classified, { name: e.name, from: e.t, end: undefined }];
  const at = classified.findLastIndex(({ name, end }) => name === e.name && end === undefined);
  const open = classified[at];
  if (open === undefined) return classified;
  return classified.with(at, { ...open, end: { at: e.t, verdict: e.verdict, reason: e.reason, ms: e.ms } });
}

function evolveProcesses(
  call: ToolCall,
  e: EventOf<'process-spawned' | 'process-ended' | 'process-tree-ended'>,
): ToolCall {
  switch (e.type) {
    case 'process-spawned':
      return {
        ...call,
        processes: [
          ...call.processes,
          { pid: e.pid, command: e.command, from: e.t, until: undefined, code: undefined, signal: undefined },
        ],
      };
    case 'process-ended':
      return {
        ...call,
        processes: call.processes.map((p) =>
          p.pid === e.pid && p.until === undefined ? { ...p, until: e.t, code: e.code, signal: e.signal } : p,
        ),
      };
    case 'process-tree-ended':
      return { ...call, survivors: e.survivors };
    default:
      return assertNever(e, 'process event');
  }
}

function endStage(stages: readonly StageSpan[], e: EventOf<'stage-ended'>): readonly StageSpan[] {
  const at = stages.findLastIndex((span) => span.stage === e.stage && span.until === undefined);
  const open = stages[at];
  if (open === undefined) return stages;
  return stages.with(at, { ...open, until: e.t, verdict: e.verdict });
}

const hasEnded = (call: ToolCall): call is Extract<ToolCall, { readonly end: End }> => 'end' in call;

function complete(call: ToolCall, e: EventOf<'call-completed'>): ToolCall {
  if (hasEnded(call)) return call;
  return {
    ...call,
    phase: 'completed',
    run: call.phase === 'executing' ? call.run : undefined,
    waits: closeLast(call.waits, e.t),
    stages: closeLast(call.stages, e.t),
    asks: closeLast(call.asks, e.t),
    pauses: closeLast(call.pauses, e.t),
    end: { at: e.t, outcome: e.outcome, exit: e.exit, failed: e.failed, result: e.result, timing: e.timing },
  };
}

/** Does it wait at a breakpoint now? */
export const isPaused = (call: ToolCall): boolean => {
  const pause = call.pauses.at(-1);
  return pause !== undefined && pause.until === undefined;
};

/** The result of an ended call as the model was sent it. */
export const sentResult = (call: Extract<ToolCall, { end: End }>): ToolResult =>
  call.replaced === undefined ? call.end.result : { ...call.end.result, content: [...call.replaced.content] };
