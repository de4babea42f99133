import { z } from 'zod';

/** A field of a foreign record: absent when it is missing or not what we know. One odd field never costs the record. */
const maybe = <T extends z.ZodType>(type: T) => type.optional().catch(undefined);
const text = maybe(z.string());
const number = maybe(z.number());

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

/** The blocks of a content, which may also be one text. */
export function blocksOf(content: unknown): readonly Block[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content)) return [];
  return content.flatMap((one): Block[] => {
    if (typeof one === 'string') return [{ type: 'text', text: one }];
    const parsed = Block.safeParse(one);
    return parsed.success ? [parsed.data] : [];
  });
}
