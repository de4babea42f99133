import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { IMPORTERS } from '../transcripts/registry.ts';
import { isDatabase } from '../transcripts/store/sqlite-file.ts';
import { listStore, ownSessions, storedPath } from '../transcripts/store/stored.ts';

export type FoundFile = {
  readonly path: string;
  readonly bytes: number;
  readonly mtimeMs: number;
  /** What its database says of a session that lies in one. */
  readonly stored?: { readonly title: string; readonly cwd: string };
};

type ScanOptions = {
  readonly signal: AbortSignal;
  /** Told of a database whose sessions cannot be listed now. */
  readonly onUnlisted?: (database: string) => void;
};

/** Programs nest by project, year, month, day and session; deeper than this is somebody's own. */
const MOST_DEPTH = 7;

/** Folders and files that belong to the session beside them. */
const PART_FOLDERS = new Set(['subagents', 'tool-results', 'scratch', 'hook-output', 'node_modules', '.git']);
const isPartFile = (name: string): boolean => /^agent-.+\.jsonl$/.test(name) || name === 'summary.json';

/**
 * The files below these folders that may be transcripts, with what tells whether they have changed, and the sessions of the
 * databases there. Opens no file but databases. Symbolic links are not followed, and what may not be read is skipped.
 * @throws the signal's reason when it is aborted
 */
export async function* scan(folders: readonly string[], options: ScanOptions): AsyncGenerator<FoundFile> {
  const seen = new Set<string>();
  const inDatabases = new Map<string, Set<string>>();
  for (const folder of folders) {
    for await (const path of filesIn(folder, 0, options.signal)) {
      if (seen.has(path)) continue;
      seen.add(path);
      const found = await lstat(path).catch(() => undefined);
      if (!found?.isFile()) continue;
      if (!isStoreName(path)) {
        if (!isCopy(path, inDatabases)) yield { path, bytes: found.size, mtimeMs: found.mtimeMs };
        continue;
      }
      const sessions = await sessionsIn(path, options);
      inDatabases.set(`${dirname(path)}${sep}`, new Set(sessions.map(({ id }) => id)));
      for (const { file } of sessions) yield file;
    }
  }
}

const isStoreName = (name: string): boolean => name.endsWith('.db');

async function sessionsIn(database: string, { onUnlisted }: ScanOptions) {
  if (!(await isDatabase(database))) return [];
  const listed = await listStore(database, IMPORTERS).catch(() => {
    onUnlisted?.(database);
    return undefined;
  });
  return ownSessions(listed?.entries ?? []).map(({ sessionId: id, title, cwd, bytes, updatedAt }) => {
    const path = storedPath({ file: database, sessionId: id });
    const file: FoundFile = { path, bytes, mtimeMs: updatedAt, stored: { title: title ?? id, cwd: cwd ?? '' } };
    return { id, file };
  });
}

/** Programs that have moved on to a database leave the files of their older versions where they were. */
function isCopy(path: string, inDatabases: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const id = basename(path).replace(/\.jsonl?$/, '');
  return [...inDatabases].some(([folder, ids]) => path.startsWith(folder) && ids.has(id));
}

async function* filesIn(folder: string, depth: number, signal: AbortSignal): AsyncGenerator<string> {
  signal.throwIfAborted();
  // A program's one database is a place of its own.
  if (depth === 0 && isStoreName(folder)) yield folder;
  const entries = await entriesOf(folder);
  // Databases first: they tell which of the other files are left over.
  for (const entry of entries) if (entry.isFile() && isStoreName(entry.name)) yield join(folder, entry.name);
  for (const entry of entries) {
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
