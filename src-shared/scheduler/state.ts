import type { BatchId, CallId } from '../ids.ts';
import type { BlockedBy, CancelReason } from '../tool-call/event.ts';
import type { Lanes } from './lanes.ts';
import type { BatchKind, CallPhase, MessageEnd, ScheduledCall, SchedulerOptions } from './types.ts';

/** Calls that hold the lock together: a batch of the `batch` strategy, or what ran at once under the others. */
export type Group = {
  readonly id: BatchId;
  readonly kind: BatchKind;
  /** The planned batch before this one. Only under `batch`. */
  readonly before?: readonly CallId[] | undefined;
};

/** Why a queued call does not start, and whom it waits for. */
export type Wait = { readonly why: BlockedBy; readonly by: readonly CallId[] };

/** One call in the scheduler's hands. Changed in place: a message may hold 10,000 of them. */
export type Entry = {
  readonly call: ScheduledCall;
  /** Position in the message. */
  readonly index: number;
  phase: CallPhase;
  /** Meaningful while executing. */
  lane: number;
  /** Planned under `batch` when the message ends. */
  group: Group | undefined;
  /** The strongest reason it was told to cancel for. */
  cancelled: CancelReason | undefined;
  /** Why it waits, as told last, and for whom if that was one call. The list itself is not kept: it would add up. */
  toldWhy: BlockedBy | undefined;
  toldBy: CallId | undefined;
};

/**
 * What the strategies look at. Calls start strictly in call order under every strategy, so the queue is the tail of
 * `entries` from `head` on. (Spec 1.4 lets the scan skip a safe call that cannot start; but what keeps a safe call from
 * starting, an unsafe one running or no free lane, keeps everything behind it too.)
 */
export type State = {
  readonly options: SchedulerOptions;
  readonly entries: Entry[];
  /** Index of the first queued call; the number of entries when none is queued. */
  head: number;
  readonly running: Lanes<Entry>;
  /** The unsafe call that is executing. Never more than one, and nothing beside it. */
  exclusive: Entry | undefined;
  /** The last unsafe call that was added, in whatever phase. */
  lastUnsafe: Entry | undefined;
  messageEnd: MessageEnd | undefined;
  /** The open group. */
  group: Group | undefined;
  /** The wait for a lane as it is now, shared by all who wait; forgotten with every start. */
  laneWait: Wait | undefined;
};

export const newEntry = (call: ScheduledCall, index: number): Entry => ({
  call,
  index,
  phase: 'queued',
  lane: 0,
  group: undefined,
  cancelled: undefined,
  toldWhy: undefined,
  toldBy: undefined,
});

export const idOf = (entry: Entry): CallId => entry.call.callId;

export const inCallOrder = (a: Entry, b: Entry): number => a.index - b.index;
