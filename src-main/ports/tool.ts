import type { z } from 'zod';
import type { AgentId, CallId } from '../../src-shared/ids.ts';
import type { Usage } from '../../src-shared/model/event.ts';
import type { PermissionMode, Question } from '../../src-shared/permission/event.ts';
import type { ScheduledCall } from '../../src-shared/scheduler/types.ts';
import type { Todo } from '../../src-shared/todo/event.ts';
import type { ToolResult } from '../../src-shared/tool-call/content.ts';
import type { Exit } from '../../src-shared/tool-call/event.ts';
import type { ApiMessage } from '../core/conversation/api-message.ts';
import type { EditTarget, ToolPermission } from '../core/permission/chain.ts';
import type { CallShells } from './call-shells.ts';

/** Thrown by `call` when it stopped because its signal was aborted. What it had written so far is kept. */
export class CallAborted extends Error {
  override readonly name = 'CallAborted';
  readonly file: { readonly path: string; readonly bytes: number } | undefined;

  constructor(file?: { readonly path: string; readonly bytes: number }) {
    super('the call was stopped');
    this.file = file;
  }
}

/** What is known of a file that was read in this session (spec 2.3). */
export type ReadFile = {
  readonly mtimeMs: number;
  readonly size: number;
  /** SHA-256 of the whole file, hex. */
  readonly hash: string;
  /** The call that read or wrote it. Only what was read stands in the conversation. */
  readonly callId: CallId;
  readonly by: 'read' | 'write';
  /** The lines that were seen; `whole` when all of them. */
  readonly range: 'whole' | { readonly offset: number; readonly limit: number };
  /** The time on disk of which the model was told that the read is out of date; absent when it was not. */
  readonly toldStaleAt?: number;
};

/**
 * What one call can see of the world it runs in. An immutable value: tools return modifiers, and the executor decides
 * when they take effect (spec 1.6).
 */
export type ToolContext = {
  /** Where Bash starts and relative paths are resolved. Absolute. */
  readonly cwd: string;
  /** The session's folder and the ones added to it: inside them reading needs no question. Absolute. */
  readonly directories: readonly string[];
  readonly readFiles: ReadonlyMap<string, ReadFile>;
  readonly todos: readonly Todo[];
  /** Deferred tools whose schemas the model has been sent, by name (spec 2.2). */
  readonly discovered: ReadonlySet<string>;
};
export type Modifier = (context: ToolContext) => ToolContext;

export type ToolProgress = { readonly bytes: number; readonly lines: number; readonly tail: string };

/** An agent that is to work below a call, and what it is to do. */
export type AgentOrder = {
  /** Name of its definition. */
  readonly agentType: string;
  /** A few words for the lane: `Find the tests`. */
  readonly description: string;
  readonly prompt: string;
  /** Overrides the definition's model. */
  readonly model?: string;
};
/** What came of it. Its own calls and messages are events of the session. */
export type AgentReport = {
  readonly agentId: AgentId;
  /** Its last words. */
  readonly text: string;
  /** It could not do its work: the words say why. */
  readonly isError: boolean;
  /** The reason is that a person refused one of its calls: no failure of its own. */
  readonly wasRefused: boolean;
  readonly calls: number;
  readonly tokens: number;
  readonly durationMs: number;
};

/** What a call may ask of the session around it. */
export type CallHost = {
  /**
   * Do the rules, as they are now, let a search show this file? It leaves out the others (spec 3.3). Absolute path.
   * `within`: the file or folder that permission was decided for, by its written name: ask rules for it are answered.
   */
  readonly mayRead: (path: string, within?: string) => boolean;
  /** No rule can leave out anything below this folder: nothing has to be asked file by file. Absolute path. */
  readonly mayReadAll: (folder: string) => boolean;
  /** Runs an agent of its own below the call, until it has no more to say. Ends with the signal, by `CallAborted`. */
  readonly runAgent: (
    call: { readonly callId: CallId; readonly signal: AbortSignal },
    order: AgentOrder,
  ) => Promise<AgentReport>;
  /** Takes effect with the next decision. @throws FailureError when settings forbid the mode. */
  readonly setMode: (mode: PermissionMode) => void;
  readonly mode: () => PermissionMode;
  /** Commands in the background. */
  readonly shells: CallShells;
  /** The conversation of the call's agent, as the model would be sent it now. */
  readonly conversation: () => readonly ApiMessage[];
};

/** What one answer of a model took that was asked beside the conversation. */
export type Spending = { readonly model: string; readonly usage: Usage };

/** What a running call is given besides its input. */
export type RunEnvironment = {
  readonly host: CallHost;
  readonly callId: CallId;
  readonly agentId: AgentId;
  /** Aborted with a `CancelReason` as its reason. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ToolProgress) => void;
  readonly onProcess: (event: ProcessNews) => void;
  /** The call has asked a model by itself: what that took counts in the session, also where the call fails. */
  readonly onSpent: (spent: Spending) => void;
  /** A file of the session's `tool-results` folder which the call may fill while it runs. Its folder exists. */
  readonly outputFile: string;
};

export type ProcessNews =
  | { readonly type: 'spawned'; readonly pid: number; readonly parentPid?: number; readonly command: string }
  | { readonly type: 'ended'; readonly pid: number; readonly code?: number; readonly signal?: string }
  | { readonly type: 'tree-ended'; readonly survivors: readonly { readonly pid: number; readonly command: string }[] };

