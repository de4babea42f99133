import type { ContentBlock, ToolResult } from '../../../../src-shared/tool-call/content.ts';
import { type Fields, fieldsOf, textAt } from '../common/fields.ts';
import { LongText } from '../lazy/long-text.ts';

/** A result as a line has it. The twin is of any shape: facts, a text, a list, nothing. */
export type RawResult = { readonly content: unknown; readonly isError: boolean; readonly twin: unknown };

/** The result as the model saw it, and the facts beside it that a screen can use. */
export function toolResultOf(result: RawResult): ToolResult {
  const content = contentOf(result.content);
  const display = displayOf(result.twin, firstText(result.content));
  return { content, isError: result.isError, ...(display === undefined ? {} : { display }) };
}

const SHORT_TEXT = 4000;

/** The twin's short facts: lengths, ids, paths. */
export function factsOf(twin: unknown): Fields {
  const entries = Object.entries(fieldsOf(twin) ?? {});
  return Object.fromEntries(
    entries.filter(
      ([, value]) => typeof value !== 'object' && !(typeof value === 'string' && value.length > SHORT_TEXT),
    ),
  );
}

/** Content is a text, a list of blocks, a list with plain texts or nothing in it, an object, or missing. */
function contentOf(content: unknown): ContentBlock[] {
  if (content === undefined || content === null) return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (content instanceof LongText) return [keptBlock(content)];
  if (!Array.isArray(content)) return [{ type: 'other', raw: content }];
  return content.flatMap((one): ContentBlock[] => {
    if (one === null || one === undefined) return [];
    return [typeof one === 'string' ? { type: 'text', text: one } : blockOf(one)];
  });
}

const keptBlock = (text: LongText): ContentBlock => ({ type: 'text', text: text.head(), kept: text.keep() });

/** The text that a result begins with. */
function firstText(content: unknown): string | LongText {
  if (typeof content === 'string' || content instanceof LongText) return content;
  const first: unknown = Array.isArray(content) ? content.find((one) => one !== null && one !== undefined) : undefined;
  if (typeof first === 'string') return first;
  const block = fieldsOf(first);
  if (block?.type !== 'text') return '';
  return block.text instanceof LongText ? block.text : (textAt(block, 'text') ?? '');
}

function blockOf(value: unknown): ContentBlock {
  const block = fieldsOf(value);
  if (block?.type === 'text' && block.text instanceof LongText) return keptBlock(block.text);
  const text = textAt(block, 'text');
  if (textAt(block, 'type') === 'text' && text !== undefined) return { type: 'text', text };
  const source = fieldsOf(block?.source);
  const data = textAt(source, 'data');
  if (textAt(block, 'type') === 'image' && data !== undefined) {
    return { type: 'image', mediaType: textAt(source, 'media_type') ?? 'image/png', data };
  }
  return { type: 'other', raw: value };
}

/** Whole files and outputs that the content holds already, or that can be megabytes and are shown from nowhere else. */
const LEFT_OUT: ReadonlySet<string> = new Set(['originalFile', 'originalFileContents', 'prompt']);
const LONG_TEXT = 20_000;

function displayOf(twin: unknown, shown: string | LongText): Record<string, unknown> | undefined {
  const fields = fieldsOf(twin);
  if (fields === undefined) return undefined;
  const display: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields)) {
    if (LEFT_OUT.has(key)) continue;
    const text = value instanceof LongText ? shortOf(value, shown) : value;
    if (text === undefined || isShown(key, text, shown)) continue;
    display[key] = key === 'file' ? withoutContent(fieldsOf(text)) : text;
  }
  return Object.keys(display).length === 0 ? undefined : display;
}

/** The text itself where it may have to be shown; undefined where it is too long, or is what the model saw anyway. */
function shortOf(value: LongText, shown: string | LongText): string | undefined {
  if (shown instanceof LongText && value.begins(shown)) return undefined;
  return value.characters > LONG_TEXT ? undefined : value.whole();
}

function isShown(key: string, value: unknown, shown: string | LongText): boolean {
  if (value === '' || value === false || value === null) return true;
  if (key === 'content' && typeof value !== 'string') return true;
  if (typeof value !== 'string') return false;
  // Comparing first by length keeps this cheap for results of many megabytes.
  if (value.length > LONG_TEXT) return true;
  const length = shown instanceof LongText ? shown.characters : shown.length;
  if (value.length > length) return false;
  return value === shown || shown.includes(value.trimEnd());
}

const withoutContent = (file: Fields | undefined): Fields | undefined => {
  if (file === undefined) return undefined;
  const { content: _, ...rest } = file;
  return rest;
};
