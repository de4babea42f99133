import { type AgentId, type BatchId, type CallId, MAIN_AGENT } from '../ids.ts';
import type { Batch, HookRun, ModelRequest, SessionState } from '../session/state.ts';
import type { Shell } from '../shell/state.ts';
import type { ToolCall } from '../tool-call/state.ts';
import { AgentRows } from './agent-rows.ts';
import { agentOrder, titleOf } from './agent-tree.ts';
import { GrowingBars } from './bars.ts';
import { CascadeBook } from './cascades.ts';
import { isEnded, KIND } from './parts.ts';
import { ShellRows } from './shell-rows.ts';
import { SpanSet } from './spans.ts';
import { StaleBook } from './stale.ts';
import {
  type AgentTrack,
  FOLD_AFTER_MS,
  type FrameSpan,
  type ProcessTrack,
  type TimelineModel,
  type TimelineOptions,
} from './tracks.ts';
import { callLabel } from './words.ts';

const OPEN = Number.POSITIVE_INFINITY;

const ALWAYS = (): boolean => true;

/** Between two looks at the clock so many items are taken over, well under a millisecond. */
const AT_ONCE = 256;

/** Takes over the items that are others than at the last look. True when it got through. */
function scan<T>(
  list: readonly T[],
  seen: T[],
  mayGoOn: () => boolean,
  take: (item: T, index: number, before: T | undefined) => void,
): boolean {
  let taken = 0;
  for (let i = 0; i < list.length; i++) {
    const item = list[i] as T;
    const before = seen[i];
    if (item === before) continue;
    if (taken > 0 && taken % AT_ONCE === 0 && !mayGoOn()) return false;
    seen[i] = item;
    take(item, i, before);
    taken++;
  }
  return true;
}

/** What is known of a batch beyond the state: where its started calls lie. */
type BatchSpan = { firstLane: number; lastLane: number; count: number; from: number; lastEnd: number };

/**
 * Keeps a timeline model in step with a session that grows. An update looks at every call's identity (a pointer
 * comparison) and does work only for those that changed, so following a session costs the same at its first and at its
 * 100,000th call. The columns are shared between the models it returns.
 */
export class TimelineBuilder {
  private readonly state: SessionState;
  private readonly seenCalls: ToolCall[] = [];
  private readonly seenRequests: ModelRequest[] = [];
  private readonly seenBatches: Batch[] = [];
  private readonly seenHooks: HookRun[] = [];
  private readonly seenShells: Shell[] = [];
  private readonly rows = new Map<AgentId, AgentRows>();
  private readonly batchIndex = new Map<BatchId, number>();
  /** By id, not by index: a file may tell of a call before its batch. */
  private readonly batchSpans = new Map<BatchId, BatchSpan>();
  private readonly changedBatches = new Set<BatchId>();
  private readonly requestNumbers: number[] = [];
  private readonly requestCounts = new Map<string, number>();
  private readonly asks = new GrowingBars();
  private readonly decisions = new GrowingBars();
  private readonly hooks = new GrowingBars();
  private readonly shells = new ShellRows();
  private readonly activity = new SpanSet(FOLD_AFTER_MS);
  private readonly openCalls = new Set<number>();
  private readonly openRequests = new Set<number>();
  private readonly openHooks = new Set<number>();
  private readonly openShells = new Set<number>();
  private readonly openAsks = new Map<CallId, number>();
  private readonly cascades = new CascadeBook();
  private readonly stale = new StaleBook();
  private wasOver = false;
  private isBehind = false;
  private folds: TimelineModel['folds'] = [];

  /** The state may grow in place; a builder belongs to the one object it was made for. */
  constructor(state: SessionState) {
    this.state = state;
    this.rowsOf(MAIN_AGENT);
  }

  /** Does the last model hold all that its session held then? */
  get isWhole(): boolean {
    return !this.isBehind;
  }

  /**
   * The model as far as it is known. A session that is opened or sought in may hold a million calls: while `mayGoOn` says
   * so it takes over what is new, and the next update goes on from there. Gaps are told only of what is whole, or what is
   * still missing would be one.
   */
  update(options: TimelineOptions, mayGoOn: () => boolean = ALWAYS): TimelineModel {
    const { state } = this;
    this.isBehind = false;
    const isOver = state.ended !== undefined;
    const until = Math.max(state.now, isOver ? 0 : options.now);
    if (isOver !== this.wasOver) this.touchOpenBatches();
    this.wasOver = isOver;
    this.takeAll(state, mayGoOn);
    this.finish(isOver);
    if (this.isWhole) this.folds = this.activity.gaps(0, this.openSince(isOver));
    // Sub-agents have turns too, and theirs end before that of the main agent.
    const turn = state.turns.findLast(({ agentId }) => agentId === MAIN_AGENT) ?? state.turns.at(-1);
    const openTurn = turn !== undefined && turn.end === undefined;
    const open = this.openCalls.size + this.openRequests.size + this.openHooks.size + this.openShells.size;
    const isRunning = !isOver && (openTurn || open > 0);
    return {
      state,
      until,
      isOver,
      isRunning,
      clock: state.origin?.kind === 'imported' ? state.origin.clock : 'recorded',
      agents: this.agentTracks(options),
      requestNumbers: this.requestNumbers,
      asks: this.asks,
      decisions: this.decisions,
      hooks: this.hooks,
      shells: this.shells.rows,
      processes: this.processTrack(options.selectedCall),
      cascades: this.cascades.marks(state),
      frameOf: (index) => this.frameOf(index),
      folds: this.folds,
      askNumbers: this.askNumbers(isOver),
      isStale: (index) => this.stale.has(index),
    };
  }

