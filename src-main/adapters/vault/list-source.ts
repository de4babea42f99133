import type { Dirent } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Placed, Source } from '../../core/vault/places.ts';
import type { Listed } from '../../core/vault/plan.ts';
import { withEach } from './pool.ts';

/** Deeper than this nothing of a session lies. */
const MOST_DEPTH = 12;
/** Folders that hold no part of a session: work a session did, programs, other people's code. */
const SKIPPED_FOLDERS = new Set(['scratch', 'node_modules', '.git', 'bin']);
const SKIPPED_FILES = /^\.DS_Store$|\.lock$|\.owner$|\.part$|\.tmp$/;
/** A copy of a database that is at work is none: they are told and left out. */
const DATABASE = /\.(?:db|sqlite3?|vscdb)(?:-wal|-shm|-journal)?$/;
const PART_FOLDER = /^(?:subagents|tool-results)$/;

export type Listing = { readonly files: readonly Listed[]; readonly leftOut: readonly string[] };

/** Sources that are there, and databases among them: of a program that keeps its sessions in one. */
export async function present(sources: readonly Source[]): Promise<{ folders: Source[]; databases: string[] }> {
  const folders: Source[] = [];
  const databases: string[] = [];
  for (const source of sources) {
    const found = await stat(source.path).catch(() => undefined);
    if (found?.isDirectory() === true) folders.push(source);
    else if (found?.isFile() === true && DATABASE.test(source.path)) databases.push(source.path);
  }
  return { folders, databases };
}

/** What lies in these sources. Opens nothing, follows no link below a source, and skips what may not be read. */
export async function listSources(sources: readonly Placed[], signal: AbortSignal): Promise<Listing> {
  const places: { readonly path: string; readonly from: string }[] = [];
  const leftOut: string[] = [];
  for (const source of sources) {
    for await (const path of pathsIn(source, '', 0, signal)) {
      const from = join(source.path, path);
      if (!DATABASE.test(path)) places.push({ path: `${source.folder}/${path.split(sep).join('/')}`, from });
      else if (!/-(?:wal|shm|journal)$/.test(path)) leftOut.push(from);
    }
  }
  const files: Listed[] = [];
  await withEach(places, signal, async ({ path, from }) => {
    const found = await lstat(from).catch(() => undefined);
    if (found?.isFile() === true) files.push({ path, from, bytes: found.size, mtimeMs: found.mtimeMs });
  });
  return { files, leftOut };
}

async function* pathsIn(source: Placed, below: string, depth: number, signal: AbortSignal): AsyncGenerator<string> {
  signal.throwIfAborted();
  for (const entry of await entriesOf(join(source.path, below))) {
    const path = join(below, entry.name);
    if (entry.isDirectory()) {
      if (depth < MOST_DEPTH && !SKIPPED_FOLDERS.has(entry.name)) yield* pathsIn(source, path, depth + 1, signal);
    } else if (entry.isFile() && !SKIPPED_FILES.test(entry.name) && isWanted(source, path)) yield path;
  }
}

const isWanted = ({ onlyTranscripts }: Placed, path: string): boolean =>
  !onlyTranscripts || /\.jsonl?$/.test(path) || path.split(sep).some((part) => PART_FOLDER.test(part));

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}
