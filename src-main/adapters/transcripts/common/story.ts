import type { StopReason, Usage } from '../../../../src-shared/model/event.ts';
import type { EventFacts, TurnEnd } from '../../../../src-shared/session/event.ts';
import type { ToolResult } from '../../../../src-shared/tool-call/content.ts';
import type { Fields } from './fields.ts';

/**
 * Where a line stands: in time and in the files. Filled in once all lines are read where the line itself has no time
 * (it then has the time of the line before it), so it is the one thing here that changes.
 */
export type Place = {
  /** Wall time in ms. NaN until it is known. */
  at: number;
  /** Order among lines of the same time: file by file, line by line. */
  readonly ord: number;
  /** The line has a time of its own. */
  readonly timed: boolean;
};

/** Before, at or after each other, in time and then in the files. */
export const compare = (a: Moment, b: Moment): number => a.at - b.at || a.ord - b.ord;
/** A place whose time is known. */
export type Moment = { readonly at: number; readonly ord: number };
export const isBefore = (a: Moment, b: Moment): boolean => compare(a, b) < 0;
/** Of what has not ended: after all lines there are and will be. */
export const NEVER: Moment = { at: Number.POSITIVE_INFINITY, ord: 0 };
export const isKnown = (moment: Moment): boolean => moment.at < Number.POSITIVE_INFINITY;
export const later = <T extends Moment>(a: T, b: T): T => (isBefore(a, b) ? b : a);

/** What one recorded result says. */
export type ResultStory = {
  readonly place: Place;
  readonly agentKey: string;
  /** As the model saw it. */
  readonly shown: ToolResult;
  /** The short facts of the structured twin that stands beside it; whole outputs in it are not kept twice. */
  readonly facts: Fields;
  /** The twin, where it is a plain text. */
  readonly twinText: string | undefined;
  readonly denialKind: string | undefined;
};

/** What lines other than use and result tell about when a call really ran. */
export type Evidence = {
  /** From `bash_progress`: time of the line less the elapsed time it names. Good to a second. Wall ms, as all here. */
  readonly bashStart?: number;
  /** From `mcp_progress`: exact. */
  readonly mcpStart?: number;
  /** First line of the sub-agent the call started. */
  readonly agentStart?: number;
  /** End of the last PreToolUse hook of the call. */
  readonly hookEnd?: number;
};

/** The notification that work in the background has ended. */
export type BackgroundEnd = {
  readonly callId: string | undefined;
  readonly taskId: string | undefined;
  readonly status: string;
  readonly exitCode: number | undefined;
  readonly place: Place;
};

export type CallStory = {
  readonly id: string;
  readonly agentKey: string;
  readonly message: MessageStory;
  readonly index: number;
  readonly tool: string;
  readonly input: unknown;
  readonly queued: Place;
  readonly file: string;
  readonly line: number;
  evidence: Evidence;
  result: ResultStory | undefined;
  /** The id of the command in the background that it started. */
  shellId: string | undefined;
  /** A PreToolUse hook refused it: what the hook said. */
  hookDenial: string | undefined;
  /** It only started work that went on; this is when and how that work ended. */
  background: BackgroundEnd | undefined;
};

export type BlockStory =
  | { readonly kind: 'text' | 'thinking'; readonly text: string; readonly place: Place }
  | { readonly kind: 'call'; readonly call: CallStory; readonly place: Place }
  | { readonly kind: 'other'; readonly raw: unknown; readonly place: Place };

export type MessageStory = {
  readonly id: string;
  readonly agentKey: string;
  readonly requestId: string | undefined;
  readonly model: string;
  /** The permission mode that was in force. */
  mode: string;
  /** It stands in the file of one sub-agent, whose lines do not tell the mode. */
  readonly ofAgentFile?: boolean;
  readonly version: string | undefined;
  readonly first: Place;
  /** When the model was asked for it, in wall ms, where that was recorded. */
  readonly askedAt?: number | undefined;
  readonly calls: CallStory[];
  readonly blocks: BlockStory[];
  readonly lineUuids: string[];
  last: Place;
  usage: Usage;
  stopReason: StopReason;
  /** The text of an error of the API, put in the place of an answer. */
  apiError: boolean;
  /** Replaced by a later one, or on a branch that was left. */
  discardedAt: Place | undefined;
};

/** Something in the conversation that is not of the model. */
export type EntryStory = {
  readonly place: Place;
  readonly agentKey: string;
  readonly uuid: string | undefined;
  readonly parentUuid: string | undefined;
  readonly text: string;
  /** `prompt`: a person's words that start a turn; `said`: added without starting one; `interrupt`: the mark of one. */
  readonly kind: 'prompt' | 'said' | 'interrupt';
  readonly from: 'person' | 'program';
};

/** Ends of turns that the file names, and where a stream begins one (it does not repeat the prompt). */
export type TurnMark = {
  readonly place: Place;
  readonly agentKey: string;
  /** `ended`: the file says that it ended but not how. */
  readonly kind: 'begun' | 'ended' | TurnEnd;
  readonly message: string | undefined;
};

export type HookStory = {
  readonly place: Place;
  readonly callId: string | undefined;
  readonly event: string;
  readonly name: string | undefined;
  readonly command: string;
  readonly durationMs: number | undefined;
  /** The line stands at the hook's start, and its end was not recorded. */
  readonly startOnly: boolean;
  readonly exitCode: number | undefined;
  readonly outcome: 'ok' | 'allow' | 'ask' | 'deny' | 'error' | 'timed-out' | 'cancelled' | 'stopped';
  readonly stdout: string;
  readonly stderr: string;
  readonly effects: string[];
};

/** A fact that becomes an event as it stands. */
export type FactStory = { readonly place: Place; readonly facts: EventFacts };

export type AgentStory = {
  /** How lines name it before it is known who it is. */
  readonly key: string;
  /** Id it gets in the session. */
  agentId: string;
  first: Place;
  last: Place;
  prompt: string | undefined;
  /** The call that started it, as far as lines or files name one. */
  parentCallId: string | undefined;
  description: string | undefined;
  agentType: string | undefined;
  spawnDepth: number | undefined;
};

/** Everything the files of a session say, by kind rather than by line. */
export type Story = {
  readonly sessionId: string | undefined;
  readonly cwd: string | undefined;
  readonly version: string | undefined;
  readonly title: string | undefined;
  /** At least one line has a time. */
  readonly timed: boolean;
  readonly firstAt: number;
  readonly last: Place;
  readonly agents: ReadonlyMap<string, AgentStory>;
  readonly messages: readonly MessageStory[];
  readonly calls: ReadonlyMap<string, CallStory>;
  readonly entries: readonly EntryStory[];
  readonly turnMarks: readonly TurnMark[];
  readonly hooks: readonly HookStory[];
  readonly facts: readonly FactStory[];
};

export const MAIN_KEY = 'main';
