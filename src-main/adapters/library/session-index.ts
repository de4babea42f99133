import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { FoundSession, type Hit } from '../../../src-shared/library/session.ts';
import type { SessionFacts } from './facts-of.ts';
import { HitSearch, hitOf, type TextRange } from './hit-search.ts';
import type { SearchAnswer, SearchQuery, SessionHits } from './protocol.ts';
import { partsOf, snippetOf } from './query.ts';
import type { FoundFile } from './scan.ts';

/** Raised whenever the tables or what is kept in them change: an index of another version is made anew. */
const VERSION = 2;
/** How long a writer waits for another process's turn, in ms. */
const WAIT_MS = 10_000;
/** Time between two tries where SQLite does not wait by itself, in ms. */
const PAUSE_MS = 10;
/** No file is so small: one that was only announced is always read. */
const UNREAD_BYTES = -1;
const TABLES = `
  CREATE TABLE sessions (
    id INTEGER PRIMARY KEY, file TEXT NOT NULL UNIQUE, bytes INTEGER NOT NULL, mtime REAL NOT NULL,
    started REAL NOT NULL, cwd TEXT NOT NULL, facts TEXT NOT NULL);
  CREATE TABLE texts (
    id INTEGER PRIMARY KEY, session INTEGER NOT NULL, kind TEXT NOT NULL, tool TEXT NOT NULL,
    call TEXT, t REAL NOT NULL, text TEXT NOT NULL);
  CREATE INDEX newest ON sessions (started DESC);
  CREATE INDEX texts_of ON texts (session);
  CREATE VIRTUAL TABLE found USING fts5(text, content='texts', content_rowid='id', tokenize='trigram');
  PRAGMA user_version = ${VERSION};`;

type Row = Readonly<Record<string, unknown>>;

/** Is the file itself at fault, so that only making it anew helps? Being locked by another process is not. */
export const isDamage = (error: unknown): boolean =>
  error instanceof Error && /not a database|malformed|no such table|vtable constructor failed/.test(error.message);

/** All sessions of this machine with their texts, in one SQLite file. Several processes may use it. */
export class SessionIndex {
  readonly #db: DatabaseSyncInstance;

