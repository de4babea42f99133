import type { ForkedFrom } from '../history/event.ts';
import { applyContext, applyHistory, type Compaction, type CopiedHistory, type SeenFile } from '../history/state.ts';
import type { AgentId, BatchId, CallId, HookRunId, MessageId, RequestId, SessionId, TurnId } from '../ids.ts';
import { applyMcp, type McpServer } from '../mcp/state.ts';
import type { ModelChoice } from '../model/choice.ts';
import type { Block, PromptSource, StopReason, Usage } from '../model/event.ts';
import type { MessageImage } from '../model/image.ts';
import { applyShell, type Shell } from '../shell/state.ts';
import type { Todo } from '../todo/event.ts';
import type { CancelReason } from '../tool-call/event.ts';
import { evolve, queued, type ToolCall } from '../tool-call/state.ts';
import type { Timing } from '../tool-call/timing.ts';
import { type Instant, instant, type SessionTime, sessionTime } from '../units.ts';
import { applyDebugger, type DebuggerState, NO_DEBUGGER } from './apply-debugger.ts';
import { applyAgent, applyBatch, applyHook, joinBatch } from './apply-groups.ts';
import { applyModel } from './apply-model.ts';
import { applyEntry, applySession, applyTurn } from './apply-session.ts';
import { applyTodos } from './apply-todos.ts';
import type { EventOf, Origin, SessionEvent, TurnEnd } from './event.ts';
import { defaultSettings, type SessionSettings } from './settings.ts';

export type Turn = {
  readonly turnId: TurnId;
  readonly agentId: AgentId;
  readonly from: SessionTime;
  readonly end:
    | { readonly at: SessionTime; readonly reason: TurnEnd; readonly message: string | undefined }
    | undefined;
};

/** One request to the model: waiting for the first block, streaming, ended. */
export type ModelRequest = {
  readonly requestId: RequestId;
  readonly agentId: AgentId;
  readonly turnId: TurnId;
  readonly attempt: number;
  /** `compact`: its answer is a summary and no message. */
  readonly purpose: 'compact' | undefined;
  readonly from: SessionTime;
  readonly timing: Timing;
  readonly messageId: MessageId | undefined;
  readonly model: string | undefined;
  readonly firstBlockAt: SessionTime | undefined;
  /** When each block arrived, for the ticks in the model track. */
  readonly blockTimes: readonly SessionTime[];
  readonly end:
    | { readonly at: SessionTime; readonly kind: 'completed'; readonly stopReason: StopReason; readonly usage: Usage }
    | {
        readonly at: SessionTime;
        readonly kind: 'failed';
        readonly message: string;
        readonly retryInMs: number | undefined;
      }
    | undefined;
};

export type UserMessage = {
  readonly kind: 'user';
  readonly messageId: MessageId;
  readonly agentId: AgentId;
  readonly text: string;
  readonly from: 'person' | 'program';
  readonly images: readonly MessageImage[];
  readonly at: SessionTime;
};
export type AssistantMessage = {
  readonly kind: 'assistant';
  readonly messageId: MessageId;
  readonly agentId: AgentId;
  readonly requestId: RequestId;
  readonly at: SessionTime;
  readonly blocks: readonly Block[];
  /** The block that is still on its way, as far as it has come. */
  readonly growing:
    | {
        readonly kind: 'text' | 'thinking' | 'tool-use';
        readonly text: string;
        readonly size: number;
        readonly tool: string | undefined;
      }
    | undefined;
  readonly discarded: boolean;
  /** The server refused the thoughts of the agent's earlier messages. */
  readonly thoughtsRefused?: true;
};
export type Notice = {
  readonly kind: 'notice';
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
  readonly detail: string | undefined;
  readonly at: SessionTime;
};
/** What the conversation shows, in order. */
export type Entry = UserMessage | AssistantMessage | Notice;

export type Agent = {
  readonly agentId: AgentId;
  readonly parentCallId: CallId | undefined;
  readonly depth: number;
  readonly name: string;
  readonly agentType: string;
  readonly prompt: string;
  readonly definedIn: string | undefined;
  /** Names of the tools it may use; undefined where it was not recorded. */
  readonly tools: readonly string[] | undefined;
  readonly model: string | undefined;
  readonly from: SessionTime;
  readonly until: SessionTime | undefined;
  /** How it ended and what it took, where it was recorded. */
  readonly end: Pick<EventOf<'agent-ended'>, 'reason' | 'calls' | 'tokens'> | undefined;
};

