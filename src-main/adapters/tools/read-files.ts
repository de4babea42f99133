import { createHash, webcrypto } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { Modifier, ReadFile, ToolContext } from '../../ports/tool.ts';

export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The same, worked out beside this thread where it takes longer than a few milliseconds. */
export async function hashSoon(bytes: Buffer<ArrayBuffer>): Promise<string> {
  if (bytes.length < 1_000_000) return hashOf(bytes);
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('hex');
}

/**
 * Remembers that a file was read (or written, which is as good as read).
 * @param real free of links: a file is the same one by every name.
 */
export const remember =
  (real: string, file: ReadFile): Modifier =>
  (context) => ({ ...context, readFiles: new Map(context.readFiles).set(real, file) });

type Refused = { readonly ok: false; readonly message: string };

/**
 * Reads a file that is to be changed. That may be only when it was read in this session and is still what was read
 * (spec 2.3). Its content decides, not its time: a touched file is not a changed one, and two writes within one tick of
 * the file system's clock have the same time.
 * @param real free of links; exists.
 */
export async function readAgain(
  real: string,
  context: ToolContext,
): Promise<Refused | { readonly ok: true; readonly bytes: Buffer }> {
  const known = context.readFiles.get(real);
  if (known === undefined) return toolUseError('File has not been read yet. Read it first before writing to it.');
  if ((await stat(real)).size === known.size) {
    const bytes = await readFile(real);
    if (hashOf(bytes) === known.hash) return { ok: true, bytes };
  }
  return toolUseError(
    'File has been modified since read, either by the user or by a linter. Read it again before attempting to write it.',
  );
}

/** A refusal in the form that the model knows. */
export const toolUseError = (message: string): Refused => ({
  ok: false,
  message: `<tool_use_error>${message}</tool_use_error>`,
});

/** The same refusal as an error of the running call, which is put into the same form later. */
export const refusal = (message: string): Error => new Error(message.replace(/<\/?tool_use_error>/g, ''));