  /**
   * Opens the index, or makes it anew where it is damaged or of another version.
   * @param pause waits for the given ms, while another process makes the same index
   */
  constructor(file: string, pause = sleep) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    try {
      this.#db = openDatabase(file, pause);
    } catch (error) {
      if (!isDamage(error)) throw error;
      removeIndex(file);
      this.#db = openDatabase(file, pause);
    }
  }

  close(): void {
    this.#db.close();
  }

  /** Files in the index, with the size and time they had when they were read. */
  files(): ReadonlyMap<string, FoundFile> {
    const rows = this.#db.prepare('SELECT file, bytes, mtime FROM sessions').all() as Row[];
    return new Map(
      rows.map(({ file, bytes, mtime }) => [
        String(file),
        { path: String(file), bytes: Number(bytes), mtimeMs: Number(mtime) },
      ]),
    );
  }

  /** Puts a session in the place of what the index knew of its file. Whole, or not at all. */
  put(file: FoundFile, { session, texts }: SessionFacts): void {
    this.#inOneStep(() => {
      // Its number stays, so that a list on screen still names it.
      const before = this.#drop(file.path);
      const { lastInsertRowid: id } = this.#db
        .prepare('INSERT INTO sessions (id, file, bytes, mtime, started, cwd, facts) VALUES (?, ?, ?, ?, ?, ?, ?)')
        .run(
          before ?? null,
          file.path,
          file.bytes,
          file.mtimeMs,
          session.startedAt,
          session.cwd,
          JSON.stringify(session),
        );
      const insert = this.#db.prepare(
        'INSERT INTO texts (session, kind, tool, call, t, text) VALUES (?, ?, ?, ?, ?, ?)',
      );
      const index = this.#db.prepare('INSERT INTO found (rowid, text) VALUES (?, ?)');
      for (const { kind, tool, callId, t, text } of texts) {
        index.run(insert.run(id, kind, tool, callId ?? null, t, text).lastInsertRowid, text);
      }
    });
  }

  /** Lists files of which nothing is known yet, until they are put. They still count as unread. */
  announce(all: Iterable<{ readonly file: FoundFile; readonly session: FoundSession }>): void {
    this.#inOneStep(() => {
      const insert = this.#db.prepare(
        `INSERT OR IGNORE INTO sessions (file, bytes, mtime, started, cwd, facts) VALUES (?, ${UNREAD_BYTES}, 0, ?, ?, ?)`,
      );
      for (const { file, session } of all) {
        insert.run(file.path, session.startedAt, session.cwd, JSON.stringify(session));
      }
    });
  }

  /** Forgets a file. */
  drop(path: string): void {
    this.#inOneStep(() => this.#drop(path));
  }

  /** All sessions, newest first. */
  list(): FoundSession[] {
    const rows = this.#db.prepare('SELECT facts FROM sessions ORDER BY started DESC').all() as Row[];
    return rows.map(({ facts }) => FoundSession.parse(JSON.parse(String(facts))));
  }

  /** Texts in which every part of the search stands, by session. Never fails for what is searched for. */
  search(query: SearchQuery): Omit<SearchAnswer, 'ms'> {
    const wanted = query.project.toLowerCase();
    const sessions = this.numbered().filter(({ session }) => session.cwd.toLowerCase().includes(wanted));
    const search = this.startSearch(
      query,
      sessions.map(({ id }) => id),
      this.textRanges(),
    );
    search.run(() => false);
    const { found, hits, more } = search.result();
    const byId = new Map(sessions.map(({ id, session }) => [id, session]));
    const answers = [...found].flatMap(([id, own]): SessionHits[] => {
      const session = byId.get(id);
      return session === undefined ? [] : [{ session, hits: [...own] }];
    });
    return { sessions: answers, hits, more };
  }

  /** Which texts each session has. They are written together, and so have numbers without gaps. */
  textRanges(): ReadonlyMap<number, TextRange> {
    const rows = this.#db
      .prepare('SELECT session, min(id) AS first, max(id) AS last FROM texts GROUP BY session')
      .all() as Row[];
    return new Map(
      rows.map(({ session, first, last }) => [
        Number(session),
        { session: Number(session), first: Number(first), last: Number(last) },
      ]),
    );
  }

  /** @param sessions where to look, the newest first. */
  startSearch(query: SearchQuery, sessions: readonly number[], ranges: ReadonlyMap<number, TextRange>): HitSearch {
    return new HitSearch(
      this.#db,
      query,
      sessions.flatMap((id) => ranges.get(id) ?? []),
    );
  }

  /** Changes whenever another process has changed the index. */
  version(): number {
    return Number((this.#db.prepare('PRAGMA data_version').get() as Row).data_version);
  }

  /** All sessions with their numbers, newest first. */
  numbered(): { readonly id: number; readonly session: FoundSession }[] {
    const rows = this.#db.prepare('SELECT id, facts FROM sessions ORDER BY started DESC, id').all() as Row[];
    // Written by this program and checked when it was opened: thousands of rows are not checked again at each question.
    return rows.map(({ id, facts }) => ({ id: Number(id), session: JSON.parse(String(facts)) as FoundSession }));
  }

  pathOf(id: number): string | undefined {
    const row = this.#db.prepare('SELECT file FROM sessions WHERE id = ?').get(id) as Row | undefined;
    return row === undefined ? undefined : String(row.file);
  }

  /** All hits in one session, in the order of time. */
  hitsOf(id: number, text: string, kinds: SearchQuery['kinds'], limit: number): Hit[] {
    const parts = partsOf(text);
    const hits: Hit[] = [];
    const rows = this.#db
      .prepare('SELECT kind, tool, call, t, text FROM texts WHERE session = ? ORDER BY t, id')
      .iterate(id) as Iterable<Row>;
    for (const row of rows) {
      if (kinds.length > 0 && !kinds.some((kind) => kind === row.kind)) continue;
      const shown = snippetOf(String(row.text), parts);
      if (shown !== undefined) hits.push(hitOf(row, shown));
      if (hits.length === limit) break;
    }
    return hits;
  }

  /** The number it had. */
  #drop(path: string): number | undefined {
    const row = this.#db.prepare('SELECT id FROM sessions WHERE file = ?').get(path) as Row | undefined;
    if (row === undefined) return undefined;
    const id = Number(row.id);
    // The full-text table keeps no texts of its own: it has to be told what it forgets.
    this.#db
      .prepare("INSERT INTO found (found, rowid, text) SELECT 'delete', id, text FROM texts WHERE session = ?")
      .run(id);
    this.#db.prepare('DELETE FROM texts WHERE session = ?').run(id);
    this.#db.prepare('DELETE FROM sessions WHERE id = ?').run(id);
    return id;
  }

  #inOneStep(work: () => void): void {
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      work();
      this.#db.exec('COMMIT');
    } catch (error) {
      this.#db.exec('ROLLBACK');
      throw error;
    }
  }
}

const sleep = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};

/** SQLite's own time-out does not hold for this step: while another process writes, it is refused at once. */
function useLog(db: DatabaseSyncInstance, pause: (ms: number) => void): void {
  for (let waited = 0; ; waited += PAUSE_MS) {
    try {
      db.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (waited >= WAIT_MS || !(error instanceof Error) || !/locked/.test(error.message)) throw error;
      pause(PAUSE_MS);
    }
  }
}

/** @throws an error that `isDamage` knows, for a file that is none of ours. */
function openDatabase(file: string, pause: (ms: number) => void): DatabaseSyncInstance {
  const db = new DatabaseSync(file, { timeout: WAIT_MS });
  try {
    // It holds what transcripts hold.
    chmodSync(file, 0o600);
    useLog(db, pause);
    db.exec('PRAGMA synchronous = NORMAL');
    db.exec('BEGIN IMMEDIATE');
    const { user_version: version } = db.prepare('PRAGMA user_version').get() as Row;
    if (version === 0) db.exec(TABLES);
    else if (version !== VERSION) throw new Error(`no such table of version ${VERSION}`);
    db.exec('COMMIT');
    db.prepare('SELECT rowid FROM found LIMIT 1').all();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Deletes the index; it can be made again from the sessions. */
export function removeIndex(file: string): void {
  for (const each of [file, `${file}-wal`, `${file}-shm`]) rmSync(each, { force: true });
}
