import { z } from 'zod';

/** One block of a tool result as the model sees it. `other` keeps what an imported file held and we do not know. */
export const ContentBlock = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
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

/** All text of a result, blocks joined by line breaks. */
export const resultText = (result: ToolResult): string =>
  result.content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');
