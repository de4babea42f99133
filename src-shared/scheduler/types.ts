import type { BatchId, CallId } from '../ids.ts';
import type { CascadePolicy, Strategy } from '../session/settings.ts';
import type { BlockedBy, CancelReason } from '../tool-call/event.ts';

/** What the scheduler knows of a call. Everything else (input, result) is somebody else's business. */
export type ScheduledCall = {
  readonly callId: CallId;
  /** May run beside other safe calls (spec 1.2). */
  readonly safe: boolean;
  /** What the cascade policies distinguish (spec 1.8). */
  readonly kind: 'bash-read-only' | 'bash-mutating' | 'write' | 'other';
  /** `cancel`: a new user message stops it while it runs; `block`: it runs to its end (spec 1.7). */
  readonly onInterrupt: 'cancel' | 'block';
  /** Its input has not come whole: it never starts and counts as cut off (spec 1.9). */
  readonly broken?: true;
};

export type SchedulerOptions = {
  readonly strategy: Strategy;
  /** Lanes: the most calls that run at once. A positive integer. */
  readonly cap: number;
  readonly cascade: CascadePolicy;
  /**
   * `after-message`: unsafe calls are held until the message has ended well (spec 1.9). Safe calls start at once, except
   * behind a held unsafe one: nothing overtakes it. Streaming only.
   */
  readonly startUnsafe: 'at-once' | 'after-message';
  /** Ids are passed in, so that the same input always gives the same decisions. */
  readonly newBatchId: () => BatchId;
};

/** `safe`: its calls run beside each other; `exclusive`: one call alone. */
export type BatchKind = 'safe' | 'exclusive';

/**
 * What is to be done now, in this order. The scheduler has already changed its own state accordingly: a call that is
 * told to start counts as executing, a queued call that is cancelled counts as completed.
 */
export type Decision =
  | {
      readonly type: 'batch-planned';
      readonly batchId: BatchId;
      readonly kind: BatchKind;
      readonly callIds: readonly CallId[];
    }
  /** A group opens with its first start and closes when its last running call has ended; only `batch` plans it before. */
  | { readonly type: 'batch-started'; readonly batchId: BatchId; readonly kind: BatchKind }
  | { readonly type: 'batch-ended'; readonly batchId: BatchId }
  /** Lanes are numbered from 0; the lowest free one is taken. */
  | { readonly type: 'start'; readonly callId: CallId; readonly lane: number; readonly batchId: BatchId }
  /**
   * Told when a call is added and cannot start, and again when it comes to wait for others or for another reason
   * (`waiting.ts` has the rule, which keeps the whole message linear). Not told again: that one of several holders has
   * ended, or that the call it was ordered behind now holds the lock. `by` is empty for `message-open`, `hold` and
   * `settings`, and names at most 16 calls for `no-lane`.
   */
  | { readonly type: 'blocked'; readonly callId: CallId; readonly why: BlockedBy; readonly by: readonly CallId[] }
  /**
   * `hadStarted`: abort its signal and wait for `settle`. Otherwise it must never start; no `settle` follows. A running
   * call may be told again for a stronger reason (spec 1.7: discarded, then sibling_error, then the rest): the last counts.
   */
  | {
      readonly type: 'cancel';
      readonly callId: CallId;
      readonly reason: CancelReason;
      readonly culprit?: CallId;
      readonly hadStarted: boolean;
    }
  /**
   * Told once, before the first victim's `cancel`; the victims are those cancelled at this moment. Calls that are added
   * later fall too, each by a `cancel` of its own that names the culprit. Not told as long as nobody falls.
   */
  | {
      readonly type: 'cascade';
      readonly culprit: CallId;
      readonly policy: CascadePolicy;
      readonly victims: readonly CallId[];
    }
  /** Apply the context modifiers of these settled calls now, in this (call) order (spec 1.6). Nothing is executing. */
  | { readonly type: 'apply-modifiers'; readonly callIds: readonly CallId[] }
  /** Hand this call's result to the agent loop. Always in call order, exactly once a call, except after a discard. */
  | { readonly type: 'yield'; readonly callId: CallId }
  /** True iff everything executing is `cancel` (and something is). Told on change only. */
  | { readonly type: 'interruptible'; readonly value: boolean };

/** How a call that had been started came to its end. */
export type Settlement = {
  /**
   * Its own failure (not its cancellation, not an exit code that is no error): may start a cascade. The failure of a
   * call that had been told to cancel never does.
   */
  readonly failed: boolean;
  /** It returned a context modifier, and its own result is the one that counts. */
  readonly modifies: boolean;
};

/** How the assistant message ended: `cut-off` and `refused` keep unsafe calls that have not started from starting. */
export type MessageEnd = 'well' | 'refused' | 'cut-off';

export type CallPhase = 'queued' | 'executing' | 'completed' | 'yielded';

/** One assistant message's executor core. No clock, no promise, no I/O: each input returns what to do now. */
export interface Scheduler {
  /**
   * A call's block has arrived. After a cascade, an interrupt or a discard it is cancelled at once.
   * @throws CallAddedTwice, CallAddedTooLate: bugs of the caller.
   */
  add(call: ScheduledCall): readonly Decision[];
  /**
   * No more calls will come. After `refused` and `cut-off` the queued unsafe calls are cancelled for that reason; queued
   * safe ones still run. A second end is ignored.
   */
  messageEnded(how: MessageEnd): readonly Decision[];
  /** A started call has come to its end. Settling one that is not executing is ignored. */
  settle(callId: CallId, how: Settlement): readonly Decision[];
  /**
   * `interrupt`: queued calls and executing ones that say `cancel`. Every other reason: every call; `sibling_error` is
   * that of a call above, whose `culprit` is none of these calls.
   */
  interrupt(reason: Exclude<CancelReason, 'discarded'>, culprit?: CallId): readonly Decision[];
  /** The model's stream broke: nothing starts, nothing is yielded or applied any more (spec 1.9). */
  discard(): readonly Decision[];
  /**
   * Debugger: while held nothing starts; `step` lets exactly the next startable call go (spec 4.4). If none can start at
   * the moment, the step waits for the first that can; steps do not pile up, and letting go of the hold forgets it.
   */
  hold(on: boolean): readonly Decision[];
  step(): readonly Decision[];
  phaseOf(callId: CallId): CallPhase | undefined;
  /** The message has ended and every call has been yielded; or the executor was discarded and nothing executes. */
  readonly done: boolean;
}
