import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { Modifier, ReadFile, ToolContext, Validation } from '../../ports/tool.ts';

export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Remembers that a file was read (or written, which is as good as read). */
export const remember =
  (path: string, file: ReadFile): Modifier =>
  (context) => ({ ...context, readFiles: new Map(context.readFiles).set(path, file) });

/**
 * A file may be changed only when it was read in this session and is still what was read: time and size first, then
 * the content, because a touched file is not a changed one (spec 2.3).
 */
export async function isStillAsRead(path: string, context: ToolContext): Promise<Validation> {
  const known = context.readFiles.get(path);
  if (known === undefined) {
    return {
      ok: false,
      message: '<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>',
    };
  }
  const now = await stat(path);
  if (now.mtimeMs === known.mtimeMs && now.size === known.size) return { ok: true };
  if (now.size === known.size && hashOf(await readFile(path)) === known.hash) return { ok: true };
  return {
    ok: false,
    message:
      '<tool_use_error>File has been modified since read, either by the user or by a linter. Read it again before attempting to write it.</tool_use_error>',
  };
}
