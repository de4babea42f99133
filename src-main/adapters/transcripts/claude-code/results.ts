import type { ContentBlock, ToolResult } from '../../../../src-shared/tool-call/content.ts';
import { type Fields, fieldsOf, textAt } from '../common/fields.ts';

/** A result as a line has it. The twin is of any shape: facts, a text, a list, nothing. */
export type RawResult = { readonly content: unknown; readonly isError: boolean; readonly twin: unknown };

/** The result as the model saw it, and the facts beside it that a screen can use. */
export function toolResultOf(result: RawResult): ToolResult {
  const content = contentOf(result.content);
  const display = displayOf(result.twin, content);
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
  if (!Array.isArray(content)) return [{ type: 'other', raw: content }];
  return content.flatMap((one): ContentBlock[] => {
    if (one === null || one === undefined) return [];
    return [typeof one === 'string' ? { type: 'text', text: one } : blockOf(one)];
  });
}

function blockOf(value: unknown): ContentBlock {
  const block = fieldsOf(value);
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

function displayOf(twin: unknown, content: readonly ContentBlock[]): Record<string, unknown> | undefined {
  const fields = fieldsOf(twin);
  if (fields === undefined) return undefined;
  const [first] = content;
  const shown = first?.type === 'text' ? first.text : '';
  const display: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields)) {
    if (LEFT_OUT.has(key) || isShown(key, value, shown)) continue;
    display[key] = key === 'file' ? withoutContent(fieldsOf(value)) : value;
  }
  return Object.keys(display).length === 0 ? undefined : display;
}

const isShown = (key: string, value: unknown, shown: string): boolean => {
  if (value === '' || value === false || value === null) return true;
  if (key === 'content' && typeof value !== 'string') return true;
  if (typeof value !== 'string') return false;
  // Comparing first by length keeps this cheap for results of many megabytes.
  return (
    value.length > LONG_TEXT || value === shown || (value.length <= shown.length && shown.includes(value.trimEnd()))
  );
};

const withoutContent = (file: Fields | undefined): Fields | undefined => {
  if (file === undefined) return undefined;
  const { content: _, ...rest } = file;
  return rest;
};
