import { assertNever } from '../assert-never.ts';
import type { CallId } from '../ids.ts';
import type { BlockedBy, Stage } from '../tool-call/event.ts';
import type { ToolCall, Wait } from '../tool-call/state.ts';

/** What a stretch of a lane bar is: waiting for a hook or a person, at a breakpoint, work, writing the output; `empty`: nothing ran. */
export type PartKind = 'hooks' | 'permission' | 'paused' | 'running' | 'saving' | 'empty';

/** `until` is undefined while the stretch goes on. */
export type BarPart = { readonly kind: PartKind; readonly from: number; readonly until: number | undefined };

/** What a stretch of a queue bar waits for: nobody in particular, another call, or a person who holds the queue. */
export type QueuePartKind = 'queued' | 'lock' | 'held';
export type QueuePart = {
  readonly kind: QueuePartKind;
  readonly from: number;
  readonly until: number | undefined;
  readonly by: readonly CallId[];
};

/**
 * The right end of a bar: how it ended. `open` still runs; `cut` was stopped early; `barred` was not allowed;
 * `struck` finished but was thrown away; `torn` is not known.
 */
export type EndShape = 'round' | 'cross' | 'cut' | 'barred' | 'struck' | 'torn' | 'open';

/** Small signs on a bar, most telling first. */
export type Mark = 'saved' | 'same-as' | 'stale' | 'edited' | 'hook-changed' | 'fault';

const PART_OF_STAGE: Readonly<Record<Stage, PartKind | undefined>> = {
  'look-up': undefined,
  schema: undefined,
  validate: undefined,
  'hooks-before': 'hooks',
  permission: undefined,
  run: undefined,
  map: undefined,
  save: 'saving',
  'hooks-after': 'hooks',
};

export type EndedCall = Extract<ToolCall, { phase: 'completed' | 'yielded' }>;
export const isEnded = (call: ToolCall): call is EndedCall => call.phase === 'completed' || call.phase === 'yielded';

/** When the call left the queue: its start, or its end when it never started. Undefined while it waits. */
export function queueEnd(call: ToolCall): number | undefined {
  if (call.phase === 'queued') return undefined;
  return call.run?.at ?? (isEnded(call) ? call.end.at : undefined);
}

/** The end of the bar in its lane; undefined while the call runs. */
export const runEnd = (call: ToolCall): number | undefined => (isEnded(call) ? call.end.at : undefined);

/** Nothing of the call itself ran: a person, a rule or a hook said no. */
const wasBarred = (call: ToolCall): boolean =>
  isEnded(call) && (call.end.outcome === 'rejected' || call.end.outcome === 'denied');

type Span = { readonly kind: PartKind; readonly from: number; readonly until: number | undefined };

/** Spans that are not plain work, by start. A question outranks a stage it lies in. */
function specialSpans(call: ToolCall): Span[] {
  const spans: Span[] = [];
  for (const stage of call.stages) {
    const kind = PART_OF_STAGE[stage.stage];
    if (kind !== undefined) spans.push({ kind, from: stage.from, until: stage.until });
  }
  for (const ask of call.asks) spans.push({ kind: 'permission', from: ask.from, until: ask.until });
  for (const pause of call.pauses) spans.push({ kind: 'paused', from: pause.from, until: pause.until });
  return spans.sort((a, b) => a.from - b.from);
}

/**
 * The bar of a call that has started, cut into stretches without gaps, from its start to its end. Calls that never
 * started have none. What is neither hook, question nor saving counts as work (`running`).
 */
export function barParts(call: ToolCall): readonly BarPart[] {
  const run = call.phase === 'queued' ? undefined : call.run;
  if (run === undefined) return [];
  const end = runEnd(call);
  const limit = end ?? Number.POSITIVE_INFINITY;
  const plain: PartKind = wasBarred(call) && !call.stages.some((stage) => stage.stage === 'run') ? 'empty' : 'running';
  const parts: BarPart[] = [];
  let at: number = run.at;
  const push = (kind: PartKind, from: number, until: number): void => {
    if (until <= from) return;
    const last = parts.at(-1);
    const open = until === Number.POSITIVE_INFINITY ? undefined : until;
    if (last !== undefined && last.kind === kind) parts[parts.length - 1] = { kind, from: last.from, until: open };
    else parts.push({ kind, from, until: open });
  };
  for (const span of specialSpans(call)) {
    const from = Math.max(span.from, at);
    const until = Math.min(span.until ?? limit, limit);
    if (until <= from) continue;
    push(plain, at, from);
    push(span.kind, from, until);
    at = until;
  }
  push(plain, at, limit);
  if (parts.length === 0) parts.push({ kind: plain, from: run.at, until: end });
  return parts;
}

const QUEUE_KIND: Readonly<Record<BlockedBy, QueuePartKind>> = {
  lock: 'lock',
  order: 'lock',
  batch: 'lock',
  'no-lane': 'queued',
  'message-open': 'queued',
  settings: 'queued',
  hold: 'held',
};

