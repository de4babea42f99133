import type { AgentId, MessageId } from '../ids.ts';
import type { ToolCall } from '../tool-call/state.ts';
import { type BarColumns, GrowingBars } from './bars.ts';
import { barKind, isEnded, isForOthers, KIND, queueEnd, runEnd } from './parts.ts';
import { QueueLines } from './queue-lines.ts';
import { type DiscardedAttempt, type Overflow, QUEUE_LINES } from './tracks.ts';

const OPEN = Number.POSITIVE_INFINITY;

/** Waits shorter than this are the scheduler's own time: no queue bar. */
const SHORTEST_WAIT_MS = 1;

const runOf = (call: ToolCall) => (call.phase === 'queued' ? undefined : call.run);

/** The growing rows of one agent. */
export class AgentRows {
  readonly agentId: AgentId;
  readonly requests = new GrowingBars();
  readonly lanes: GrowingBars[] = [];
  readonly frames = new GrowingBars();
  readonly waits = new GrowingBars();
  private readonly packed = new QueueLines(QUEUE_LINES);
  private readonly thrownAway = new Set<string>();
  /** Where the calls of the messages that were thrown away ran; undefined where one of them has changed. */
  private attempts: readonly DiscardedAttempt[] | undefined = [];
  private readonly calls: number[] = [];
  private single: GrowingBars | undefined;
  private queueChanged = false;

  constructor(agentId: AgentId) {
    this.agentId = agentId;
  }

  /** Takes over what is now known of a call. `before` is what was known at the last look. */
  take(item: number, call: ToolCall, before: ToolCall | undefined): void {
    if (before === undefined) this.calls.push(item);
    this.single = undefined;
    this.takeWait(item, call);
    const run = runOf(call);
    if (run === undefined) return;
    while (this.lanes.length <= run.lane) this.lanes.push(new GrowingBars());
    const end = runEnd(call) ?? OPEN;
    (this.lanes[run.lane] as GrowingBars).put(item, run.at, end, barKind(call));
    if (isEnded(call) && call.end.outcome === 'discarded') this.thrownAway.add(call.messageId);
    if (this.thrownAway.size > 0 && this.thrownAway.has(call.messageId)) this.attempts = undefined;
  }

  private takeWait(item: number, call: ToolCall): void {
    const end = queueEnd(call);
    const neverStarted = end !== undefined && runOf(call) === undefined;
    if (end !== undefined && end - call.queuedAt < SHORTEST_WAIT_MS && !neverStarted) {
      // It may have been seen while it still waited.
      const before = this.waits.length;
      this.waits.remove(item, call.queuedAt);
      this.queueChanged ||= this.waits.length !== before;
      return;
    }
    let kind: number = KIND.unknown;
    if (neverStarted) kind = barKind(call);
    else if (call.waits.some(isForOthers)) kind = KIND.lock;
    this.waits.put(item, call.queuedAt, end ?? OPEN, kind);
    this.queueChanged = true;
  }

  /** The stream of this message broke: nothing of it was used, whatever had ended well before. */
  discard(messageId: MessageId): void {
    this.thrownAway.add(messageId);
    this.attempts = undefined;
  }

  get lines(): readonly GrowingBars[] {
    return this.packed.lines;
  }

  get overflow(): readonly Overflow[] {
    return this.packed.overflow;
  }

  finish(): void {
    for (const lane of this.lanes) lane.finish();
    this.requests.finish();
    this.frames.finish();
    const { changedFrom } = this.waits;
    this.waits.finish();
    if (!this.queueChanged) return;
    this.queueChanged = false;
    this.packed.pack(this.waits, changedFrom);
  }

  discardedAttempts(callOf: (item: number) => ToolCall): readonly DiscardedAttempt[] {
    this.attempts ??= this.findAttempts(callOf);
    return this.attempts;
  }

  /** Looks at all calls: attempts are few, and to note where each message ran would cost every session. */
  private findAttempts(callOf: (item: number) => ToolCall): readonly DiscardedAttempt[] {
    const found = new Map<string, DiscardedAttempt>();
    for (const item of this.calls) {
      const call = callOf(item);
      if (!isEnded(call) || call.run === undefined || !this.thrownAway.has(call.messageId)) continue;
      const { lane, at } = call.run;
      const known = found.get(call.messageId);
      found.set(call.messageId, {
        from: Math.min(known?.from ?? at, at),
        until: Math.max(known?.until ?? call.end.at, call.end.at),
        firstLane: Math.min(known?.firstLane ?? lane, lane),
        lastLane: Math.max(known?.lastLane ?? lane, lane),
      });
    }
    return [...this.thrownAway].flatMap((messageId) => found.get(messageId) ?? []);
  }

  /** One row out of all calls: where several overlap, a question wins, then what still goes on, then the longest. */
  singleRow(callOf: (item: number) => ToolCall): BarColumns {
    this.single ??= this.buildSingle(callOf);
    return this.single;
  }

  private buildSingle(callOf: (item: number) => ToolCall): GrowingBars {
    const spans = this.calls.map((item) => {
      const call = callOf(item);
      const run = runOf(call);
      const until = runEnd(call) ?? OPEN;
      const asks = call.phase === 'executing' && call.asks.some((ask) => ask.until === undefined);
      return { item, call, from: (run?.at ?? call.queuedAt) as number, until, rank: asks ? 2 : until === OPEN ? 1 : 0 };
    });
    spans.sort((a, b) => a.from - b.from);
    const kept: typeof spans = [];
    for (const span of spans) {
      const last = kept.at(-1);
      if (last === undefined || last.until <= span.from) {
        kept.push(span);
        continue;
      }
      const isBetter =
        span.rank !== last.rank ? span.rank > last.rank : span.until - span.from > last.until - last.from;
      if (isBetter) kept[kept.length - 1] = span;
    }
    const row = new GrowingBars();
    for (const { item, call, from, until } of kept) row.put(item, from, until, barKind(call));
    row.finish();
    return row;
  }
}
