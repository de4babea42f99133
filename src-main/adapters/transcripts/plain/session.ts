import type { StopReason, Usage } from '../../../../src-shared/model/event.ts';
import type { EventFacts, TurnEnd } from '../../../../src-shared/session/event.ts';
import type { ToolResult } from '../../../../src-shared/tool-call/content.ts';
import type { CancelReason, Exit, Outcome } from '../../../../src-shared/tool-call/event.ts';
import type { BestTime, Refusal } from '../common/judged.ts';

/** A call with its result, as formats have it that keep both in one place. Times are wall ms throughout. */
export type PlainCall = {
  /** As the file names it; undefined where it does not. */
  readonly id: string | undefined;
  readonly tool: string;
  readonly input: unknown;
  /** When the model had asked for it, where that is later than its message. */
  readonly askedAt: number | undefined;
  /** `never`: it was refused or cancelled before it ran, and is a mark. */
  readonly start: BestTime | 'unknown' | 'never';
  /** `open`: no end was recorded. */
  readonly end: BestTime | 'unknown' | 'open';
  /** Calls of one message with the same number ran together as far as the file tells; undefined: their times tell. */
  readonly group: number | undefined;
  readonly outcome: Outcome;
  readonly exit: Exit | undefined;
  readonly refusal: Refusal | undefined;
  readonly cancel: CancelReason | undefined;
  readonly result: ToolResult | undefined;
  readonly isShell: boolean;
};

export type PlainBlock =
  | { readonly kind: 'text' | 'thinking'; readonly text: string; readonly at: number | undefined }
  | { readonly kind: 'call'; readonly call: PlainCall }
  | { readonly kind: 'other'; readonly raw: unknown; readonly at: number | undefined };

/** One answer of the model. */
export type PlainMessage = {
  readonly kind: 'message';
  readonly agent: string;
  readonly at: number | undefined;
  /** When it was whole, where that was recorded. */
  readonly until: number | undefined;
  /** When the model was asked, where that was recorded. */
  readonly askedAt: number | undefined;
  readonly id: string | undefined;
  readonly model: string;
  readonly blocks: readonly PlainBlock[];
  readonly usage: Usage;
  readonly stopReason: StopReason;
  /** The model's server answered with an error. */
  readonly failed: boolean;
  /** The session went on without it: it was taken back, or stands on a branch that was left. */
  readonly left: boolean;
};

/** `prompt` starts a turn, `said` does not, `interrupt` is the mark of one. */
export type PlainEntry = {
  readonly kind: 'entry';
  readonly agent: string;
  readonly at: number | undefined;
  readonly text: string;
  readonly says: 'prompt' | 'said' | 'interrupt';
  readonly from: 'person' | 'program';
};

export type PlainMark = {
  readonly kind: 'mark';
  readonly agent: string;
  readonly at: number | undefined;
  /** `ended`: the file says that the turn ended but not how. */
  readonly says: 'begun' | 'ended' | TurnEnd;
  readonly message: string | undefined;
};

/** A fact that becomes an event as it stands. */
export type PlainFact = { readonly kind: 'fact'; readonly at: number | undefined; readonly facts: EventFacts };

/** What a session did, one after the other as the file has it. */
export type PlainStep = PlainMessage | PlainEntry | PlainMark | PlainFact;

/** A sub-agent. The main agent is named `main` and stands in no list. */
export type PlainAgent = {
  readonly key: string;
  readonly name: string;
  readonly agentType: string;
  readonly prompt: string;
  /** The recorded id of the call that started it. */
  readonly parentCallId: string | undefined;
};

/** A session of another program in plain words, the same for every format that is read this way. */
export type PlainSession = {
  readonly sessionId: string | undefined;
  readonly title: string | undefined;
  readonly cwd: string | undefined;
  readonly version: string | undefined;
  /** When the session began, where that was recorded apart from its steps. */
  readonly startedAt: number | undefined;
  readonly steps: readonly PlainStep[];
  readonly agents: readonly PlainAgent[];
};

export const MAIN = 'main';
