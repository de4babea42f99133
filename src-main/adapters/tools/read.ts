import { open, readFile, stat } from 'node:fs/promises';
import { z } from 'zod';
import type { CallId } from '../../../src-shared/ids.ts';
import type { ContentBlock } from '../../../src-shared/tool-call/content.ts';
import { proposePathRule } from '../../core/permission/propose-path-rule.ts';
import { sizeForModel } from '../../core/results/large-results.ts';
import { cutText } from '../../core/results/texts.ts';
import { defineTool, type ReadFile, type ToolContext, type Validation } from '../../ports/tool.ts';
import { locate, rawField, resolvePath, shownPath, shownWithTarget } from './paths.ts';
import { permittedPath, rememberPlace } from './permitted-path.ts';
import { hashOf, remember } from './read-files.ts';

/** Read bounds itself, so that a saved Read is never read back by Read for ever (spec 2.8). */
const DEFAULT_LINES = 2_000;
const LINE_CHARACTERS = 2_000;
const MOST_CHARACTERS = 100_000;
const MOST_BYTES = 50 * 1024 * 1024;
const MOST_IMAGE_BYTES = 5 * 1024 * 1024;
/** As much of a file as decides whether it is text. */
const HEAD_BYTES = 8_192;

const Input = z.strictObject({
  file_path: z.string().min(1).describe('The path of the file to read'),
  offset: z.number().int().positive().optional().describe('The line to start at, from 1'),
  limit: z.number().int().positive().optional().describe('How many lines to read'),
});
type Input = z.output<typeof Input>;

type Output = { readonly path: string } & (
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly mediaType: string; readonly data: string }
  /** The same lines of the same file were read before and stand in the conversation. */
  | { readonly kind: 'unchanged'; readonly since: CallId }
);

export const readTool = defineTool<Input, Output>({
  name: 'Read',
  aliases: ['NotebookRead'],
  description: 'Reads a file. Gives its lines with numbers, or an image.',
  inputSchema: Input,
  isConcurrencySafe: () => true,
  isAlwaysSafe: true,
  isReadOnly: () => true,
  interruptBehavior: () => 'cancel',
  maxResultSizeChars: Number.POSITIVE_INFINITY,
  validateInput: (input, context) => validate(resolvePath(input.file_path, context), context),
  async checkPermissions(input, context) {
    const place = await locate(resolvePath(input.file_path, context), context);
    rememberPlace(input, place);
    return place.inside
      ? { verdict: 'allow', because: 'Read only reads, inside the working folders' }
      : { verdict: 'pass', because: 'The file lies outside of the working folders' };
  },
  async call(input, context, run) {
    const path = resolvePath(input.file_path, context);
    const real = await permittedPath(input, path);
    // Looked at before it is read: a change in between then shows as one.
    const { mtimeMs, size } = await stat(real);
    const range = rangeOf(input);
    const known = context.readFiles.get(real);
    if (known?.by === 'read' && known.mtimeMs === mtimeMs && known.size === size && sameRange(known.range, range)) {
      return { output: { path: real, kind: 'unchanged', since: known.callId }, isError: false };
    }
    const bytes = await readFile(real, { signal: run.signal });
    const { offset = 1, limit = DEFAULT_LINES } = input;
    const mediaType = imageTypeOf(bytes);
    return {
      output:
        mediaType === undefined
          ? { path: real, kind: 'text', text: numberedLines(textOf(bytes), offset, limit) }
          : { path: real, kind: 'image', mediaType, data: bytes.toString('base64') },
      isError: false,
      modifier: remember(real, {
        mtimeMs,
        size: bytes.length,
        hash: hashOf(bytes),
        callId: run.callId,
        by: 'read',
        range,
      }),
      changes: [`read ${shownPath(path, context)}`],
    };
  },
  mapResult: (output) => ({ content: [blockOf(output)], isError: false }),
  summarise: (input) => rawField(input, 'file_path'),
  backfillObservableInput: (_input, output) => ({
    ...(output === undefined ? {} : { resolved_path: output.path }),
    ...(output?.kind === 'unchanged' ? { unchanged_since: output.since } : {}),
  }),
  suggestRule: (input) => proposePathRule('Read', input.file_path),
  describeQuestion: async (input, context) => ({
    title: 'Read this file?',
    reason: `${await shownWithTarget(resolvePath(input.file_path, context), context)} lies outside of the working folders.`,
    risk: 'outside the folder',
    dangerous: false,
  }),
});

