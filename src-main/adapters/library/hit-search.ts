import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { Hit } from '../../../src-shared/library/session.ts';
import type { SearchQuery } from './protocol.ts';
import { expressionOf, type Parts, partsOf, scoreOf, snippetOf } from './query.ts';

/** What stands in more texts than this is looked for session by session: the newest have enough of it. */
const MOST_SORTED = 5_000;
/** Texts that are looked at together then. */
const STEP_TEXTS = 4_096;
/** Words that are too short for the full-text index are looked for in so many of the newest texts, each of which is read. */
const MOST_READ = 50_000;
/** Texts that are read before it is asked whether that is enough. */
const READ_AT_ONCE = 16;

/** The numbers of a session's texts, which it has one after the other: the first and the last. */
export type TextRange = { readonly session: number; readonly first: number; readonly last: number };

export type FoundHits = {
  /** Hits by the number of their session, best or newest first. */
  readonly found: ReadonlyMap<number, readonly Hit[]>;
  readonly hits: number;
  /** There are more than were asked for. */
  readonly more: boolean;
};

type Row = Readonly<Record<string, unknown>>;
type Scored = { readonly session: number; readonly hit: Hit; readonly score: number };

/**
 * A search whose first hits are there before the last text was read: which texts have the words is known at once, but
 * reading a thousand of them takes longer than anybody wants to wait. The newest sessions come first.
 */
export class HitSearch {
  readonly #db: DatabaseSyncInstance;
  readonly #query: Pick<SearchQuery, 'kinds' | 'order' | 'limit'>;
  readonly #parts: Parts;
  readonly #ranges: readonly TextRange[];
  readonly #ids: Iterator<number>;
  readonly #scored: Scored[] = [];
  #more = false;
  #isDone: boolean;

  /** @param ranges of the sessions to look in, the newest first. */
  constructor(db: DatabaseSyncInstance, query: SearchQuery, ranges: readonly TextRange[]) {
    this.#db = db;
    this.#query = query;
    this.#parts = partsOf(query.text);
    this.#ranges = ranges;
    const expression = expressionOf(this.#parts);
    this.#ids = expression === undefined ? this.#newest() : this.#matching(expression);
    this.#isDone = this.#parts.length === 0;
  }

  /** Nothing is left to look at, or as many hits as were asked for are found. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Goes on until `isEnough` says so, or to the end. */
  run(isEnough: () => boolean): void {
    const one = this.#db.prepare('SELECT session, kind, tool, call, t, text FROM texts WHERE id = ?');
    for (let read = 1; !this.#isDone; read++) {
      const next = this.#ids.next();
      if (next.done === true) this.#isDone = true;
      else this.#look(one.get(next.value) as Row | undefined);
      if (read % READ_AT_ONCE === 0 && isEnough()) return;
    }
  }

  /** What is found so far. */
  result(): FoundHits {
    const { order } = this.#query;
    // They were found from the newest session to the oldest; what is as good as another one stays in that order.
    const sorted = order === 'best' ? [...this.#scored].sort((a, b) => b.score - a.score) : this.#scored;
    const found = new Map<number, Hit[]>();
    for (const { session, hit } of sorted) {
      const own = found.get(session);
      if (own === undefined) found.set(session, [hit]);
      else own.push(hit);
    }
    return { found, hits: sorted.length, more: this.#more };
  }

  /** @param row undefined where another process has taken it away meanwhile. */
  #look(row: Row | undefined): void {
    const { kinds, limit, order } = this.#query;
    if (row === undefined || (kinds.length > 0 && !kinds.some((kind) => kind === row.kind))) return;
    const text = String(row.text);
    const shown = snippetOf(text, this.#parts);
    if (shown === undefined) return;
    if (this.#scored.length === limit) {
      this.#more = true;
      this.#isDone = true;
      return;
    }
    const score = order === 'best' ? scoreOf(text, this.#parts) : 0;
    this.#scored.push({ session: Number(row.session), hit: hitOf(row, shown), score });
  }

  *#newest(): Generator<number> {
    let left = MOST_READ;
    for (const { first, last } of this.#ranges) {
      for (let id = first; id <= last; id++) {
        if (left-- <= 0) return;
        yield id;
      }
    }
  }

  *#matching(expression: string): Generator<number> {
    const { kinds } = this.#query;
    const kind = kinds.length === 0 ? '' : ` AND x.kind IN (${kinds.map(() => '?').join(', ')})`;
    const join = kind === '' ? '' : ' JOIN texts x ON x.id = found.rowid';
    const text = `SELECT found.rowid AS id FROM found${join} WHERE found MATCH ?`;
    // No statement stays open while others are waited for: it would hold the index as it was.
    const few = this.#db.prepare(`${text}${kind} LIMIT ${MOST_SORTED + 1}`).all(expression, ...kinds) as Row[];
    if (few.length <= MOST_SORTED) {
      yield* inOrder(numbersOf(few), this.#ranges);
      return;
    }
    const some = this.#db.prepare(`${text} AND found.rowid BETWEEN ? AND ?${kind}`);
    for (const [first, last] of stepsOver(this.#ranges, STEP_TEXTS)) {
      yield* numbersOf(some.all(expression, first, last, ...kinds) as Row[]);
    }
  }
}

export const hitOf = (row: Row, shown: { snippet: string; marks: [number, number][] }): Hit =>
  Hit.parse({
    kind: row.kind,
    tool: row.tool,
    ...(row.call === null ? {} : { callId: row.call }),
    t: row.t,
    ...shown,
  });

const numbersOf = (rows: readonly Row[]): readonly number[] => rows.map(({ id }) => Number(id));

/** Numbers of texts, which rise, in the order of their sessions; without those of other sessions. */
export function inOrder(ids: readonly number[], ranges: readonly TextRange[]): readonly number[] {
  const rising = ranges.map((range, place) => ({ ...range, place })).sort((a, b) => a.first - b.first);
  const placed: { readonly id: number; readonly place: number }[] = [];
  let at = 0;
  for (const id of ids) {
    while (at < rising.length && (rising[at]?.last ?? 0) < id) at++;
    const range = rising[at];
    if (range !== undefined && range.first <= id) placed.push({ id, place: range.place });
  }
  return placed.sort((a, b) => a.place - b.place || a.id - b.id).map(({ id }) => id);
}

/** Ranges of at most so many texts: neighbours in one, long ones in several. */
export function* stepsOver(
  ranges: readonly TextRange[],
  texts: number,
): Generator<readonly [first: number, last: number]> {
  let open: readonly [number, number] | undefined;
  for (const { first, last } of ranges) {
    const isNext = open !== undefined && first === open[1] + 1 && last - open[0] < texts;
    if (open !== undefined && !isNext) yield* pieces(open, texts);
    open = isNext && open !== undefined ? [open[0], last] : [first, last];
  }
  if (open !== undefined) yield* pieces(open, texts);
}

function* pieces([first, last]: readonly [number, number], texts: number): Generator<readonly [number, number]> {
  for (let from = first; from <= last; from += texts) yield [from, Math.min(last, from + texts - 1)];
}