/** Calls that held the lock together (streaming), or the batch that was planned (batch, serial). */
export type Batch = {
  readonly batchId: BatchId;
  readonly agentId: AgentId;
  readonly messageId: MessageId;
  readonly kind: 'safe' | 'exclusive';
  readonly from: SessionTime | undefined;
  readonly until: SessionTime | undefined;
  /** Grows in place as calls start that were not planned for it. */
  readonly callIds: readonly CallId[];
};

export type Cascade = {
  readonly culprit: CallId;
  readonly policy: string;
  readonly victims: readonly CallId[];
  readonly at: SessionTime;
};

export type HookRun = {
  readonly runId: HookRunId;
  readonly callId: CallId | undefined;
  readonly hookEvent: string;
  readonly matcher: string | undefined;
  readonly command: string;
  /** The settings file that the hook stands in. */
  readonly source: string | undefined;
  readonly from: SessionTime;
  readonly timing: Timing;
  readonly end:
    | {
        readonly at: SessionTime;
        readonly exitCode: number | undefined;
        readonly outcome: EventOf<'hook-ended'>['outcome'];
        readonly stdout: string;
        readonly stderr: string;
        readonly effects: readonly string[];
        /** What the user should know of it. */
        readonly notice: string | undefined;
      }
    | undefined;
};

/** What an agent has set itself to do, as it last said. */
export type TodoList = { readonly agentId: AgentId; readonly todos: readonly Todo[] };

export type QueuedMessage = {
  readonly messageId: MessageId;
  readonly text: string;
  readonly images: readonly MessageImage[];
  readonly at: SessionTime;
};

/** What an agent is told of itself and its surroundings, the same in every request. */
export type Prompt = {
  readonly agentId: AgentId;
  readonly text: string;
  readonly sources: readonly PromptSource[];
};

/**
 * A session as its events so far tell it. Plain data, but for speed the collections grow in place: one `apply` costs
 * the same at the first and at the 100,000th event. The entries themselves are never changed, only replaced.
 */
export type SessionState = {
  /** Sequence number the next event must have. */
  nextSeq: number;
  sessionId: SessionId | undefined;
  title: string;
  cwd: string;
  app: string;
  origin: Origin | undefined;
  settings: SessionSettings;
  /** What they were before, too: all that were in force, each with its first moment. The mode is not followed here. */
  readonly settingsLog: { readonly from: SessionTime; readonly settings: SessionSettings }[];
  /** Where answers come from; undefined where a scenario plays or the session was read from a file. */
  model: ModelChoice | undefined;
  /** One an agent. */
  readonly prompts: Prompt[];
  /** Of requests that are none of the conversation: what they were for is told elsewhere. */
  readonly asides: Usage[];
  /** Who chose the title last. */
  titleBy: EventOf<'title-changed'>['by'];
  /** Wall time of session time 0, and session time of the newest event. */
  startedAt: Instant;
  now: SessionTime;
  ended: EventOf<'session-ended'>['reason'] | undefined;
  /** Another program writes it, and its lines are read as they come. Set by who reads them; no event tells it. */
  followed: boolean;
  readonly calls: ToolCall[];
  readonly callIndex: Record<string, number>;
  readonly turns: Turn[];
  readonly requests: ModelRequest[];
  readonly entries: Entry[];
  readonly agents: Agent[];
  readonly batches: Batch[];
  readonly cascades: Cascade[];
  readonly hookRuns: HookRun[];
  /** Commands that go on behind their calls, in the order of their starts. */
  readonly shells: Shell[];
  /** At most one an agent. */
  readonly todoLists: TodoList[];
  /** In the order in which they were first met. */
  mcpServers: readonly McpServer[];
  queuedMessages: readonly QueuedMessage[];
  readonly interrupts: { readonly reason: CancelReason; readonly at: SessionTime }[];
  debugger: DebuggerState;
  readonly compactions: Compaction[];
  /** Of a fork. */
  forkedFrom: ForkedFrom | undefined;
  /** Of a fork whose history is whole. */
  history: CopiedHistory | undefined;
  /** Where agents work that have left the session's folder. */
  readonly folders: { readonly agentId: AgentId; readonly cwd: string }[];
  /** At most one for an agent and a path. */
  readonly seenFiles: SeenFile[];
  readonly stops: { readonly callId: CallId | undefined; readonly reason: string; readonly at: SessionTime }[];
};

