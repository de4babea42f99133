import type { AgentId, CallId } from '../ids.ts';
import type { SessionState } from '../session/state.ts';
import type { ToolCall } from '../tool-call/state.ts';
import type { SessionTime } from '../units.ts';
import type { Fold } from './axis.ts';
import type { BarColumns } from './bars.ts';

/** Gaps longer than this with no call, request, hook or question may be folded (design 6). */
export const FOLD_AFTER_MS = 3000;

/** At most this many packed lines of a queue are drawn; the rest is counted. */
export const QUEUE_LINES = 4;

/** A time during which more calls waited than the queue's lines hold. */
export type Overflow = { readonly from: number; readonly until: number; readonly count: number };

/** Calls before their start. `lines[n].items` are call indices; ends are starts in a lane, or the end of the wait. */
export type QueueTrack = {
  readonly lines: readonly BarColumns[];
  /** All waits, those beyond the lines too: the depth of the queue. */
  readonly all: BarColumns;
  readonly overflow: readonly Overflow[];
};

/** Calls of a message whose attempt was thrown away. */
export type DiscardedAttempt = {
  readonly from: number;
  readonly until: number;
  readonly firstLane: number;
  readonly lastLane: number;
};

export type AgentTrack = {
  readonly agentId: AgentId;
  readonly isMain: boolean;
  /** `main agent`, or the sub-agent's name. */
  readonly name: string;
  /** The names above it as well, where the indent ends (deeper than three levels). */
  readonly title: string;
  readonly depth: number;
  readonly collapsed: boolean;
  /** Items are indices into `requests` of the session state. */
  readonly requests: BarColumns;
  /** Lane n is the slot the calls really held. Items are call indices. */
  readonly lanes: readonly BarColumns[];
  readonly queue: QueueTrack;
  /** Items are batch indices; kind 1 is exclusive. */
  readonly frames: BarColumns;
  readonly attempts: readonly DiscardedAttempt[];
  /** The one row of a collapsed agent: its longest running or waiting calls, one at a time. */
  readonly single: BarColumns | undefined;
  /** Most calls that may run at once. */
  readonly cap: number;
};

export type CascadeMark = {
  readonly agentId: AgentId;
  readonly culprit: number;
  readonly victims: readonly number[];
  readonly at: number;
  /** Running time of the victims, thrown away. What never started counts as nothing. */
  readonly lostMs: number;
};

/** Where a batch lies: its lanes and how many of its calls have started. */
export type FrameSpan = { readonly firstLane: number; readonly lastLane: number; readonly count: number };

/** Rows of `processes` are those of the selected call. */
export type ProcessTrack = { readonly call: ToolCall; readonly title: string };

/**
 * What the chart shows, in columns of numbers. The columns grow in place with the session; the object itself is new
 * for every version, so compare it by identity. Nothing here knows of pixels.
 */
export type TimelineModel = {
  readonly state: SessionState;
  /** Time of the newest event, or `now` if that is later. */
  readonly until: number;
  /** No event will follow: what is open was never ended. */
  readonly isOver: boolean;
  /** Something goes on (a call, a request, a hook, a turn): the live edge moves. */
  readonly isRunning: boolean;
  readonly clock: 'recorded' | 'order-only';
  /** Main first, then sub-agents in start order, each under its parent. */
  readonly agents: readonly AgentTrack[];
  /** Number of a request in its turn, by index into the state's requests. A retry has its first try's number. */
  readonly requestNumbers: readonly number[];
  /** Items are call indices; one bar per question. */
  readonly asks: BarColumns;
  /** Decisions nobody was asked for. Bars without length; kind `error` is a denial. */
  readonly decisions: BarColumns;
  /** Items are indices into the state's hook runs. */
  readonly hooks: BarColumns;
  /** Rows of background shells; items are indices into the state's shells. Empty where there are none. */
  readonly shells: readonly BarColumns[];
  readonly processes: ProcessTrack | undefined;
  readonly cascades: readonly CascadeMark[];
  readonly frameOf: (batchIndex: number) => FrameSpan;
  readonly folds: readonly Fold[];
  /** Waiting questions by call, numbered from 1 in the order they were asked: the same number as on their cards. */
  readonly askNumbers: ReadonlyMap<CallId, number>;
  /** Reads whose file was changed by a later call. */
  readonly isStale: (callIndex: number) => boolean;
};

export type TimelineOptions = {
  readonly now: SessionTime;
  readonly collapsedAgents: readonly AgentId[];
  readonly selectedCall?: CallId | undefined;
};

/** The call an item of a lane, queue or question column stands for. */
export const callAt = (model: TimelineModel, item: number): ToolCall => model.state.calls[item] as ToolCall;
