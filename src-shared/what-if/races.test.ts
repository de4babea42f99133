import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ToolCall } from '../tool-call/state.ts';
import { type Accesses, accessesOf } from './accesses.ts';
import { findRaces, type Interval } from './races.ts';

const NONE: Accesses = { reads: [], folders: [], writes: [], complete: true };
const on =
  (...accesses: readonly Partial<Accesses>[]) =>
  (item: number) => ({ ...NONE, ...accesses[item] });
const together = (count: number): readonly Interval[] =>
  Array.from({ length: count }, (_, item) => ({ item, from: item, until: 100_000 }));

test('a pair races where both overlap on a path and one writes; reads alone never do', () => {
  const accesses = on({ reads: ['/a'] }, { reads: ['/a'] }, { writes: ['/a'] }, { writes: ['/a'] });
  expect(findRaces(together(4), accesses)).toEqual({
    count: 5,
    isMore: false,
    pairs: [
      { items: [0, 2], path: '/a', kind: 'read-write' },
      { items: [1, 2], path: '/a', kind: 'read-write' },
      { items: [0, 3], path: '/a', kind: 'read-write' },
      { items: [1, 3], path: '/a', kind: 'read-write' },
      { items: [2, 3], path: '/a', kind: 'write-write' },
    ],
  });
});

test('one after the other is no race', () => {
  const accesses = on({ writes: ['/a'] }, { reads: ['/a'] });
  expect(
    findRaces(
      [
        { item: 0, from: 0, until: 10 },
        { item: 1, from: 10, until: 20 },
      ],
      accesses,
    ).count,
  ).toBe(0);
});

test('a search of a folder meets what is written below it, by whole names', () => {
  const accesses = on({ folders: ['/p/src'] }, { writes: ['/p/src/a/b.ts'] }, { writes: ['/p/src-old/c.ts'] });
  expect(findRaces(together(3), accesses).pairs).toEqual([
    { items: [0, 1], path: '/p/src/a/b.ts', kind: 'read-write' },
  ]);
});

test('a pair counts once, however many paths it shares', () => {
  const accesses = on({ writes: ['/a', '/b'], folders: ['/'] }, { writes: ['/a', '/b'], reads: ['/c'] });
  expect(findRaces(together(2), accesses).count).toBe(1);
});

test('ten thousand writes of one file are counted as far as it makes sense', () => {
  expect(findRaces(together(10_000), () => ({ ...NONE, writes: ['/a'] }))).toMatchObject({
    count: 50_000,
    isMore: true,
  });
});

const call = (tool: string, input: unknown, more: Partial<ToolCall> = {}): ToolCall =>
  ({ tool, input, observed: {}, changedInput: undefined, ...more }) as unknown as ToolCall;

test.each([
  ['Read', { file_path: 'src/../a.ts' }, { reads: ['/p/a.ts'] }],
  ['Edit', { file_path: '/p/a.ts' }, { writes: ['/p/a.ts'] }],
  ['NotebookEdit', { notebook_path: 'n.ipynb' }, { writes: ['/p/n.ipynb'] }],
  ['Grep', { pattern: 'x' }, { folders: ['/p'] }],
  ['Glob', { pattern: '*', path: 'src' }, { folders: ['/p/src'] }],
  ['Write', { file_path: 'C:\\p\\a.ts' }, { writes: ['/C:/p/a.ts'] }],
  ['WebFetch', { url: 'https://x' }, {}],
  ['Read', 'no input at all', {}],
])('%s %j touches %j', (tool, input, files) => {
  expect(accessesOf(call(tool, input), '/p', undefined)).toEqual({ ...NONE, ...files });
});

test('what a call really ran with counts, and where a link led', () => {
  const edited = call('Write', { file_path: 'a' }, { changedInput: { by: 'user', input: { file_path: 'b' } } });
  expect(accessesOf(edited, '/p', undefined).writes).toEqual(['/p/b']);
  const linked = call('Read', { file_path: 'link' }, { observed: { resolved_path: '/q/real' } });
  expect(accessesOf(linked, '/p', undefined).reads).toEqual(['/q/real']);
});

test('a command of which nothing is known is not all known', () => {
  expect(accessesOf(call('Bash', { command: 'x' }), '/p', undefined).complete).toBe(false);
});

const PATHS = ['/a', '/b', '/c/d', '/c/e'];
const some = (list: readonly string[]) => fc.subarray([...list], { maxLength: 2 });
const use = fc.record({
  from: fc.nat(20),
  length: fc.integer({ min: 1, max: 10 }),
  reads: some(PATHS),
  writes: some(PATHS),
  folders: some(['/c', '/']),
});

test('the sweep finds what looking at every pair finds (seed 31)', () => {
  fc.assert(
    fc.property(fc.array(use, { maxLength: 12 }), (uses) => {
      const intervals = uses.map(({ from, length }, item) => ({ item, from, until: from + length }));
      const touches = (at: number, path: string): boolean => {
        const { reads, writes, folders } = uses[at] as (typeof uses)[number];
        return (
          [...reads, ...writes].includes(path) ||
          folders.some((folder) => folder === '/' || path.startsWith(`${folder}/`))
        );
      };
      let count = 0;
      for (let a = 0; a < uses.length; a++) {
        for (let b = a + 1; b < uses.length; b++) {
          const [one, other] = [intervals[a] as Interval, intervals[b] as Interval];
          if (one.from >= other.until || other.from >= one.until) continue;
          const written = [...(uses[a]?.writes ?? []), ...(uses[b]?.writes ?? [])];
          if (written.some((path) => touches(a, path) && touches(b, path))) count += 1;
        }
      }
      const accesses = (item: number): Accesses => ({ ...NONE, ...(uses[item] as (typeof uses)[number]) });
      expect(findRaces(intervals, accesses).count).toBe(count);
    }),
    { seed: 31, numRuns: 500 },
  );
});