function blockOf(output: Output): ContentBlock {
  switch (output.kind) {
    case 'text':
      return { type: 'text', text: output.text };
    case 'image':
      return { type: 'image', mediaType: output.mediaType, data: output.data };
    case 'unchanged':
      return {
        type: 'text',
        text: `The file is unchanged since call ${output.since} read these lines. They are still in this conversation; read them there.`,
      };
  }
}

type Range = ReadFile['range'];

const rangeOf = ({ offset, limit }: Input): Range =>
  offset === undefined && limit === undefined ? 'whole' : { offset: offset ?? 1, limit: limit ?? DEFAULT_LINES };

const sameRange = (a: Range, b: Range): boolean =>
  a === 'whole' || b === 'whole' ? a === b : a.offset === b.offset && a.limit === b.limit;

async function validate(path: string, context: ToolContext): Promise<Validation> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) {
    return { ok: false, message: `File does not exist. Note: your current working directory is ${context.cwd}.` };
  }
  if (found.isDirectory()) {
    return { ok: false, message: `${path} is a folder, not a file. List it with Bash(ls) or Glob.` };
  }
  if (!found.isFile()) return { ok: false, message: `${path} is a device or a pipe, not a file. It cannot be read.` };
  const most = MOST_BYTES;
  if (found.size > most) return tooLarge(path, found.size, most, 'Search it with Grep, or take a part with Bash.');
  const head = await headOf(path).catch((error: unknown) =>
    error instanceof Error ? error : new Error(String(error)),
  );
  if (head instanceof Error) return { ok: false, message: `${path} cannot be read: ${head.message}.` };
  if (imageTypeOf(head) !== undefined) {
    if (found.size <= MOST_IMAGE_BYTES) return { ok: true };
    return tooLarge(path, found.size, MOST_IMAGE_BYTES, 'Make a smaller copy of the image first.');
  }
  if (head.includes(0)) return { ok: false, message: `${path} is a binary file. It cannot be read as text.` };
  return { ok: true };
}

const tooLarge = (path: string, size: number, most: number, advice: string): Validation => ({
  ok: false,
  message: `${path} is too large to read: ${sizeForModel(size)}, at most ${sizeForModel(most)}. ${advice}`,
});

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * The type of an image by its first bytes. A name can lie, and a model that is sent a web page as `image/png` refuses
 * the whole conversation from then on.
 */
export function imageTypeOf(head: Uint8Array): string | undefined {
  const begin = Buffer.from(head.subarray(0, 12)).toString('latin1');
  if (begin.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (begin.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(begin)) return 'image/gif';
  if (/^RIFF[\s\S]{4}WEBP/.test(begin)) return 'image/webp';
  return undefined;
}

/** A mark of the byte order is no part of the text: nobody could quote it in an edit. */
const textOf = (bytes: Buffer): string => bytes.toString('utf8').replace(/^\uFEFF/, '');

/**
 * Lines as `number, tab, text`, from `offset` (from 1) on, at most `limit`, each cut to a bearable length and all
 * together too. What is left out is said at the end.
 */
export function numberedLines(text: string, offset: number, limit: number): string {
  if (text === '') return '(The file is empty)';
  const lines = text.split('\n');
  // After the last line break stands nothing; it has a number, but is not worth a note.
  const count = lines.at(-1) === '' ? lines.length - 1 : lines.length;
  const shown: string[] = [];
  let characters = 0;
  for (const line of lines.slice(offset - 1, offset - 1 + limit)) {
    if (characters >= MOST_CHARACTERS) break;
    const cut = cutText(line.replace(/\r$/, ''), LINE_CHARACTERS, '… [line cut]');
    const numbered = `${offset + shown.length}\t${cut}`;
    shown.push(numbered);
    characters += numbered.length + 1;
  }
  if (shown.length === 0) return `(The file has ${count} ${noun(count)}; line ${offset} is behind its end)`;
  const left = count - (offset - 1) - shown.length;
  if (left > 0) shown.push(`[${left} more ${noun(left)}. Read on with offset ${offset + shown.length}.]`);
  return shown.join('\n');
}

const noun = (lines: number): string => (lines === 1 ? 'line' : 'lines');