const queueKind = (wait: Wait): QueuePartKind => {
  const kind = QUEUE_KIND[wait.why];
  return kind === 'lock' && wait.why === 'batch' && wait.by.length === 0 ? 'queued' : kind;
};

/** Is it other calls that the wait is for? */
export const isForOthers = (wait: Wait): boolean => queueKind(wait) === 'lock';

/** The queue bar of a call, cut by what it waited for, without gaps, from its arrival to its start (or its end). */
export function queueParts(call: ToolCall): readonly QueuePart[] {
  const end = queueEnd(call);
  const limit = end ?? Number.POSITIVE_INFINITY;
  const parts: QueuePart[] = [];
  const push = (kind: QueuePartKind, by: readonly CallId[], from: number, until: number): void => {
    if (until <= from) return;
    const last = parts.at(-1);
    const open = until === Number.POSITIVE_INFINITY ? undefined : until;
    if (last !== undefined && last.kind === kind) {
      const holders = [...last.by, ...by.filter((id) => !last.by.includes(id))];
      parts[parts.length - 1] = { kind, from: last.from, until: open, by: holders };
    } else parts.push({ kind, from, until: open, by });
  };
  let at: number = call.queuedAt;
  for (const wait of call.waits) {
    const from = Math.max(wait.from, at);
    push('queued', [], at, Math.min(from, limit));
    const until = Math.min(wait.until ?? limit, limit);
    push(queueKind(wait), wait.by, from, until);
    at = Math.max(at, until);
  }
  push('queued', [], at, limit);
  return parts;
}

/** The shape of the bar's right end. A session that is over has no open ends: what has no end there is `torn`. */
export function endShape(call: ToolCall, isOver: boolean): EndShape {
  if (!isEnded(call)) return isOver ? 'torn' : 'open';
  const { outcome } = call.end;
  switch (outcome) {
    case 'ok':
      return 'round';
    case 'error':
      return 'cross';
    case 'rejected':
    case 'denied':
      return 'barred';
    case 'cancelled':
    case 'interrupted':
      return 'cut';
    case 'discarded':
      return 'struck';
    case 'unknown':
      return 'torn';
    default:
      return assertNever(outcome, 'outcome');
  }
}

/** The dotted line under the lane: finished, but its result waits for earlier ones. `until` undefined: it still does. */
export function heldSpan(
  call: ToolCall,
  isOver: boolean,
): { readonly from: number; readonly until: number | undefined } | undefined {
  if (call.phase === 'yielded' && call.run !== undefined && call.yieldedAt > call.end.at) {
    return { from: call.end.at, until: call.yieldedAt };
  }
  if (call.phase !== 'completed' || call.run === undefined || isOver) return undefined;
  return call.end.outcome === 'discarded' ? undefined : { from: call.end.at, until: undefined };
}

/** The signs on a call's bar. `isStale`: a later call changed the file that this one had read. */
export function marksOf(call: ToolCall, isStale: boolean): readonly Mark[] {
  const marks: Mark[] = [];
  if (call.saved !== undefined) marks.push('saved');
  if (isStale) marks.push('stale');
  if (call.changedInput !== undefined) marks.push(call.changedInput.by === 'user' ? 'edited' : 'hook-changed');
  if (call.faults.length > 0) marks.push('fault');
  if (call.sameAs !== undefined) marks.push('same-as');
  return marks;
}

/** How much of a bar is guessed: from its start to `startUntil`, and from `endFrom` to its end (spec 6.2). */
export function inferredSpans(call: ToolCall): { readonly startUntil?: number; readonly endFrom?: number } {
  const run = call.phase === 'queued' ? undefined : call.run;
  if (run === undefined) return {};
  const found: { startUntil?: number; endFrom?: number } = {};
  if (run.timing.certainty === 'inferred') found.startUntil = Math.max(run.at, run.timing.latest);
  if (isEnded(call) && call.end.timing.certainty === 'inferred') {
    found.endFrom = Math.max(run.at, Math.min(call.end.at, call.end.timing.earliest));
  }
  return found;
}

/** How bad a bar is, for merged pixels: the highest number wins the colour (design 4). */
export const KIND = { ok: 0, unknown: 1, lock: 2, human: 3, cancelled: 4, error: 5 } as const;
export type KindNumber = (typeof KIND)[keyof typeof KIND];

/** The kind of a started call: by its outcome, and a person while one is asked. */
export function barKind(call: ToolCall): KindNumber {
  if (!isEnded(call)) {
    if (call.cancellation !== undefined) return KIND.cancelled;
    return call.asks.some((ask) => ask.until === undefined) ? KIND.human : KIND.ok;
  }
  const { outcome } = call.end;
  switch (outcome) {
    case 'ok':
      return KIND.ok;
    case 'error':
      return KIND.error;
    case 'denied':
      return KIND.error;
    case 'rejected':
    case 'interrupted':
      return KIND.human;
    case 'cancelled':
      return KIND.cancelled;
    case 'discarded':
    case 'unknown':
      return KIND.unknown;
    default:
      return assertNever(outcome, 'outcome');
  }
}
