import { z } from 'zod';

/**
 * A long text of an imported session that is left in its file. Its number is for whoever has read the file; nothing in an
 * event names a place on disk.
 */
export const KeptText = z.object({
  id: z.number().int().nonnegative(),
  /** Of the whole text. */
  characters: z.number().int().nonnegative(),
  lines: z.number().int().positive(),
});
export type KeptText = z.output<typeof KeptText>;

/** One block of a tool result as the model sees it. `other` keeps what an imported file held and we do not know. */
export const ContentBlock = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('text'),
    text: z.string(),
    /** There where `text` is only the beginning. */
    kept: KeptText.optional(),
  }),
  z.object({ type: z.literal('image'), mediaType: z.string(), data: z.string() }),
  z.object({ type: z.literal('other'), raw: z.unknown().optional() }),
]);
export type ContentBlock = z.output<typeof ContentBlock>;

/** What goes back to the model for one call. `display` holds structured facts for the screen only. */
export const ToolResult = z.object({
  content: z.array(ContentBlock),
  isError: z.boolean(),
  display: z.record(z.string(), z.unknown()).optional(),
});
export type ToolResult = z.output<typeof ToolResult>;

export const textResult = (text: string, isError = false): ToolResult => ({
  content: [{ type: 'text', text }],
  isError,
});

/** Characters of a text block, of which the event may hold the beginning only. */
export const lengthOf = (block: Extract<ContentBlock, { type: 'text' }>): number =>
  block.kept?.characters ?? block.text.length;

/** The texts of a result that lie in the file it was read from. */
export const keptIn = (content: readonly ContentBlock[]): readonly KeptText[] =>
  content.flatMap((block) => (block.type === 'text' && block.kept !== undefined ? [block.kept] : []));

/** All text of a result, blocks joined by line breaks; of texts that were left in a file only the beginnings. */
export const resultText = (result: ToolResult): string =>
  result.content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');
