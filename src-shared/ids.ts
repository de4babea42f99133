import { z } from 'zod';

const id = <B extends string>() => z.string().min(1).max(400).brand<B>();

/** A session: one journal, one conversation. */
export const SessionId = id<'SessionId'>();
export type SessionId = z.output<typeof SessionId>;

/** One `tool_use` block of an assistant message. Unique in its session. */
export const CallId = id<'CallId'>();
export type CallId = z.output<typeof CallId>;

/** The agent that owns a conversation: `main`, or a sub-agent nested under a call. */
export const AgentId = id<'AgentId'>();
export type AgentId = z.output<typeof AgentId>;
export const MAIN_AGENT = 'main' as AgentId;

/** One message of the conversation. */
export const MessageId = id<'MessageId'>();
export type MessageId = z.output<typeof MessageId>;

/** One request to the model. Retries of the same turn have requests of their own. */
export const RequestId = id<'RequestId'>();
export type RequestId = z.output<typeof RequestId>;

/** One question to the user. Fresh for every question, so that a late answer can be told from a current one. */
export const AskId = id<'AskId'>();
export type AskId = z.output<typeof AskId>;

/** From a user message to the end of the agent loop it started. */
export const TurnId = id<'TurnId'>();
export type TurnId = z.output<typeof TurnId>;

/** One run of one hook program. */
export const HookRunId = id<'HookRunId'>();
export type HookRunId = z.output<typeof HookRunId>;

/** A concurrency group: neighbouring calls that held the lock together. */
export const BatchId = id<'BatchId'>();
export type BatchId = z.output<typeof BatchId>;

/** A command that runs in the background: `bash_1`. Unique in its session. */
export const ShellId = id<'ShellId'>();
export type ShellId = z.output<typeof ShellId>;