  private takeAll(state: SessionState, mayGoOn: () => boolean): void {
    this.isBehind =
      !scan(state.batches, this.seenBatches, mayGoOn, (batch, i) => this.takeBatch(batch, i)) ||
      !scan(state.requests, this.seenRequests, mayGoOn, (request, i, before) => this.takeRequest(request, i, before)) ||
      !scan(state.calls, this.seenCalls, mayGoOn, (call, i, before) => this.takeCall(call, i, before)) ||
      !scan(state.hookRuns, this.seenHooks, mayGoOn, (run, i) => this.takeHook(run, i)) ||
      !scan(state.shells, this.seenShells, mayGoOn, (shell, i) => this.takeShell(shell, i));
  }

  /** When a session ends (or is resumed), frames without an end get one (or lose it). */
  private touchOpenBatches(): void {
    for (const batch of this.seenBatches) if (batch.until === undefined) this.changedBatches.add(batch.batchId);
  }

  private rowsOf(agentId: AgentId): AgentRows {
    let rows = this.rows.get(agentId);
    if (rows === undefined) {
      rows = new AgentRows(agentId);
      this.rows.set(agentId, rows);
    }
    return rows;
  }

  private takeBatch({ batchId }: Batch, index: number): void {
    this.batchIndex.set(batchId, index);
    this.changedBatches.add(batchId);
  }

  private takeRequest(request: ModelRequest, index: number, before: ModelRequest | undefined): void {
    if (before === undefined) {
      const key = `${request.turnId} ${request.agentId}`;
      const count = (this.requestCounts.get(key) ?? 0) + (request.attempt > 1 || request.purpose !== undefined ? 0 : 1);
      this.requestCounts.set(key, Math.max(1, count));
      this.requestNumbers[index] = Math.max(1, count);
    }
    this.coverRetryWait(request, index);
    const end = request.end?.at;
    const kind = request.end?.kind === 'failed' ? KIND.error : KIND.unknown;
    this.rowsOf(request.agentId).requests.put(index, request.from, end ?? OPEN, kind);
    this.track(this.openRequests, index, request.from, end);
    if (request.end?.kind === 'failed') this.takeBroken(request);
  }

  /** A request that failed in the middle of its message has thrown that message away. */
  private takeBroken({ agentId, messageId }: ModelRequest): void {
    if (messageId === undefined) return;
    const message = this.state.entries.findLast((entry) => entry.kind !== 'notice' && entry.messageId === messageId);
    if (message?.kind === 'assistant' && message.discarded) this.rowsOf(agentId).discard(messageId);
  }

  /** The wait before a further try is part of the request, however long it was: no gap to fold. */
  private coverRetryWait({ agentId, attempt, from }: ModelRequest, index: number): void {
    if (attempt === 1) return;
    for (let i = index - 1; i >= 0; i--) {
      const before = this.seenRequests[i] as ModelRequest;
      if (before.agentId !== agentId) continue;
      if (before.end !== undefined) this.activity.add(before.end.at, Math.max(before.end.at, from));
      return;
    }
  }

  private takeCall(call: ToolCall, index: number, before: ToolCall | undefined): void {
    this.rowsOf(call.agentId).take(index, call, before);
    this.takeMember(call, before);
    for (const ask of call.asks) this.asks.put(index, ask.from, ask.until ?? OPEN, KIND.human);
    const settled = call.permission;
    if (settled !== undefined && !call.asks.some((ask) => ask.until === settled.at)) {
      this.decisions.put(index, settled.at, settled.at, settled.verdict === 'deny' ? KIND.error : KIND.ok);
    }
    const openAsk = call.phase === 'executing' ? call.asks.find((ask) => ask.until === undefined) : undefined;
    if (openAsk === undefined) this.openAsks.delete(call.callId);
    else this.openAsks.set(call.callId, openAsk.from);
    const end = call.phase === 'yielded' ? call.yieldedAt : isEnded(call) ? call.end.at : undefined;
    this.track(this.openCalls, index, call.queuedAt, end);
    this.cascades.take(call, index);
    this.stale.take(call, index, before);
  }

