import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { FoundSession, Hit } from '../../../src-shared/library/session.ts';
import type { SessionFacts } from './facts-of.ts';
import type { SearchAnswer, SearchQuery, SessionHits } from './protocol.ts';
import { expressionOf, partsOf, snippetOf } from './query.ts';
import type { FoundFile } from './scan.ts';

/** Raised whenever the tables or what is kept in them change: an index of another version is made anew. */
const VERSION = 2;
/** How long a writer waits for another process's turn, in ms. */
const WAIT_MS = 10_000;
/** Time between two tries where SQLite does not wait by itself, in ms. */
const PAUSE_MS = 10;
/** No file is so small: one that was only announced is always read. */
const UNREAD_BYTES = -1;
/** Without the index's help so many of the newest texts are looked through. */
const MOST_SCANNED = 50_000;
/** More matches than this are neither ranked nor sorted: looking through the newest sessions finds enough at once. */
const MOST_RANKED = 5_000;

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
    const { found, hits, more } = this.hitsBySession(query, () => true);
    const one = this.#db.prepare('SELECT facts FROM sessions WHERE id = ?');
    const sessions: SessionHits[] = [...found].map(([id, own]) => ({
      session: FoundSession.parse(JSON.parse(String((one.get(id) as Row).facts))),
      hits: own,
    }));
    return { sessions, hits, more };
  }

  /** Rows that may fit, best or newest first. Only their numbers are sorted: the texts of all would be too much. */
  *#rows(query: SearchQuery, expression: string | undefined): Generator<Row> {
    const isRare = expression !== undefined && this.#matches(query, expression) <= MOST_RANKED;
    const { text, values } = isRare ? matching(query, expression) : newestTexts(query);
    const one = this.#db.prepare('SELECT session, kind, tool, call, t, text FROM texts WHERE id = ?');
    for (const { id } of this.#db.prepare(text).iterate(...values) as Iterable<Row>) yield one.get(Number(id)) as Row;
  }

  /** How many texts match, counted no further than it matters. */
  #matches(query: SearchQuery, expression: string): number {
    const { text, values } = matching({ ...query, order: undefined }, expression);
    const row = this.#db.prepare(`SELECT count(*) AS n FROM (${text} LIMIT ${MOST_RANKED + 1})`).get(...values) as Row;
    return Number(row.n);
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

  /** Hits by the number of their session, best or newest session first, of sessions that are wanted. */
  hitsBySession(query: SearchQuery, isWanted: (id: number) => boolean) {
    const parts = partsOf(query.text);
    const found = new Map<number, Hit[]>();
    let hits = 0;
    for (const row of parts.length === 0 ? [] : this.#rows(query, expressionOf(parts))) {
      const id = Number(row.session);
      if (!isWanted(id)) continue;
      const shown = snippetOf(String(row.text), parts);
      if (shown === undefined) continue;
      if (hits === query.limit) return { found, hits, more: true };
      hits++;
      const group = found.get(id) ?? [];
      found.set(id, group);
      group.push(hitOf(row, shown));
    }
    return { found, hits, more: false };
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

type Statement = { readonly text: string; readonly values: readonly string[] };
type Wanted = Pick<SearchQuery, 'kinds' | 'project'>;

/** What asks for the numbers of texts that hold an expression, in an order or as they come. */
function matching(query: Wanted & { readonly order: SearchQuery['order'] | undefined }, expression: string): Statement {
  const { order } = query;
  const filters = filtersOf(query);
  const isJoined = filters.text !== '' || order === 'newest';
  const joins = isJoined ? 'JOIN texts x ON x.id = found.rowid JOIN sessions s ON s.id = x.session' : '';
  const by = { best: 'ORDER BY found.rank', newest: 'ORDER BY s.started DESC, x.id', none: '' }[order ?? 'none'];
  const text = `SELECT found.rowid AS id FROM found ${joins} WHERE found MATCH ?${filters.text} ${by}`;
  return { text, values: [expression, ...filters.values] };
}

/** What asks for the numbers of the newest texts. The order of the join is held to: nothing has to be sorted. */
function newestTexts(query: Wanted): Statement {
  const { text, values } = filtersOf(query);
  const from = 'sessions s CROSS JOIN texts x ON x.session = s.id';
  const order = `ORDER BY s.started DESC, s.id, x.id LIMIT ${MOST_SCANNED}`;
  return { text: `SELECT x.id AS id FROM ${from} WHERE true${text} ${order}`, values };
}

function filtersOf({ kinds, project }: Wanted): Statement {
  const places = kinds.map(() => '?').join(', ');
  const text = `${kinds.length === 0 ? '' : ` AND x.kind IN (${places})`}${
    project === '' ? '' : ' AND instr(lower(s.cwd), lower(?)) > 0'
  }`;
  return { text, values: [...kinds, ...(project === '' ? [] : [project])] };
}

const hitOf = (row: Row, shown: { snippet: string; marks: [number, number][] }): Hit =>
  Hit.parse({
    kind: row.kind,
    tool: row.tool,
    ...(row.call === null ? {} : { callId: row.call }),
    t: row.t,
    ...shown,
  });

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
