import { z } from 'zod';
import type { ContentBlock } from '../../../src-shared/tool-call/content.ts';
import { sizeForModel } from '../results/large-results.ts';

/** Base64 of a picture beyond this is refused by model services. */
const MOST_IMAGE_CHARACTERS = 5 * 1024 * 1024;
/** Pictures that models look at. */
const IMAGES = /^image\/(?:png|jpeg|gif|webp)$/;

const Resource = z.looseObject({
  uri: z.string(),
  mimeType: z.string().optional(),
  text: z.string().optional(),
  blob: z.string().optional(),
});
const Block = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({ type: z.literal('image'), data: z.string(), mimeType: z.string() }),
  z.looseObject({ type: z.literal('audio'), data: z.string(), mimeType: z.string() }),
  z.looseObject({
    type: z.literal('resource_link'),
    uri: z.string(),
    name: z.string(),
    title: z.string().optional(),
    description: z.string().optional(),
    mimeType: z.string().optional(),
    size: z.number().optional(),
  }),
  z.looseObject({ type: z.literal('resource'), resource: Resource }),
]);

/** What a server answered a call with, as far as it is of use here. Unknown fields are nobody's business. */
export const CallAnswer = z.looseObject({
  content: z.array(z.unknown()).optional(),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
  /** Of servers of the first version of the protocol. */
  toolResult: z.unknown().optional(),
});
export type CallAnswer = z.output<typeof CallAnswer>;

/**
 * The output of a call as hooks see it: the protocol's own blocks. Structured content that no text block says already
 * comes as JSON behind them.
 */
export function outputOf(answer: CallAnswer): readonly unknown[] {
  const content = answer.content ?? [];
  const structured = answer.structuredContent ?? answer.toolResult;
  if (structured === undefined || content.some((block) => saysTheSame(block, structured))) return content;
  return [...content, { type: 'text', text: JSON.stringify(structured, undefined, 2) }];
}

/** As JSON, or as the one text that the structure holds. */
function saysTheSame(block: unknown, structured: unknown): boolean {
  const text = (block as { readonly text?: unknown } | null)?.text;
  if (typeof text !== 'string') return false;
  if (typeof structured === 'object' && structured !== null) {
    const values = Object.values(structured);
    if (values.length === 1 && values[0] === text) return true;
  }
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(structured);
  } catch {
    return false;
  }
}

/**
 * An output as blocks for the model. Takes whatever a hook has put in its place as well: a text, blocks, an answer with
 * blocks in it, or any JSON.
 */
export function blocksOf(output: unknown): ContentBlock[] {
  if (typeof output === 'string') return [{ type: 'text', text: output }];
  if (Array.isArray(output)) return output.map(blockOf);
  const content = (output as { readonly content?: unknown } | null | undefined)?.content;
  return Array.isArray(content) ? content.map(blockOf) : [jsonBlock(output)];
}

function blockOf(raw: unknown): ContentBlock {
  const parsed = Block.safeParse(raw);
  if (!parsed.success) return typeof raw === 'string' ? text(raw) : jsonBlock(raw);
  const block = parsed.data;
  switch (block.type) {
    case 'text':
      return text(block.text);
    case 'image':
      return binaryBlock('picture', block.mimeType, block.data);
    case 'audio':
      return binaryBlock('sound', block.mimeType, block.data);
    case 'resource_link': {
      const facts = [block.uri, block.mimeType, block.size === undefined ? undefined : sizeForModel(block.size)];
      const about = block.description ?? block.title;
      return text(
        `[Resource ${block.name}: ${facts.filter(Boolean).join(', ')}]${about === undefined ? '' : ` ${about}`}`,
      );
    }
    case 'resource':
      return resourceBlock(block.resource);
  }
}

/** One content of a resource, as a tool embeds it or a server gives it when it is read. */
export function resourceBlock(resource: z.output<typeof Resource>): ContentBlock {
  if (resource.text !== undefined) return text(`[Resource ${resource.uri}]\n${resource.text}`);
  if (resource.blob === undefined) return text(`[Resource ${resource.uri}: empty]`);
  return binaryBlock(`resource ${resource.uri}`, resource.mimeType ?? 'application/octet-stream', resource.blob);
}

export const ResourceAnswer = z.looseObject({ contents: z.array(Resource) });

function binaryBlock(what: string, mediaType: string, data: string): ContentBlock {
  const size = sizeForModel(Math.floor((data.length * 3) / 4));
  if (!IMAGES.test(mediaType))
    return text(`[${what}, ${mediaType}, ${size}: left out, it cannot be shown to the model]`);
  return data.length > MOST_IMAGE_CHARACTERS
    ? text(`[${what}, ${mediaType}, ${size}: left out, it is too large for the model]`)
    : { type: 'image', mediaType, data };
}

const text = (words: string): ContentBlock => ({ type: 'text', text: words });
const jsonBlock = (value: unknown): ContentBlock => text(JSON.stringify(value, undefined, 2) ?? '');
