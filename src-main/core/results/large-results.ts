import type { ToolResult } from '../../../src-shared/tool-call/content.ts';

/** Bytes of a saved output that the model is shown (spec 2.8). */
export const PREVIEW_BYTES = 2_000;

/** `1.2MB`, `106.3KB`, `512B`: 1024-based, one decimal, no trailing `.0` (spec 2.8). */
export function sizeForModel(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  const text = unit === 0 ? String(value) : value.toFixed(1).replace(/\.0$/, '');
  return `${text}${units[unit]}`;
}

/**
 * The beginning of an output for the model: at most `PREVIEW_BYTES`, cut at the last line break of its second half if
 * there is one, never inside a character, with a line `...` when something was cut.
 * @param head at least the first `PREVIEW_BYTES` bytes of the output (all of it when it is shorter).
 * @param total bytes of the whole output.
 */
export function preview(head: Uint8Array, total: number): string {
  const begin = head.subarray(0, Math.min(PREVIEW_BYTES, total));
  if (total <= PREVIEW_BYTES) return decode(begin);
  const lineBreak = begin.lastIndexOf(0x0a);
  const end = lineBreak >= PREVIEW_BYTES / 2 ? lineBreak : wholeCharacters(begin);
  return `${decode(begin.subarray(0, end))}\n...`;
}

/** A mark of the byte order stays: the preview is what the file holds. */
const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

/** How many of these bytes make whole characters: all, or all but the beginning of one that is cut at the end. */
function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    // 10xxxxxx goes on; 110xxxxx, 1110xxxx and 11110xxx begin a character of two, three and four bytes.
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** What the model gets instead of a result that was saved to disk. */
export const savedMessage = (saved: {
  readonly path: string;
  readonly bytes: number;
  readonly preview: string;
}): string =>
  [
    '<persisted-output>',
    `Output too large (${sizeForModel(saved.bytes)}). Full output saved to: ${saved.path}`,
    '',
    'Preview (first 2KB):',
    saved.preview,
    '</persisted-output>',
  ].join('\n');

/** What the model gets when the output was too large and could not be saved. */
export const unsavedMessage = (unsaved: {
  readonly bytes: number;
  readonly why: string;
  readonly preview: string;
}): string =>
  [
    `Output too large (${sizeForModel(unsaved.bytes)}) and it could not be saved: ${unsaved.why}. The rest is lost.`,
    '',
    'Preview (first 2KB):',
    unsaved.preview,
  ].join('\n');

/**
 * Characters over which a result goes to disk: what settings say of this tool, else the general setting, or less when
 * the tool says so. `Infinity` is never: what such a tool reads back would be saved again (spec 2.8).
 */
export const thresholdOf = (toolMaximum: number, setting: number, ofThisTool?: number): number =>
  toolMaximum === Number.POSITIVE_INFINITY ? toolMaximum : (ofThisTool ?? Math.min(toolMaximum, setting));

/** Some models take an empty result for the end of the turn, so an empty one says that it is empty (spec 2.8). */
export function fillEmpty(tool: string, result: ToolResult): ToolResult {
  const empty = result.content.every((block) => block.type === 'text' && block.text.trim() === '');
  if (!empty) return result;
  return { ...result, content: [{ type: 'text', text: `(${tool} completed with no output)` }] };
}

/** Characters of a result that count against thresholds and the budget. */
export const charactersOf = (result: ToolResult): number =>
  result.content.reduce((sum, block) => sum + (block.type === 'text' ? block.text.length : 0), 0);
