import type { ContentBlock, ToolResult } from '../../../../src-shared/tool-call/content.ts';
import { type Fields, fieldsOf, textAt } from '../common/fields.ts';
import { parseJson } from '../json-scan.ts';

/** A value as text: text as it is, nothing as nothing, everything else as JSON. */
export const asText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);

/** What a model was shown: text, a list of texts and blocks, or something that is kept as it is. */
export function contentOf(value: unknown): ContentBlock[] {
  if (value === undefined || value === null || value === '') return [];
  if (typeof value === 'string') return [{ type: 'text', text: value }];
  if (Array.isArray(value)) return value.flatMap(contentOf);
  const fields = fieldsOf(value);
  const text = textAt(fields, 'text');
  if (text !== undefined) return [{ type: 'text', text }];
  const image = imageOf(fields);
  return [image ?? { type: 'other', raw: value }];
}

function imageOf(fields: Fields | undefined): ContentBlock | undefined {
  const source = fieldsOf(fields?.source) ?? fieldsOf(fields?.inlineData) ?? fields;
  const data = textAt(source, 'data');
  const mediaType = textAt(source, 'media_type') ?? textAt(source, 'mimeType');
  if (data === undefined || mediaType === undefined || !mediaType.startsWith('image/')) return undefined;
  return { type: 'image', mediaType, data };
}

export const resultOf = (value: unknown, isError: boolean): ToolResult => ({ content: contentOf(value), isError });

/** Input that was written as a JSON text; text that is none is kept as it came. */
export function inputOf(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const parsed = parseJson(value);
  return typeof parsed === 'object' && parsed !== null ? parsed : value;
}

/** Numbers that are there, under the names of ours. */
export function numbersOf<K extends string>(entries: readonly (readonly [K, unknown])[]): { [P in K]?: number } {
  const known = entries.filter(([, value]) => typeof value === 'number' && Number.isFinite(value));
  return Object.fromEntries(known) as { [P in K]?: number };
}

/** The first line of a prompt, short enough for a title. */
export function titleFrom(text: string | undefined): string | undefined {
  const line = text?.trim().split('\n')[0]?.trim();
  if (line === undefined || line === '') return undefined;
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
