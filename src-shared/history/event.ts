import { z } from 'zod';
import { AgentId, RequestId, SessionId } from '../ids.ts';
import { event } from '../session/stamp.ts';

/** `auto`: the context was nearly full; `too-long`: the model had refused the conversation; `manual`: a person asked. */
export const CompactTrigger = z.enum(['auto', 'too-long', 'manual']);
export type CompactTrigger = z.output<typeof CompactTrigger>;

/** The session that another one was copied from, and how far. */
export const ForkedFrom = z.object({
  sessionId: SessionId.optional(),
  /** The file, where it was one of another program. */
  path: z.string().optional(),
  title: z.string(),
  /** Number of the last event that was looked at for the copy. */
  seq: z.number().int().nonnegative(),
});
export type ForkedFrom = z.output<typeof ForkedFrom>;

export const historyEvents = [
  /** From now on a summary stands in an agent's conversation for what came before. */
  event('context-compacted', {
    agentId: AgentId,
    trigger: CompactTrigger,
    /** Stands in the first message from now on, byte for byte. */
    summary: z.string(),
    /** Tokens of the conversation before, and about how many after. */
    tokensBefore: z.number().int().nonnegative(),
    tokensAfter: z.number().int().nonnegative(),
    /** So many messages of the agent, from the first on and thrown away ones among them, are in the summary. */
    entriesBefore: z.number().int().nonnegative(),
    /** How many of them were the model's answers as they had been sent. */
    answersBefore: z.number().int().nonnegative(),
    /** The request that made it. */
    requestId: RequestId.optional(),
    /** What the person wanted of the summary. */
    instructions: z.string().optional(),
  }),
  /** All events before this one, but for the first, were copied when the session was forked. */
  event('history-copied', { events: z.number().int().nonnegative() }),
] as const;