/** How a call ended from the tool's own point of view. A failing command is news, not an exception. */
export type ToolEnding<O> = {
  readonly output: O;
  readonly isError: boolean;
  /** False: an error for the model that is no failure of the call's own, and cancels no sibling. */
  readonly failed?: false;
  readonly exit?: Exit;
  /** Present when the whole output already lies on disk: its path and size in bytes. */
  readonly file?: { readonly path: string; readonly bytes: number };
  readonly modifier?: Modifier;
  /** What the modifier changes, in words, for the journal. */
  readonly changes?: readonly string[];
  /** Files this call has written; reads of them go stale (spec 2.8). Absolute. */
  readonly wrote?: readonly string[];
};

export type Validation = { readonly ok: true } | { readonly ok: false; readonly message: string };

/**
 * The one contract of all tools (spec 2.10). `I` is the parsed input, `O` what `call` makes and `mapResult` turns into
 * blocks. Adding a tool touches its own file and one line of the registry.
 */
export interface Tool<I = unknown, O = unknown> {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly description: string;
  readonly inputSchema: z.ZodType<I>;
  /**
   * What an input may hold that a person or a hook has changed, where that is more than the model may write: their
   * answers. The same as `inputSchema` when left out.
   */
  readonly changedSchema: z.ZodType<I> | undefined;
  isConcurrencySafe(input: I): boolean;
  /** No input makes it unsafe: agents that have only such tools may run beside others (spec 1.2). */
  readonly isAlwaysSafe: boolean;
  isReadOnly(input: I): boolean;
  interruptBehavior(input: I): 'cancel' | 'block';
  /** Results over this many characters go to disk; `Infinity`: the tool bounds itself and is never saved. */
  readonly maxResultSizeChars: number;
  /** @param host what it may ask of the session, which tests of validation alone leave out. */
  validateInput(input: I, context: ToolContext, host?: CallHost): Promise<Validation>;
  checkPermissions(input: I, context: ToolContext): Promise<ToolPermission>;
  call(input: I, context: ToolContext, run: RunEnvironment): Promise<ToolEnding<O>>;
  mapResult(output: O): ToolResult;
  /** One line for the bar: command, path, pattern. Works on raw input too, which may not fit the schema. */
  summarise(input: unknown): string;
  /** Fields for the screen, added to a clone of the input. Never replaces one. */
  backfillObservableInput(input: I, output: O | undefined): Readonly<Record<string, unknown>>;
  /** Where an edit lands, all links followed; asked when the permission of a call is decided. */
  editTarget(input: I, context: ToolContext): Promise<EditTarget>;
  /** What the cascade policies distinguish (spec 1.8). */
  cascadeKind(input: I): ScheduledCall['kind'];
  /** The model is told its name only; its schema is sent once ToolSearch has found it (spec 2.2). */
  readonly isDeferred: boolean;
  /** JSON Schema for the model, where it was not made of `inputSchema` but the other way round (MCP). */
  readonly jsonSchema: unknown;
  /** How long to wait for the call after its signal was aborted before it is given up, in ms. */
  readonly stopGraceMs: number;
  /** The permission rule that would cover this input next time, in settings syntax. */
  suggestRule(input: I): string | undefined;
  /** What the dialog says; the proposed rule is added by the caller. */
  describeQuestion(input: I, context: ToolContext): Promise<Omit<Question, 'proposedRule'>>;
}

type Required = 'name' | 'description' | 'inputSchema' | 'call' | 'mapResult' | 'summarise';

/**
 * Fills in what a tool does not declare with the careful answers: unsafe, not read-only, runs to its end on a new
 * message, asks for permission.
 */
export function defineTool<I, O>(tool: Pick<Tool<I, O>, Required> & Partial<Omit<Tool<I, O>, Required>>): Tool<I, O> {
  return {
    aliases: [],
    changedSchema: undefined,
    isConcurrencySafe: () => false,
    isAlwaysSafe: false,
    isReadOnly: () => false,
    interruptBehavior: () => 'block',
    maxResultSizeChars: 50_000,
    validateInput: async () => ({ ok: true }),
    checkPermissions: async () => ({ verdict: 'pass', because: `${tool.name} has no opinion` }),
    backfillObservableInput: () => ({}),
    editTarget: async () => 'none',
    cascadeKind: () => 'other',
    stopGraceMs: 2_000,
    isDeferred: false,
    jsonSchema: undefined,
    suggestRule: () => tool.name,
    describeQuestion: async () => ({
      title: `Run ${tool.name}?`,
      reason: `${tool.name} is not known to only read.`,
      risk: 'may change things',
      dangerous: false,
    }),
    ...tool,
  };
}

/** A tool whose type parameters no longer matter: what registries and the executor hold. */
// biome-ignore lint/suspicious/noExplicitAny: input and output types meet only inside one tool; the schema guards them.
export type AnyTool = Tool<any, any>;

export interface ToolRegistry {
  /** By name, then by alias (old names in old transcripts). */
  find(name: string): AnyTool | undefined;
  /** Those of now: servers may come and go. The same array while nothing changes. */
  readonly all: readonly AnyTool[];
}
