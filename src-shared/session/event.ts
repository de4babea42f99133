import { z } from 'zod';
import { debuggerEvents } from '../debugger/event.ts';
import { ForkedFrom, historyEvents } from '../history/event.ts';
import { hookEvents } from '../hook/event.ts';
import { AgentId, CallId, MessageId, SessionId, TurnId } from '../ids.ts';
import { mcpEvents } from '../mcp/event.ts';
import { ModelChoice } from '../model/choice.ts';
import { modelEvents, Usage } from '../model/event.ts';
import { MessageImages } from '../model/image.ts';
import { PermissionMode, permissionEvents } from '../permission/event.ts';
import { processEvents } from '../process/event.ts';
import { shellEvents } from '../shell/event.ts';
import { todoEvents } from '../todo/event.ts';
import { toolCallEvents } from '../tool-call/event.ts';
import { SessionSettings } from './settings.ts';
import { event } from './stamp.ts';

/** Where a session's events come from. */
export const Origin = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('live'),
    provider: z.string(),
    scenario: z.string().optional(),
    /** What the session started with; `model-chosen` tells of later ones. Absent where a scenario plays. */
    model: ModelChoice.optional(),
  }),
  z.object({
    kind: z.literal('imported'),
    /** Importer name: `claude-code`, `claude-stream-json`, … */
    format: z.string(),
    /** Version of the program that wrote the file, where it says so. */
    version: z.string().optional(),
    path: z.string(),
    /** `order-only`: the file holds no times at all; positions are order, not time. */
    clock: z.enum(['recorded', 'order-only']),
  }),
]);
export type Origin = z.output<typeof Origin>;

export const TurnEnd = z.enum(['completed', 'interrupted', 'rejected', 'stopped-by-hook', 'error', 'limit', 'unknown']);
export type TurnEnd = z.output<typeof TurnEnd>;

export const InterruptReason = z.enum(['escape', 'interrupt']);
export type InterruptReason = z.output<typeof InterruptReason>;

const sessionEvents = [
  event('session-started', {
    sessionId: SessionId,
    title: z.string(),
    cwd: z.string(),
    origin: Origin,
    /** Version of Gantry and platform; for imported sessions the importer's. */
    app: z.string(),
    settings: SessionSettings,
    /** Of a fork: what `history-copied` ends. */
    forkedFrom: ForkedFrom.optional(),
  }),
  event('session-resumed', { app: z.string(), after: z.enum(['clean', 'crash']) }),
  event('session-ended', { reason: z.enum(['closed', 'quit', 'end-of-file']) }),
  event('title-changed', {
    title: z.string(),
    /** Absent in old journals, and where a hook chose it. */
    by: z.enum(['prompt', 'model', 'person']).optional(),
    /** Of the request that made it, which is none of the conversation. */
    usage: Usage.optional(),
  }),
  event('settings-changed', { settings: SessionSettings }),
  event('mode-changed', { mode: PermissionMode }),
  event('turn-started', { turnId: TurnId, agentId: AgentId }),
  event('turn-ended', { turnId: TurnId, agentId: AgentId, reason: TurnEnd, message: z.string().optional() }),
  event('user-message-added', {
    messageId: MessageId,
    agentId: AgentId,
    text: z.string(),
    /** `person` typed it; `program` put it there (reminders, interruption marks, prompts of sub-agents). */
    from: z.enum(['person', 'program']),
    images: MessageImages.optional(),
  }),
  event('user-message-queued', { messageId: MessageId, text: z.string(), images: MessageImages.optional() }),
  event('user-message-unqueued', { messageId: MessageId, why: z.enum(['sent', 'removed', 'edited']) }),
  event('interrupt-requested', { reason: InterruptReason }),
  event('attempt-discarded', { messageId: MessageId }),
  event('continuation-stopped', { callId: CallId.optional(), reason: z.string() }),
  /** A sub-agent. The main agent is there from the start and has no such event. */
  event('agent-started', {
    agentId: AgentId,
    parentCallId: CallId.optional(),
    /** Nesting: 1 for a sub-agent of the main agent. */
    depth: z.number().int().nonnegative(),
    name: z.string(),
    agentType: z.string(),
    prompt: z.string(),
    /** The file of its definition; absent for kinds that are built in. */
    definedIn: z.string().optional(),
    /** Names of the tools it may use. */
    tools: z.array(z.string()).optional(),
    /** A model of its own. */
    model: z.string().optional(),
  }),
  event('agent-ended', {
    agentId: AgentId,
    /** How its turn ended. */
    reason: TurnEnd.optional(),
    /** Its calls and tokens, those of the agents below it among them. */
    calls: z.number().int().nonnegative().optional(),
    tokens: z.number().nonnegative().optional(),
  }),
  event('notice-given', {
    level: z.enum(['info', 'warning', 'error']),
    text: z.string(),
    detail: z.string().optional(),
  }),
] as const;

/** Everything that can happen in a session. Live runs, replays and imported files are streams of this one union. */
export const SessionEvent = z.discriminatedUnion('type', [
  ...sessionEvents,
  ...modelEvents,
  ...toolCallEvents,
  ...permissionEvents,
  ...hookEvents,
  ...processEvents,
  ...shellEvents,
  ...todoEvents,
  ...debuggerEvents,
  ...mcpEvents,
  ...historyEvents,
]);
export type SessionEvent = z.output<typeof SessionEvent>;
export type SessionEventType = SessionEvent['type'];
export type EventOf<T extends SessionEventType> = Extract<SessionEvent, { type: T }>;

type WithoutStamp<E> = E extends unknown ? Omit<E, 'seq' | 'at' | 't'> : never;

/** An event before it has been given its place and time: what code that makes events hands over. */
export type EventFacts = WithoutStamp<SessionEvent>;
