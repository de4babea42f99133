import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

export type FoundFile = { readonly path: string; readonly bytes: number; readonly mtimeMs: number };

/** Programs nest by project, year, month, day and session; deeper than this is somebody's own. */
const MOST_DEPTH = 7;

/** Folders and files that belong to the session beside them. */
const PART_FOLDERS = new Set(['subagents', 'tool-results', 'scratch', 'hook-output', 'node_modules', '.git']);
const isPartFile = (name: string): boolean => /^agent-.+\.jsonl$/.test(name) || name === 'summary.json';

/**
 * The files below these folders that may be transcripts, with what tells whether they have changed. Opens none of them.
 * Symbolic links are not followed, and what may not be read is skipped.
 * @throws the signal's reason when it is aborted
 */
export async function* scan(folders: readonly string[], signal: AbortSignal): AsyncGenerator<FoundFile> {
  const seen = new Set<string>();
  for (const folder of folders) {
    for await (const path of filesIn(folder, 0, signal)) {
      if (seen.has(path)) continue;
      seen.add(path);
      const found = await lstat(path).catch(() => undefined);
      if (found?.isFile()) yield { path, bytes: found.size, mtimeMs: found.mtimeMs };
    }
  }
}

async function* filesIn(folder: string, depth: number, signal: AbortSignal): AsyncGenerator<string> {
  signal.throwIfAborted();
  for (const entry of await entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && depth < MOST_DEPTH && !PART_FOLDERS.has(entry.name)) {
      yield* filesIn(path, depth + 1, signal);
    } else if (entry.isFile() && /\.jsonl?$/.test(entry.name) && !isPartFile(entry.name)) {
      yield path;
    }
  }
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}
