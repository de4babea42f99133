import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RowQuery } from '../../../src-shared/library/view.ts';
import { type IndexedText, withoutTexts } from './facts-of.ts';
import { RowFinder } from './find-rows.ts';
import { inOrder, stepsOver } from './hit-search.ts';
import { SessionIndex } from './session-index.ts';

let root: string;
let index: SessionIndex;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gantry-search-'));
  index = new SessionIndex(join(root, 'library.sqlite'));
});
afterEach(() => {
  index.close();
  rmSync(root, { recursive: true });
});

const text = (words: string, t = 0): IndexedText => ({ kind: 'prompt', tool: '', callId: undefined, t, text: words });
const put = (name: string, at: number, texts: readonly IndexedText[]): void => {
  const file = { path: `/s/${name}.jsonl`, bytes: 1, mtimeMs: at };
  index.put(file, { ...withoutTexts(file, '', { title: name }), texts });
};
const around = { ownFolder: '/none', running: [], now: 10 };
const query = (words: string, more: Partial<RowQuery> = {}): RowQuery => ({
  text: words,
  kinds: [],
  where: 'all',
  project: '',
  has: [],
  when: 'any',
  order: 'best',
  ...more,
});
/** The answer when nothing is left to look at. */
function whole(finder: RowFinder, asked: RowQuery) {
  const page = { offset: 0, limit: 10 };
  let answer = finder.rows(asked, page, around);
  while (answer.looking) answer = finder.rows(asked, page, around);
  return answer;
}
const titles = (rows: readonly { readonly title: string }[]) => rows.map(({ title }) => title);

test('steps go over every text once, in the order of the sessions, and so do texts in order (seed 31)', () => {
  const lengths = fc.array(fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 2 })), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(lengths, fc.array(fc.nat(30), { maxLength: 30 }), (sessions, keys) => {
      let id = 1;
      const ranges = sessions
        .map(([length, gap], session) => {
          const first = id + gap;
          id = first + length;
          return { session, first, last: id - 1 };
        })
        .sort((a, b) => (keys[a.session] ?? 0) - (keys[b.session] ?? 0));
      const all = ranges.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, n) => first + n));
      const steps = [...stepsOver(ranges, 16)];
      expect(steps.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, n) => first + n))).toEqual(
        all,
      );
      expect(steps.every(([first, last]) => last - first < 16)).toBe(true);
      expect(
        inOrder(
          Array.from({ length: id + 5 }, (_, n) => n),
          ranges,
        ),
      ).toEqual(all);
    }),
    { seed: 31 },
  );
});

test('the first hits are of the newest sessions, and whoever asks again gets the others', () => {
  const filler = Array.from({ length: 9_000 }, (_, n) => text(`nothing ${n}`, n));
  put('old', 1, [...filler, text('the needle is old')]);
  put('new', 2, [text('the needle is new')]);
  const finder = new RowFinder(index);
  const first = finder.rows(query('needle'), { offset: 0, limit: 10 }, around);
  expect(titles(first.rows)[0]).toBe('new');
  const answer = whole(finder, query('needle'));
  expect(titles(answer.rows).sort()).toEqual(['new', 'old']);
  expect(answer).toMatchObject({ hits: 2, moreHits: false });
});

test('what was found stays on screen while a changed index is searched anew', () => {
  put('one', 1, [text('a needle')]);
  const finder = new RowFinder(index);
  expect(titles(whole(finder, query('needle')).rows)).toEqual(['one']);
  const other = new SessionIndex(join(root, 'library.sqlite'));
  const file = { path: '/s/two.jsonl', bytes: 1, mtimeMs: 2 };
  other.put(file, { ...withoutTexts(file, '', { title: 'two' }), texts: [text('another needle')] });
  other.close();
  expect(finder.rows(query('needle'), { offset: 0, limit: 10 }, around).rows.length).toBeGreaterThan(0);
  expect(titles(whole(finder, query('needle')).rows).sort()).toEqual(['one', 'two']);
});

test('best is what says it most often and in few words, newest what is newest', () => {
  put('twice', 1, [text('needle in a needle')]);
  put('once', 2, [text(`needle ${'and hay '.repeat(400)}`)]);
  const finder = new RowFinder(index);
  expect(titles(whole(finder, query('needle')).rows)).toEqual(['twice', 'once']);
  expect(titles(whole(finder, query('needle', { order: 'newest' })).rows)).toEqual(['once', 'twice']);
});

test('words of one and two letters are found, and kinds are held to', () => {
  put('one', 1, [text('zq'), { kind: 'output', tool: 'Bash', callId: 'c', t: 1, text: 'a zq b' }]);
  const { hits, sessions } = index.search({ text: 'zq', kinds: ['output'], project: '', order: 'best', limit: 10 });
  expect([hits, sessions[0]?.hits[0]?.kind]).toEqual([1, 'output']);
  expect(index.search({ text: 'b', kinds: [], project: '', order: 'best', limit: 10 }).hits).toBe(1);
  expect(index.search({ text: 'zq', kinds: [], project: 'elsewhere', order: 'best', limit: 10 }).hits).toBe(0);
  expect(index.search({ text: 'zq', kinds: [], project: '', order: 'newest', limit: 1 })).toMatchObject({
    hits: 1,
    more: true,
  });
});
