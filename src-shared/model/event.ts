import { z } from 'zod';
import { AgentId, CallId, MessageId, RequestId, TurnId } from '../ids.ts';
import { event } from '../session/stamp.ts';
import { Timing } from '../tool-call/timing.ts';
import { ModelChoice } from './choice.ts';

/** Tokens of one message. Absent numbers were not reported. */
export const Usage = z.object({
  inputTokens: z.number().optional(),
  outputTokens: z.number().optional(),
  cacheReadTokens: z.number().optional(),
  cacheCreationTokens: z.number().optional(),
  costUsd: z.number().optional(),
});
export type Usage = z.output<typeof Usage>;

/** A block of an assistant message. A `tool-use` block's facts follow at once as `call-queued`. */
export const Block = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string() }),
  z.object({
    kind: z.literal('thinking'),
    text: z.string(),
    /** The server's own mark on it; the block goes back to the server with it, unchanged. */
    signature: z.string().optional(),
  }),
  z.object({ kind: z.literal('tool-use'), callId: CallId, tool: z.string() }),
  z.object({ kind: z.literal('other'), raw: z.unknown().optional() }),
]);
export type Block = z.output<typeof Block>;

export const StopReason = z.enum([
  'end-turn',
  'tool-use',
  'max-tokens',
  /** Conversation and answer together fill the model's window. */
  'model-context-window-exceeded',
  'refusal',
  'stop-sequence',
  'unknown',
]);
export type StopReason = z.output<typeof StopReason>;

/** A file whose words stand in a prompt, or why those of one do not. */
export const PromptSource = z.object({
  path: z.string(),
  kind: z.enum(['user', 'project', 'local', 'import']),
  /** Characters taken. */
  chars: z.number().int().nonnegative(),
  /** Why it was left out, or cut. */
  note: z.string().optional(),
});
export type PromptSource = z.output<typeof PromptSource>;

export const modelEvents = [
  /** From the next request on, the main agent's answers come from this model. */
  event('model-chosen', { model: ModelChoice }),
  /** What an agent is told of itself and its surroundings, made once: every request carries these bytes. */
  event('prompt-prepared', { agentId: AgentId, text: z.string(), sources: z.array(PromptSource) }),
  event('request-started', {
    requestId: RequestId,
    agentId: AgentId,
    turnId: TurnId,
    /** 1 for the first try; a retry after an error or a broken stream counts up. */
    attempt: z.number().int().positive(),
    timing: Timing,
    /** `compact`: it asks for a summary of the conversation, and its answer is no message of it. */
    purpose: z.enum(['compact']).optional(),
  }),
  event('message-started', {
    requestId: RequestId,
    messageId: MessageId,
    agentId: AgentId,
    model: z.string(),
    /** The server had refused the agent's thoughts so far and was asked without them: they are not sent again. */
    thoughtsRefused: z.literal(true).optional(),
  }),
  event('block-arrived', {
    messageId: MessageId,
    agentId: AgentId,
    index: z.number().int().nonnegative(),
    block: Block,
  }),
  /** What has come of a block that is not whole yet, a few times a second. `block-arrived` has all of it again. */
  event('block-growing', {
    messageId: MessageId,
    agentId: AgentId,
    index: z.number().int().nonnegative(),
    kind: z.enum(['text', 'thinking', 'tool-use']),
    /** Added since the last one; empty for `tool-use`, whose letters mean nothing until they are whole. */
    added: z.string(),
    /** Characters so far. */
    size: z.number().int().nonnegative(),
    tool: z.string().optional(),
  }),
  event('message-completed', {
    messageId: MessageId,
    requestId: RequestId,
    stopReason: StopReason,
    usage: Usage,
  }),
  event('request-failed', {
    requestId: RequestId,
    message: z.string(),
    /** Milliseconds until the next try; absent when there is none. */
    retryInMs: z.number().optional(),
  }),
] as const;
