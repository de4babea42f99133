import { open, readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { z } from 'zod';
import type { CallId } from '../../../src-shared/ids.ts';
import { defineTool, type ToolContext, type Validation } from '../../ports/tool.ts';
import { isInDirectories, rawField, resolvePath, shownPath } from './paths.ts';
import { hashOf, remember } from './read-files.ts';

/** Read bounds itself, so that a saved Read is never read back by Read for ever (spec 2.8). */
const DEFAULT_LINES = 2_000;
const LINE_CHARACTERS = 2_000;
const MOST_BYTES = 50 * 1024 * 1024;
const MOST_IMAGE_BYTES = 5 * 1024 * 1024;

const IMAGES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
};

const Input = z.strictObject({
  file_path: z.string().min(1).describe('The path of the file to read'),
  offset: z.number().int().positive().optional().describe('The line to start at, from 1'),
  limit: z.number().int().positive().optional().describe('How many lines to read'),
});
type Input = z.output<typeof Input>;

type Output =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly mediaType: string; readonly data: string };

export const readTool = defineTool<Input, Output>({
  name: 'Read',
  aliases: ['NotebookRead'],
  description: 'Reads a file. Gives its lines with numbers, or an image.',
  inputSchema: Input,
  isConcurrencySafe: () => true,
  isReadOnly: () => true,
  interruptBehavior: () => 'cancel',
  maxResultSizeChars: Number.POSITIVE_INFINITY,
  validateInput: (input, context) => validate(resolvePath(input.file_path, context), context),
  async checkPermissions(input, context) {
    const inside = await isInDirectories(resolvePath(input.file_path, context), context);
    return inside
      ? { verdict: 'allow', because: 'Read only reads, inside the working folders' }
      : { verdict: 'pass', because: 'The file lies outside of the working folders' };
  },
  async call(input, context, run) {
    const path = resolvePath(input.file_path, context);
    const bytes = await readFile(path, { signal: run.signal });
    const { mtimeMs, size } = await stat(path);
    const mediaType = IMAGES[extname(path).toLowerCase()];
    const { offset = 1, limit = DEFAULT_LINES } = input;
    const file = {
      mtimeMs,
      size,
      hash: hashOf(bytes),
      callId: run.callId satisfies CallId,
      range: input.offset === undefined && input.limit === undefined ? ('whole' as const) : { offset, limit },
    };
    return {
      output:
        mediaType === undefined
          ? { kind: 'text', text: numberedLines(bytes.toString('utf8'), offset, limit) }
          : { kind: 'image', mediaType, data: bytes.toString('base64') },
      isError: false,
      modifier: remember(path, file),
      changes: [`read ${shownPath(path, context)}`],
    };
  },
  mapResult: (output) => ({
    content: [
      output.kind === 'text'
        ? { type: 'text', text: output.text }
        : { type: 'image', mediaType: output.mediaType, data: output.data },
    ],
    isError: false,
  }),
  summarise: (input) => rawField(input, 'file_path'),
  backfillObservableInput: () => ({}),
  suggestRule: (input) => `Read(${input.file_path})`,
  describeQuestion: async (input, context) => ({
    title: 'Read this file?',
    reason: `${shownPath(resolvePath(input.file_path, context), context)} lies outside of the working folders.`,
    risk: 'outside the folder',
    dangerous: false,
  }),
});

async function validate(path: string, context: ToolContext): Promise<Validation> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) {
    return { ok: false, message: `File does not exist. Note: your current working directory is ${context.cwd}.` };
  }
  if (found.isDirectory()) {
    return { ok: false, message: `EISDIR: ${path} is a folder. List it with Bash(ls) or Glob.` };
  }
  if (!found.isFile()) return { ok: false, message: `${path} is a device or a pipe, not a file. It cannot be read.` };
  const image = IMAGES[extname(path).toLowerCase()] !== undefined;
  if (image && found.size > MOST_IMAGE_BYTES) {
    return { ok: false, message: `${path} has ${found.size} bytes. An image may have ${MOST_IMAGE_BYTES} at most.` };
  }
  if (found.size > MOST_BYTES) {
    return { ok: false, message: `${path} has ${found.size} bytes, too many to read. Search it with Grep.` };
  }
  if (!image && (await looksBinary(path))) {
    return { ok: false, message: `${path} is a binary file. It cannot be read as text.` };
  }
  return { ok: true };
}

async function looksBinary(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(8_192), 0, 8_192, 0);
    return buffer.subarray(0, bytesRead).includes(0);
  } finally {
    await file.close();
  }
}

/** Lines as `number, tab, text`, from `offset` (from 1) on, at most `limit`, each cut to a bearable length. */
export function numberedLines(text: string, offset: number, limit: number): string {
  const lines = text.split('\n');
  const wanted = lines.slice(offset - 1, offset - 1 + limit);
  const shown = wanted.map((line, i) => {
    const cut = line.length > LINE_CHARACTERS ? `${line.slice(0, LINE_CHARACTERS)}… [line cut]` : line;
    return `${offset + i}\t${cut.replace(/\r$/, '')}`;
  });
  const left = lines.length - (offset - 1) - wanted.length;
  if (left > 0) shown.push(`[${left} more lines. Read on with offset ${offset + wanted.length}.]`);
  return shown.join('\n');
}
