import { z } from 'zod';
import { AgentId, CallId, MessageId, RequestId, TurnId } from '../ids.ts';
import { event } from '../session/stamp.ts';
import { Timing } from '../tool-call/timing.ts';

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
  z.object({ kind: z.literal('thinking'), text: z.string() }),
  z.object({ kind: z.literal('tool-use'), callId: CallId, tool: z.string() }),
  z.object({ kind: z.literal('other'), raw: z.unknown().optional() }),
]);
export type Block = z.output<typeof Block>;

export const StopReason = z.enum(['end-turn', 'tool-use', 'max-tokens', 'refusal', 'stop-sequence', 'unknown']);
export type StopReason = z.output<typeof StopReason>;

export const modelEvents = [
  event('request-started', {
    requestId: RequestId,
    agentId: AgentId,
    turnId: TurnId,
    /** 1 for the first try; a retry after an error or a broken stream counts up. */
    attempt: z.number().int().positive(),
    timing: Timing,
  }),
  event('message-started', { requestId: RequestId, messageId: MessageId, agentId: AgentId, model: z.string() }),
  event('block-arrived', {
    messageId: MessageId,
    agentId: AgentId,
    index: z.number().int().nonnegative(),
    block: Block,
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
