import { z } from 'zod';
import { blocksIn, maybe, number, text } from '../common/loose.ts';

/** A message of the conversation as the model's server has it. */
export const Message = z.looseObject({
  id: text,
  role: text,
  content: z.unknown().optional(),
  /** Ms since 1970; most files have none. */
  ts: number,
  modelInfo: maybe(z.looseObject({ id: text, modelId: text })),
  metrics: maybe(
    z.looseObject({
      inputTokens: number,
      outputTokens: number,
      cacheReadTokens: number,
      cacheWriteTokens: number,
      cost: number,
      tokens: maybe(z.looseObject({ prompt: number, completion: number, cached: number })),
    }),
  ),
  metadata: maybe(z.looseObject({ kind: text })),
});
export type Message = z.output<typeof Message>;

/** An item of what the person saw: the only place with times. */
export const UiItem = z.looseObject({
  ts: number,
  type: text,
  say: text,
  ask: text,
  text,
  partial: maybe(z.boolean()),
  conversationHistoryIndex: number,
  modelInfo: maybe(z.looseObject({ modelId: text })),
});
export type UiItem = z.output<typeof UiItem>;

/** The text of `api_req_started`. */
export const Request = z.looseObject({
  tokensIn: number,
  tokensOut: number,
  cacheReads: number,
  cacheWrites: number,
  cost: number,
  cancelReason: text,
});
export type Request = z.output<typeof Request>;

export const Block = z.looseObject({
  type: z.string().catch('unknown'),
  text,
  thinking: text,
  reasoning: text,
  id: text,
  name: text,
  input: z.unknown().optional(),
  tool_use_id: text,
  content: z.unknown().optional(),
  is_error: maybe(z.boolean()),
});
export type Block = z.output<typeof Block>;

/** The blocks of a content; see `blocksIn`. */
export const blocksOf = (content: unknown): readonly Block[] => blocksIn(Block, content);
