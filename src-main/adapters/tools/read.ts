import { open, readFile, stat } from 'node:fs/promises';
import { z } from 'zod';
import type { CallId } from '../../../src-shared/ids.ts';
import type { ContentBlock } from '../../../src-shared/tool-call/content.ts';
import { imageTrouble, imageTypeOf, MOST_IMAGE_BYTES } from '../../core/images/image-facts.ts';
import { proposePathRule } from '../../core/permission/propose-path-rule.ts';
import { sizeForModel } from '../../core/results/large-results.ts';
import { type DocumentReader, DocumentUnreadable } from '../../ports/document-reader.ts';
import { type AnyTool, defineTool, type ReadFile, type ToolContext, type Validation } from '../../ports/tool.ts';
import { MOST_CHARACTERS, numberedLines, textOf } from './numbered-lines.ts';
import { locate, rawField, resolvePath, shownPath, shownWithTarget } from './paths.ts';
import { permittedPath, rememberPlace } from './permitted-path.ts';
import { hashSoon, remember } from './read-files.ts';
import { isPdf, pageRange, pdfForModel } from './read-pdf.ts';

/** Read bounds itself, so that a saved Read is never read back by Read for ever (spec 2.8). */
const DEFAULT_LINES = 2_000;
const MOST_BYTES = 50 * 1024 * 1024;
const MOST_NOTEBOOK_BYTES = 20 * 1024 * 1024;
/** As much of a file as decides whether it is text. */
const HEAD_BYTES = 8_192;

const Input = z.strictObject({
  file_path: z.string().min(1).describe('The path of the file to read'),
  offset: z.number().int().positive().optional().describe('The line to start at, from 1'),
  limit: z.number().int().positive().optional().describe('How many lines to read'),
  pages: z.string().optional().describe('Of a PDF: the pages to read, as 3, 2-5 or 12-'),
});
type Input = z.output<typeof Input>;

type Output = { readonly path: string } & (
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly mediaType: string; readonly data: string }
  | { readonly kind: 'notebook'; readonly blocks: readonly ContentBlock[] }
  /** The same lines of the same file were read before and stand in the conversation. */
  | { readonly kind: 'unchanged'; readonly since: CallId }
);

