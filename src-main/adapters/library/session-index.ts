import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import type { SessionFacts } from './facts-of.ts';
import { FoundSession, Hit, type SearchAnswer, type SearchQuery, type SessionHits } from './protocol.ts';
import { expressionOf, partsOf, snippetOf } from './query.ts';
import type { FoundFile } from './scan.ts';

/** Raised whenever the tables or what is kept in them change: an index of another version is made anew. */
const VERSION = 1;
/** How long a writer waits for another process's turn, in ms. */
const WAIT_MS = 10_000;
/** Without the index's help so many of the newest texts are looked through. */
const MOST_SCANNED = 50_000;

const TABLES = `
  CREATE TABLE sessions (
    id INTEGER PRIMARY KEY, file TEXT NOT NULL UNIQUE, bytes INTEGER NOT NULL, mtime REAL NOT NULL,
    started REAL NOT NULL, cwd TEXT NOT NULL, facts TEXT NOT NULL);
  CREATE TABLE texts (
    id INTEGER PRIMARY KEY, session INTEGER NOT NULL, kind TEXT NOT NULL, tool TEXT NOT NULL,
    call TEXT, t REAL NOT NULL, text TEXT NOT NULL);
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

  /** Opens the index, or makes it anew where it is damaged or of another version. */
  constructor(file: string) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    try {
      this.#db = openDatabase(file);
    } catch (error) {
      if (!isDamage(error)) throw error;
      removeIndex(file);
      this.#db = openDatabase(file);
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
      this.#drop(file.path);
      const { lastInsertRowid: id } = this.#db
        .prepare('INSERT INTO sessions (file, bytes, mtime, started, cwd, facts) VALUES (?, ?, ?, ?, ?, ?)')
        .run(file.path, file.bytes, file.mtimeMs, session.startedAt, session.cwd, JSON.stringify(session));
      const insert = this.#db.prepare(
        'INSERT INTO texts (session, kind, tool, call, t, text) VALUES (?, ?, ?, ?, ?, ?)',
      );
      const index = this.#db.prepare('INSERT INTO found (rowid, text) VALUES (?, ?)');
      for (const { kind, tool, callId, t, text } of texts) {
        index.run(insert.run(id, kind, tool, callId ?? null, t, text).lastInsertRowid, text);
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
    const parts = partsOf(query.text);
    if (parts.length === 0) return { sessions: [], hits: 0, more: false };
    const found = new Map<number, { session: FoundSession; hits: Hit[] }>();
    let hits = 0;
    for (const row of this.#rows(query, expressionOf(parts))) {
      const shown = snippetOf(String(row.text), parts);
      if (shown === undefined) continue;
      if (hits === query.limit) return { sessions: [...found.values()], hits, more: true };
      hits++;
      const id = Number(row.session);
      const group = found.get(id) ?? { session: FoundSession.parse(JSON.parse(String(row.facts))), hits: [] };
      found.set(id, group);
      group.hits.push(hitOf(row, shown));
    }
    const sessions: SessionHits[] = [...found.values()];
    return { sessions, hits, more: false };
  }

  /** Rows that may fit, best or newest first. Only their numbers are sorted: the texts of all would be too much. */
  *#rows(query: SearchQuery, expression: string | undefined): Generator<Row> {
    const { text, values } = statementFor(query, expression);
    const one = this.#db.prepare(
      'SELECT x.session, x.kind, x.tool, x.call, x.t, x.text, s.facts FROM texts x JOIN sessions s ON s.id = x.session WHERE x.id = ?',
    );
    for (const { id } of this.#db.prepare(text).iterate(...values) as Iterable<Row>) yield one.get(Number(id)) as Row;
  }

  #drop(path: string): void {
    const row = this.#db.prepare('SELECT id FROM sessions WHERE file = ?').get(path) as Row | undefined;
    if (row === undefined) return;
    const id = Number(row.id);
    // The full-text table keeps no texts of its own: it has to be told what it forgets.
    this.#db
      .prepare("INSERT INTO found (found, rowid, text) SELECT 'delete', id, text FROM texts WHERE session = ?")
      .run(id);
    this.#db.prepare('DELETE FROM texts WHERE session = ?').run(id);
    this.#db.prepare('DELETE FROM sessions WHERE id = ?').run(id);
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

/** What asks for the numbers of texts, and the values for its places. */
function statementFor({ kinds, project, order }: SearchQuery, expression: string | undefined) {
  const where: string[] = [];
  const values: string[] = [];
  if (expression !== undefined) {
    where.push('found MATCH ?');
    values.push(expression);
  }
  if (kinds.length > 0) {
    where.push(`x.kind IN (${kinds.map(() => '?').join(', ')})`);
    values.push(...kinds);
  }
  if (project !== '') {
    where.push('instr(lower(s.cwd), lower(?)) > 0');
    values.push(project);
  }
  const isNewest = expression === undefined || order === 'newest';
  const needed = isNewest || where.length > (expression === undefined ? 0 : 1);
  const joined = 'JOIN sessions s ON s.id = x.session';
  const found = `found ${needed ? `JOIN texts x ON x.id = found.rowid ${joined}` : ''}`;
  const text = `SELECT ${expression === undefined ? 'x.id' : 'found.rowid'} AS id
    FROM ${expression === undefined ? `texts x ${joined}` : found}
    ${where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`}
    ORDER BY ${isNewest ? 's.started DESC, x.id' : 'found.rank'}
    ${expression === undefined ? `LIMIT ${MOST_SCANNED}` : ''}`;
  return { text, values };
}

const hitOf = (row: Row, shown: { snippet: string; marks: [number, number][] }): Hit =>
  Hit.parse({
    kind: row.kind,
    tool: row.tool,
    ...(row.call === null ? {} : { callId: row.call }),
    t: row.t,
    ...shown,
  });

/** @throws an error that `isDamage` knows, for a file that is none of ours. */
function openDatabase(file: string): DatabaseSyncInstance {
  const db = new DatabaseSync(file, { timeout: WAIT_MS });
  try {
    // It holds what transcripts hold.
    chmodSync(file, 0o600);
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
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
