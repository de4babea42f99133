import type { CallId } from '../../../../src-shared/ids.ts';
import type { Strategy } from '../../../../src-shared/session/settings.ts';
import type { BlockedBy, CancelReason, Exit, Outcome } from '../../../../src-shared/tool-call/event.ts';
import type { TimeSource } from '../../../../src-shared/tool-call/timing.ts';
import type { AgentStory, CallStory, MessageStory, Moment } from './story.ts';

/** A moment as best it can be told. All in wall ms; the truth lies in `earliest … latest`. */
export type BestTime = {
  readonly at: number;
  readonly source: TimeSource | 'measured';
  readonly earliest: number;
  readonly latest: number;
};

export type Refusal = {
  readonly by: 'rule' | 'hook' | 'no-user' | 'classifier' | 'user';
  readonly text: string;
  readonly feedback: string | undefined;
};

/** What became of a call. */
export type Verdict = {
  readonly outcome: Outcome;
  readonly exit: Exit | undefined;
  readonly refusal: Refusal | undefined;
  readonly cancel: { readonly reason: CancelReason; readonly culprit: string | undefined } | undefined;
};

export type PlayedStart = {
  readonly moment: Moment;
  /** What let it go: its own block, the end of the message, the end of another call. */
  readonly cause: 'block' | 'message' | 'previous-call';
  readonly batchId: string;
  /** It answered out of turn; the start lies directly before the end. */
  readonly outOfTurn: boolean;
};
export type PlayedWait = {
  readonly callId: string;
  readonly why: BlockedBy;
  readonly by: readonly CallId[];
  readonly moment: Moment;
};
export type PlayedBatch = { readonly batchId: string; readonly kind: 'safe' | 'exclusive' };
export type PlannedBatch = PlayedBatch & { readonly callIds: readonly CallId[]; readonly moment: Moment };

/** When and in which batches the calls of one message ran, as far as it is recorded or was worked out. */
export type Reconstruction = {
  readonly strategy: Strategy;
  readonly starts: ReadonlyMap<string, PlayedStart>;
  readonly waits: readonly PlayedWait[];
  readonly batches: readonly PlayedBatch[];
  readonly plans: readonly PlannedBatch[];
  readonly safe: ReadonlyMap<string, boolean>;
};

/** A message with all that is to be told of its calls. */
export type JudgedMessage = {
  readonly message: MessageStory;
  readonly verdicts: ReadonlyMap<string, Verdict>;
  readonly ends: ReadonlyMap<string, Moment>;
  readonly played: Reconstruction;
  /** The best start of each call that ran. */
  readonly starts: ReadonlyMap<string, BestTime>;
  /** Bounds of ends that are neither the time of a result's line nor open. */
  readonly endTimes: ReadonlyMap<string, BestTime>;
  /** Each culprit with the calls that were cancelled because of it, in call order. */
  readonly cascades: ReadonlyMap<string, readonly string[]>;
  /** When a person stopped the turn while calls of this message were open. */
  readonly stoppedAt: Moment | undefined;
};

/** A sub-agent with its place in the session. */
export type LinkedAgent = {
  readonly story: AgentStory;
  readonly agentId: string;
  readonly parentCall: CallStory | undefined;
  readonly depth: number;
  readonly name: string;
  readonly agentType: string;
  readonly prompt: string;
};

/** A result that lies in a file of its own. */
export type SavedOutput = { readonly path: string; readonly bytes: number; readonly found: boolean };
