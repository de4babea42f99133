import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Importer, type ReadOptions, TranscriptUnreadable } from '../importer.ts';
import { isDatabase, readStore, type Store } from './sqlite-file.ts';

/** A session of a database, as far as a list needs it. */
export type StoredEntry = {
  readonly sessionId: string;
  readonly title: string | undefined;
  readonly cwd: string | undefined;
  /** The session that started it, where it is a sub-agent's. */
  readonly parentId: string | undefined;
  /** Wall ms of its newest row, and bytes of all of them: what tells that it has changed. */
  readonly updatedAt: number;
  readonly bytes: number;
};

/** How a program keeps many sessions in one database. */
export type StoreFormat = {
  /** Are these tables the program's? */
  fits(store: Store): boolean;
  /** All sessions, sub-agents' too, in any order. */
  list(store: Store): readonly StoredEntry[];
};

/** A session in a database: `file#sessionId`. */
export type StoredPlace = { readonly file: string; readonly sessionId: string };

/** For what cannot be read while sessions are listed: it is told when one of them is opened. */
export const untold = (): void => {};

/** Takes why not all rows of a session can be read. */
export const damageTo =
  ({ file }: StoredPlace, { onFinding }: ReadOptions) =>
  (why: string): void =>
    onFinding({ file, line: 0, kind: 'damaged-database', message: `Part of the session could not be read: ${why}` });

export const noSuchSession = ({ file, sessionId }: StoredPlace): TranscriptUnreadable =>
  new TranscriptUnreadable(file, `holds no session ${sessionId}`, `\`gantry inspect ${file}\` names those it has.`);

export const storedPath = ({ file, sessionId }: StoredPlace): string => `${file}#${sessionId}`;

/** The database, and the session in it where the path names one; undefined for everything else. */
export async function storeAt(
  path: string,
): Promise<{ readonly file: string; readonly sessionId: string | undefined } | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found !== undefined) {
    return found.isFile() && (await isDatabase(path)) ? { file: path, sessionId: undefined } : undefined;
  }
  const at = path.lastIndexOf('#');
  if (at <= 0) return undefined;
  const file = path.slice(0, at);
  return (await isDatabase(file)) ? { file, sessionId: path.slice(at + 1) } : undefined;
}

/** Databases that lie in a folder, by name. */
export async function storesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  const files: string[] = [];
  for (const name of names.filter((one) => one.endsWith('.db')).sort()) {
    const file = join(folder, name);
    if (await isDatabase(file)) files.push(file);
  }
  return files;
}

/** Does reading this path need a database, whose reader the app keeps out of its own process? */
export async function needsStore(path: string): Promise<boolean> {
  return (await storeAt(path)) !== undefined || (await storesIn(path)).length > 0;
}

export type ListedStore = { readonly importer: Importer; readonly entries: readonly StoredEntry[] };

/**
 * Whose database it is, and its sessions, the newest first.
 * @returns undefined where it is of no program that is known
 * @throws TranscriptUnreadable when it cannot be read
 */
export function listStore(file: string, importers: readonly Importer[]): Promise<ListedStore | undefined> {
  return readStore(file, (store) => {
    const importer = importers.find((one) => one.store?.fits(store) === true);
    if (importer?.store === undefined) return undefined;
    const entries = [...importer.store.list(store)].sort((a, b) => b.updatedAt - a.updatedAt);
    return { importer, entries };
  });
}

/** Sessions that stand for themselves: no sub-agents of others that are there. */
export function ownSessions(entries: readonly StoredEntry[]): readonly StoredEntry[] {
  const ids = new Set(entries.map(({ sessionId }) => sessionId));
  const own = entries.filter(({ parentId }) => parentId === undefined || !ids.has(parentId));
  // Parents that go round in a circle leave none.
  return own.length > 0 ? own : entries;
}
