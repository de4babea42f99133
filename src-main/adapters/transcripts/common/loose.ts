import { z } from 'zod';

/** A field of a foreign record: absent when it is missing or not what we know. One odd field never costs the record. */
export const maybe = <T extends z.ZodType>(type: T) => type.optional().catch(undefined);
export const text = maybe(z.string());
export const number = maybe(z.number());
export const flag = maybe(z.boolean());

/** The blocks of a message's content, which may also be a plain string, a list with strings in it, or nothing. */
export const blocksIn = <T extends z.ZodType>(block: T, content: unknown): readonly z.output<T>[] => {
  const list = Array.isArray(content) ? content : typeof content === 'string' ? [content] : [];
  return list.flatMap((one) => {
    const parsed = block.safeParse(typeof one === 'string' ? { type: 'text', text: one } : one);
    return parsed.success ? [parsed.data] : [];
  });
};