  /** Adds a call to its batch's span when it starts, and its end when it ends. */
  private takeMember(call: ToolCall, before: ToolCall | undefined): void {
    const run = call.phase === 'queued' ? undefined : call.run;
    if (run === undefined) return;
    let span = this.batchSpans.get(run.batchId);
    if (span === undefined) {
      span = { firstLane: run.lane, lastLane: run.lane, count: 0, from: run.at, lastEnd: 0 };
      this.batchSpans.set(run.batchId, span);
    }
    const wasMember = before !== undefined && before.phase !== 'queued' && before.run !== undefined;
    if (!wasMember) {
      span.firstLane = Math.min(span.firstLane, run.lane);
      span.lastLane = Math.max(span.lastLane, run.lane);
      span.from = Math.min(span.from, run.at);
      span.count++;
    }
    if (isEnded(call)) span.lastEnd = Math.max(span.lastEnd, call.end.at);
    this.changedBatches.add(run.batchId);
  }

  private takeHook(run: HookRun, index: number): void {
    this.hooks.put(index, run.from, run.end?.at ?? OPEN, KIND.ok);
    this.track(this.openHooks, index, run.from, run.end?.at);
  }

  /** Not activity of its own: a server that runs for hours would keep every pause from being folded. */
  private takeShell(shell: Shell, index: number): void {
    this.shells.take(shell, index);
    if (shell.end === undefined) this.openShells.add(index);
    else this.openShells.delete(index);
  }

  private track(open: Set<number>, index: number, from: number, until: number | undefined): void {
    if (until === undefined) open.add(index);
    else {
      open.delete(index);
      this.activity.add(from, until);
    }
  }

  /** When the first thing that still goes on began: no gap after that. */
  private openSince(isOver: boolean): number {
    if (isOver) return Math.max(0, this.state.now);
    let since = OPEN;
    for (const i of this.openCalls) since = Math.min(since, (this.seenCalls[i] as ToolCall).queuedAt);
    for (const i of this.openRequests) since = Math.min(since, (this.seenRequests[i] as ModelRequest).from);
    for (const i of this.openHooks) since = Math.min(since, (this.seenHooks[i] as HookRun).from);
    return since;
  }

  private finish(isOver: boolean): void {
    for (const batchId of this.changedBatches) {
      const index = this.batchIndex.get(batchId);
      const span = this.batchSpans.get(batchId);
      if (index === undefined || span === undefined) continue;
      const batch = this.seenBatches[index] as Batch;
      const closed = batch.until ?? (isOver ? span.lastEnd : undefined);
      const until = closed === undefined ? OPEN : Math.max(closed, span.lastEnd);
      this.rowsOf(batch.agentId).frames.put(index, span.from, until, batch.kind === 'exclusive' ? 1 : 0);
    }
    this.changedBatches.clear();
    for (const rows of this.rows.values()) rows.finish();
    this.asks.finish();
    this.decisions.finish();
    this.hooks.finish();
    this.shells.finish();
  }

  private frameOf(index: number): FrameSpan {
    const batchId = this.seenBatches[index]?.batchId;
    const span = batchId === undefined ? undefined : this.batchSpans.get(batchId);
    return span ?? { firstLane: 0, lastLane: 0, count: 0 };
  }

  private askNumbers(isOver: boolean): ReadonlyMap<CallId, number> {
    if (isOver || this.openAsks.size === 0) return new Map();
    const order = [...this.openAsks].sort((a, b) => a[1] - b[1]);
    return new Map(order.map(([callId], at) => [callId, at + 1]));
  }

  private processTrack(selected: CallId | undefined): ProcessTrack | undefined {
    const index = selected === undefined ? undefined : this.state.callIndex[selected];
    const call = index === undefined ? undefined : this.state.calls[index];
    if (call === undefined || call.processes.length === 0) return undefined;
    const { tool, argument } = callLabel(call);
    return { call, title: `of ${argument === '' ? tool : argument}` };
  }

  private agentTracks({ collapsedAgents }: TimelineOptions): readonly AgentTrack[] {
    const { state } = this;
    return agentOrder(state, [...this.rows.keys()]).map(({ agentId, name, path, depth }) => {
      const rows = this.rowsOf(agentId);
      const isMain = agentId === MAIN_AGENT;
      const collapsed = collapsedAgents.includes(agentId);
      return {
        agentId,
        isMain,
        name,
        title: titleOf(path),
        depth,
        collapsed,
        requests: rows.requests,
        lanes: rows.lanes,
        queue: { lines: rows.lines, all: rows.waits, overflow: rows.overflow },
        frames: rows.frames,
        attempts: rows.discardedAttempts((item) => state.calls[item] as ToolCall),
        single: collapsed ? rows.singleRow((item) => state.calls[item] as ToolCall) : undefined,
        cap: state.settings.cap,
      };
    });
  }
}

/** Builds the whole model at once. A view that follows a session keeps a `TimelineBuilder` instead. */
export const buildTimeline = (state: SessionState, options: TimelineOptions): TimelineModel =>
  new TimelineBuilder(state).update(options);
