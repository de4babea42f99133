import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RowFinder } from '../src-main/adapters/library/find-rows.ts';
import { SessionIndex } from '../src-main/adapters/library/session-index.ts';
import { updateIndex } from '../src-main/adapters/library/update-index.ts';
import type { RowQuery } from '../src-shared/library/view.ts';
import { rareWord, writeSessions } from './library-sessions.ts';
import { median, rounded, share, wallOf } from './measure.ts';

/** All of it as spec 7.3 has it: `GANTRY_BENCH_LIBRARY_MB=2048`, which takes the better part of an hour. */
const MEGABYTES = Number(process.env.GANTRY_BENCH_LIBRARY_MB ?? 24);
/** 2 GB in 5,000 sessions; fewer MB have sessions of the same size. */
const SESSIONS_PER_MB = 5_000 / 2_048;
const ROUNDS = 15;
const FIRST_ROWS = 100;
const AROUND = { ownFolder: '/none', running: [], now: Date.UTC(2026, 11, 1) };

/** Full-text search over 2 GB of transcripts and the first rows of 5,000 sessions (spec 7.3). */
export default async function library() {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-bench-library-'));
  try {
    const sessions = Math.max(2, Math.round(MEGABYTES * SESSIONS_PER_MB));
    await writeSessions(join(folder, 'projects'), { sessions, bytes: MEGABYTES * 1024 * 1024 });
    const file = join(folder, 'library.sqlite');
    const index = new SessionIndex(file);
    const { signal } = new AbortController();
    const update = () => updateIndex(index, { folders: [join(folder, 'projects')], signal, onProgress: () => {} });
    const indexed = await wallOf(update);
    const again = await wallOf(update);
    const { size } = await stat(file);
    const rows = [
      {
        what: `index ${MEGABYTES} MB in ${sessions} sessions`,
        'median ms': rounded(indexed),
        'index MB': rounded(size / 1024 ** 2),
      },
      { what: 'look again, nothing changed', 'median ms': rounded(again) },
      ...firstRows(index),
      ...searches(index, sessions),
    ];
    index.close();
    return { name: `Library of ${MEGABYTES} MB in ${sessions} sessions`, rows };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const queryOf = (text: string, more: Partial<RowQuery> = {}): RowQuery => ({
  text,
  kinds: [],
  where: 'all',
  project: '',
  has: [],
  when: 'any',
  order: text === '' ? 'newest' : 'best',
  ...more,
});

/** What the page asks for when it opens: the index as nobody has read it yet, and once more. */
function firstRows(index: SessionIndex) {
  const page = { offset: 0, limit: FIRST_ROWS };
  const fresh: number[] = [];
  const known: number[] = [];
  for (let n = 0; n < ROUNDS; n++) {
    const finder = new RowFinder(index);
    fresh.push(timeOf(() => finder.rows(queryOf(''), page, AROUND)));
    known.push(timeOf(() => finder.rows(queryOf(''), page, AROUND)));
  }
  return [row('first rows of all sessions, first question', fresh), row('first rows of all sessions, then', known)];
}

function searches(index: SessionIndex, sessions: number) {
  const finder = new RowFinder(index);
  const middle = Math.floor(sessions / 2);
  const turns =
    (...texts: readonly string[]) =>
    (n: number) =>
      queryOf(texts[n % texts.length] ?? '');
  const kinds: readonly (readonly [string, (n: number) => RowQuery])[] = [
    ['a word of one session', (n) => queryOf(rareWord((middle + n) % sessions))],
    ['a word of most sessions', turns('function', 'const', 'return')],
    ['code', turns('toFixed(', 'a->b', '() => {', 'x[0]', '?.length', 'Math.max(', '} catch (')],
    ['three words', turns('return undefined value', 'error timeout request', 'read file options')],
    ['a phrase', turns('"use strict"', '"is not a function"', '"the end of the"')],
    ['a common word and a rare one', (n) => queryOf(`with ${rareWord(n % sessions)}`)],
    ['what stands nowhere', (n) => queryOf(`qzx${n}wvj`)],
    ['two letters', turns('zq', 'qj', 'xq')],
    ['a word of most sessions, newest', (n) => queryOf(n % 2 === 0 ? 'const' : 'import', { order: 'newest' })],
    ['in outputs only', (n) => queryOf(n % 2 === 0 ? 'Promise' : 'throw new', { kinds: ['output'] })],
  ];
  const page = { offset: 0, limit: FIRST_ROWS };
  return kinds.map(([what, query]) => {
    const times: number[] = [];
    const whole: number[] = [];
    let hits = 0;
    for (let n = -2; n < ROUNDS; n++) {
      let answer = finder.rows(queryOf(`nothing like this ${n}`), page, AROUND);
      const first = timeOf(() => {
        answer = finder.rows(query(n + 2), page, AROUND);
      });
      const rest = timeOf(() => {
        while (answer.looking) answer = finder.rows(query(n + 2), page, AROUND);
      });
      hits = Math.max(hits, answer.hits);
      if (n < 0) continue;
      times.push(first);
      whole.push(first + rest);
    }
    return { ...row(`search: ${what}`, times), 'all hits, ms': rounded(median(whole)), hits };
  });
}

function timeOf(work: () => void): number {
  const from = performance.now();
  work();
  return performance.now() - from;
}

const row = (what: string, times: readonly number[]) => ({
  what,
  'median ms': rounded(median(times)),
  'p95 ms': rounded(share(times, 0.95)),
});