export const emptySession = (): SessionState => ({
  nextSeq: 0,
  sessionId: undefined,
  title: '',
  cwd: '',
  app: '',
  origin: undefined,
  settings: defaultSettings(),
  settingsLog: [],
  model: undefined,
  prompts: [],
  asides: [],
  titleBy: undefined,
  startedAt: instant(0),
  now: sessionTime(0),
  ended: undefined,
  followed: false,
  calls: [],
  callIndex: Object.create(null) as Record<string, number>,
  turns: [],
  requests: [],
  entries: [],
  agents: [],
  batches: [],
  cascades: [],
  hookRuns: [],
  shells: [],
  todoLists: [],
  mcpServers: [],
  queuedMessages: [],
  interrupts: [],
  debugger: NO_DEBUGGER,
  compactions: [],
  forkedFrom: undefined,
  history: undefined,
  folders: [],
  seenFiles: [],
  stops: [],
});

/** Folds events into a new state. */
export function foldSession(events: Iterable<SessionEvent>): SessionState {
  const state = emptySession();
  for (const event of events) apply(state, event);
  return state;
}

export const callById = (state: SessionState, id: CallId): ToolCall | undefined => {
  const at = state.callIndex[id];
  return at === undefined ? undefined : state.calls[at];
};

/** Adds one event to the state, in place. Events must come in the order of `seq`. */
export function apply(state: SessionState, e: SessionEvent): void {
  state.nextSeq = e.seq + 1;
  if (e.t > state.now) state.now = e.t;
  switch (e.type) {
    case 'session-started':
    case 'session-resumed':
    case 'session-ended':
    case 'title-changed':
    case 'settings-changed':
    case 'mode-changed':
      applySession(state, e);
      return;
    case 'turn-started':
    case 'turn-ended':
    case 'interrupt-requested':
    case 'continuation-stopped':
      applyTurn(state, e);
      return;
    case 'user-message-added':
    case 'user-message-queued':
    case 'user-message-unqueued':
    case 'notice-given':
      applyEntry(state, e);
      return;
    case 'model-chosen':
    case 'prompt-prepared':
    case 'request-started':
    case 'message-started':
    case 'block-arrived':
    case 'block-growing':
    case 'message-completed':
    case 'request-failed':
    case 'attempt-discarded':
      applyModel(state, e);
      return;
    case 'agent-started':
    case 'agent-ended':
      applyAgent(state, e);
      return;
    case 'batch-planned':
    case 'batch-started':
    case 'batch-ended':
      applyBatch(state, e);
      return;
    case 'hook-started':
    case 'hook-ended':
      applyHook(state, e);
      return;
    case 'shell-started':
    case 'shell-progressed':
    case 'shell-read':
    case 'shell-ended':
      applyShell(state.shells, e);
      return;
    case 'queue-held':
    case 'queue-stepped':
    case 'breakpoints-changed':
    case 'faults-changed':
      applyDebugger(state, e);
      return;
    case 'fault-injected':
      applyDebugger(state, e);
      applyCall(state, e);
      return;
    case 'todos-changed':
      applyTodos(state, e);
      return;
    case 'mcp-server-changed':
      state.mcpServers = applyMcp(state.mcpServers, e);
      return;
    case 'context-compacted':
    case 'history-copied':
      applyHistory(state, e);
      return;
    case 'context-modified':
      applyContext(state, e);
      applyCall(state, e);
      return;
    case 'call-spent':
      state.asides.push(e.usage);
      return;
    case 'classifier-ended':
      if (e.usage !== undefined) state.asides.push(e.usage);
      applyCall(state, e);
      return;
    case 'cascade-triggered':
      state.cascades.push({ culprit: e.culprit, policy: e.policy, victims: e.victims, at: e.t });
      return;
    case 'call-queued':
      if (state.callIndex[e.callId] !== undefined) return;
      state.callIndex[e.callId] = state.calls.length;
      state.calls.push(queued(e));
      return;
    default:
      applyCall(state, e);
  }
}

type CallEventInState = Parameters<typeof evolve>[1];

function applyCall(state: SessionState, e: CallEventInState): void {
  const at = state.callIndex[e.callId];
  const call = at === undefined ? undefined : state.calls[at];
  if (at === undefined || call === undefined) return;
  const next = evolve(call, e);
  state.calls[at] = next;
  if (e.type === 'call-started' && next !== call) joinBatch(state, e);
}