/** Reads files by what they are: text, pictures, notebooks, the text of PDFs. */
export const createReadTool = (documents: DocumentReader): AnyTool =>
  defineTool<Input, Output>({
    name: 'Read',
    description:
      'Reads a file. Gives its lines with numbers; a picture as one; the cells of a notebook; the text of a PDF by pages.',
    inputSchema: Input,
    isConcurrencySafe: () => true,
    isAlwaysSafe: true,
    isReadOnly: () => true,
    interruptBehavior: () => 'cancel',
    maxResultSizeChars: Number.POSITIVE_INFINITY,
    validateInput: (input, context) => validate(input, resolvePath(input.file_path, context), context),
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
      const { output, ...facts } = await readAs(input, real, { documents, signal: run.signal });
      return {
        output: { ...output, path: real },
        isError: false,
        modifier: remember(real, { mtimeMs, ...facts, callId: run.callId, by: 'read', range }),
        changes: [`read ${shownPath(path, context)}`],
      };
    },
    mapResult: (output) => ({ content: blocksOf(output), isError: false }),
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

type Means = { readonly documents: DocumentReader; readonly signal: AbortSignal };
type Seen = {
  readonly output: Output extends infer O ? (O extends unknown ? Omit<O, 'path'> : never) : never;
  readonly size: number;
  readonly hash: string;
};

/** Reads the file as what its content says it is. */
async function readAs(input: Input, real: string, means: Means): Promise<Seen> {
  if (isPdf(await headOf(real))) return readPdf(input, real, means);
  const bytes = await readFile(real, { signal: means.signal });
  const facts = { size: bytes.length, hash: await hashSoon(bytes) };
  const mediaType = imageTypeOf(bytes);
  if (mediaType !== undefined) {
    const trouble = imageTrouble(bytes);
    if (trouble !== undefined) throw new Error(`${real} cannot be shown: ${trouble}. Make a smaller copy first.`);
    return { output: { kind: 'image', mediaType, data: bytes.toString('base64') }, ...facts };
  }
  const { offset, limit } = input;
  if (isNotebook(real) && offset === undefined && limit === undefined) {
    const blocks = await means.documents.do({ kind: 'notebook', text: textOf(bytes) }, means.signal);
    if (blocks !== undefined) return { output: { kind: 'notebook', blocks }, ...facts };
  }
  const text = numberedLines(textOf(bytes), offset ?? 1, limit ?? DEFAULT_LINES);
  return { output: { kind: 'text', text }, ...facts };
}

async function readPdf({ pages }: Input, real: string, { documents, signal }: Means): Promise<Seen> {
  const asked = pages === undefined ? undefined : pageRange(pages);
  const job = { kind: 'pdf', from: real, mostCharacters: MOST_CHARACTERS, ...(asked && { pages: asked }) } as const;
  try {
    const found = await documents.do(job, signal);
    return { output: { kind: 'text', text: pdfForModel(found, asked) }, size: found.size, hash: found.hash };
  } catch (cause) {
    if (!(cause instanceof DocumentUnreadable)) throw cause;
    throw new Error(`${real} cannot be read as a PDF: ${cause.message}.`, { cause });
  }
}

const isNotebook = (path: string): boolean => path.toLowerCase().endsWith('.ipynb');

function blocksOf(output: Output): ContentBlock[] {
  switch (output.kind) {
    case 'text':
      return [{ type: 'text', text: output.text }];
    case 'image':
      return [{ type: 'image', mediaType: output.mediaType, data: output.data }];
    case 'notebook':
      return [...output.blocks];
    case 'unchanged': {
      const text = `The file is unchanged since call ${output.since} read these lines. They are still in this conversation; read them there.`;
      return [{ type: 'text', text }];
    }
  }
}

type Range = ReadFile['range'];

/** The pages of a PDF count as lines do elsewhere: both say which part was seen. */
function rangeOf({ offset, limit, pages }: Input): Range {
  const asked = pages === undefined ? undefined : pageRange(pages);
  if (asked !== undefined) return { offset: asked.from, limit: asked.to - asked.from + 1 };
  return offset === undefined && limit === undefined ? 'whole' : { offset: offset ?? 1, limit: limit ?? DEFAULT_LINES };
}

const sameRange = (a: Range, b: Range): boolean =>
  a === 'whole' || b === 'whole' ? a === b : a.offset === b.offset && a.limit === b.limit;

async function validate(input: Input, path: string, context: ToolContext): Promise<Validation> {
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
  const isParted = input.offset !== undefined || input.limit !== undefined;
  if (isPdf(head)) return validatePdf(input, path, isParted);
  if (input.pages !== undefined) return { ok: false, message: `pages is for PDF files, and ${path} is none.` };
  if (imageTypeOf(head) !== undefined) {
    if (found.size <= MOST_IMAGE_BYTES) return { ok: true };
    return tooLarge(path, found.size, MOST_IMAGE_BYTES, 'Make a smaller copy of the image first.');
  }
  if (isNotebook(path) && !isParted && found.size > MOST_NOTEBOOK_BYTES) {
    return tooLarge(
      path,
      found.size,
      MOST_NOTEBOOK_BYTES,
      'Clear its outputs, or read parts of it with offset and limit.',
    );
  }
  if (head.includes(0)) return { ok: false, message: `${path} is a binary file. It cannot be read as text.` };
  return { ok: true };
}

function validatePdf({ pages }: Input, path: string, isParted: boolean): Validation {
  if (isParted) return { ok: false, message: `${path} is a PDF. It has pages, no lines: use pages.` };
  if (pages === undefined || pageRange(pages) !== undefined) return { ok: true };
  return { ok: false, message: `pages is "${pages}". Give one page or a range, as 3, 2-5 or 12-.` };
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
