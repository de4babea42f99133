import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** What a file, or the database of a stored session, looks like from outside; `text` is another one when it has changed. */
export async function stampOf(path: string): Promise<{ readonly text: string; readonly folder: string } | undefined> {
  const plain = await markOf(path);
  if (plain !== undefined) return { text: plain, folder: dirname(path) };
  const file = path.slice(0, Math.max(0, path.lastIndexOf('#')));
  const stored = file === '' ? undefined : await markOf(file);
  if (stored === undefined) return undefined;
  // A database that is written keeps the newest beside itself.
  return { text: `${stored}\n${(await markOf(`${file}-wal`)) ?? ''}`, folder: dirname(file) };
}

/** Undefined where there is no such file, or it may not be seen. */
export async function markOf(file: string): Promise<string | undefined> {
  const found = await stat(file).catch(() => undefined);
  return found === undefined ? undefined : `${file} ${found.ino} ${found.size} ${found.mtimeMs}`;
}
