import { copyFile, mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { TranscriptUnreadable } from '../importer.ts';

/** How long a database that another program has locked is waited for, in ms. Programs hold it for milliseconds. */
const WAIT_MS = 2_000;
/** A database that changes while it is read is read again, so many times. */
const MOST_TRIES = 3;

const MAGIC = 'SQLite format 3\0';
/** Byte 18 of the header: 2 says that changes go to a write-ahead log (https://sqlite.org/fileformat.html, 1.3.3). */
const LOG_MODE = { at: 18, wal: 2 } as const;

/** Its first bytes say so; everything but a database is false. */
export const isDatabase = async (file: string): Promise<boolean> =>
  (await headerOf(file))?.toString('latin1', 0, MAGIC.length) === MAGIC;

async function headerOf(file: string): Promise<Buffer | undefined> {
  try {
    const handle = await open(file, 'r');
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(100), 0, 100, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}

export type StoreRow = Readonly<Record<string, unknown>>;

/** What is asked of a table. */
export type Selection = {
  readonly table: string;
  /** Expressions by the name they have in the row. A plain name that the table lacks is left out. */
  readonly columns: Readonly<Record<string, string>> | readonly string[];
  /** With `?` for each of `values`. */
  readonly where?: string;
  readonly values?: readonly string[];
  /** A row for each value of this column; then the columns have to be expressions. */
  readonly groupBy?: string;
};

/** A database that is open for reading. */
export class Store {
  readonly #db: DatabaseSyncInstance;
  #rows: StoreRow[] = [];
  #names: readonly string[] = [];
  #values: readonly string[] = [];

  constructor(db: DatabaseSyncInstance) {
    this.#db = db;
    /*
     * Rows come through a function instead of a prepared statement: the binding gives statements free only when memory is
     * collected, and until then the connection is not closed. The program's own close would leave its log behind.
     */
    db.function('gantry_row', { varargs: true }, (...cells: unknown[]) => {
      this.#rows.push(Object.fromEntries(this.#names.map((name, at) => [name, cells[at] ?? undefined])));
      return 0;
    });
    db.function('gantry_value', (at: number) => this.#values[Number(at)] ?? null);
  }

  /** Columns of a table; none where there is no such table. */
  columnsOf(table: string): ReadonlySet<string> {
    const info = `pragma_table_info('${table.replaceAll("'", "''")}')`;
    return new Set(this.#run(['name'], `SELECT gantry_row(name) FROM ${info}`, []).map(({ name }) => String(name)));
  }

  has(table: string, columns: readonly string[]): boolean {
    const there = this.columnsOf(table);
    return columns.every((column) => there.has(column));
  }

  /**
   * Rows of a table in no order, those before a damaged place where there is one.
   * @param onDamage told once, in words, when not all rows can be read
   */
  select({ table, columns, where, values = [], groupBy }: Selection, onDamage: (why: string) => void): StoreRow[] {
    const there = this.columnsOf(table);
    const wanted = Array.isArray(columns)
      ? (columns as readonly string[]).filter((name) => there.has(name)).map((name) => [name, name] as const)
      : Object.entries(columns as Readonly<Record<string, string>>);
    if (there.size === 0 || wanted.length === 0) return [];
    let n = 0;
    const condition = where === undefined ? '' : ` WHERE ${where.replaceAll('?', () => `gantry_value(${n++})`)}`;
    const inner = wanted.map(([name, from]) => `${from} AS ${name}`).join(', ');
    const names = wanted.map(([name]) => name);
    const group = groupBy === undefined ? '' : ` GROUP BY ${groupBy}`;
    const text = `SELECT gantry_row(${names.join(', ')}) FROM (SELECT ${inner} FROM ${table}${condition}${group})`;
    try {
      return this.#run(names, text, values);
    } catch (error) {
      onDamage(error instanceof Error ? error.message : String(error));
      return this.#rows;
    }
  }

  #run(names: readonly string[], text: string, values: readonly string[]): StoreRow[] {
    this.#rows = [];
    this.#names = names;
    this.#values = values;
    this.#db.exec(text);
    return this.#rows;
  }
}

/**
 * Opens a database, reads from it and closes it again. Only reads, and leaves no file behind; what a program that is using
 * it does meanwhile is neither seen nor hindered.
 * @throws TranscriptUnreadable when it is none, is damaged or stays locked
 */
export async function readStore<T>(file: string, read: (store: Store) => T): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const before = await stampOf(file);
    try {
      const answer = await readOnce(file, read);
      if (before.live || (await stampOf(file)).text === before.text) return answer;
    } catch (error) {
      const changed = (await stampOf(file)).text !== before.text;
      if (!changed || attempt === MOST_TRIES) throw unreadable(file, error);
    }
    if (attempt === MOST_TRIES) throw new TranscriptUnreadable(file, 'changes all the time', 'Try again later.');
  }
}

/** What tells whether a program has changed the database, and whether one has it open with a log. */
async function stampOf(file: string): Promise<{ readonly text: string; readonly live: boolean }> {
  const [main, log, shared] = await Promise.all(
    ['', '-wal', '-shm'].map((end) => stat(`${file}${end}`).catch(() => undefined)),
  );
  const text = [main, log].map((one) => (one === undefined ? '' : `${one.size} ${one.mtimeMs}`)).join(', ');
  return { text, live: log !== undefined && shared !== undefined };
}

/**
 * With its log and the memory the log is shared through, it is read beside the program, as SQLite means it to be. Without
 * them nobody writes to a database of that mode, and opening it in the usual way would make them anew: then it is read as
 * one that cannot change. A log without shared memory, as a copied folder has it, is read from a copy.
 */
async function readOnce<T>(file: string, read: (store: Store) => T): Promise<T> {
  const [log, shared] = await Promise.all(['-wal', '-shm'].map((end) => sizeOf(`${file}${end}`)));
  if (log !== undefined && log > 0 && shared === undefined) {
    const folder = await mkdtemp(join(tmpdir(), 'gantry-store-'));
    try {
      const copy = join(folder, basename(file));
      await copyFile(file, copy);
      await copyFile(`${file}-wal`, `${copy}-wal`);
      return await readAt(copy, read);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  const header = await headerOf(file);
  const isQuiet = header?.[LOG_MODE.at] === LOG_MODE.wal && (log === undefined || shared === undefined);
  return readAt(isQuiet ? `${pathToFileURL(file).href}?immutable=1` : file, read);
}

const sizeOf = async (file: string): Promise<number | undefined> => (await stat(file).catch(() => undefined))?.size;

async function readAt<T>(place: string, read: (store: Store) => T): Promise<T> {
  if ((process as { readonly type?: string }).type === 'browser') {
    throw new Error('SQLite is not loaded into the process that holds the windows.');
  }
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const db = new DatabaseSync(place, { readOnly: true, timeout: WAIT_MS, allowExtension: false });
  try {
    const store = new Store(db);
    // All that is read is of one moment.
    db.exec('BEGIN');
    return read(store);
  } finally {
    db.close();
  }
}

function unreadable(file: string, error: unknown): unknown {
  const name = error instanceof Error && 'sqliteCodeName' in error ? String(error.sqliteCodeName) : '';
  const words = error instanceof Error ? error.message : '';
  if (name === '' && !/database/.test(words)) return error;
  if (/BUSY|LOCKED/.test(name) || /locked/.test(words)) {
    return new TranscriptUnreadable(file, 'is locked by another program', 'End that program, or try again later.', {
      cause: error,
    });
  }
  const hint = 'Open a copy of it from before, or let the program that wrote it repair it.';
  return new TranscriptUnreadable(file, 'is a damaged SQLite database', hint, { cause: error });
}
