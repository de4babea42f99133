import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GrowingBars } from './bars.ts';

// A failing run is the same one when it is run again.
fc.configureGlobal({ seed: Number(process.env.GANTRY_SEED ?? 1_001) });

type Bar = { start: number; end: number; kind: number };
const bar = fc.record({
  start: fc.integer({ min: 0, max: 3000 }),
  length: fc.integer({ min: 0, max: 40 }),
  kind: fc.integer({ min: 0, max: 5 }),
});

test('questions are answered as by looking at every bar', () => {
  fc.assert(
    fc.property(
      fc.array(bar, { maxLength: 400 }),
      fc.array(fc.tuple(fc.nat(3000), fc.nat(400), fc.nat(400)), { maxLength: 20 }),
      (given, asked) => {
        const columns = new GrowingBars();
        for (const [item, { start, length, kind }] of given.entries()) {
          columns.put(item, start, start + length, kind);
          if (item % 7 === 0) columns.finish();
        }
        columns.finish();
        const all: Bar[] = Array.from({ length: columns.length }, (_, i) => ({
          start: columns.starts[i]!,
          end: columns.ends[i]!,
          kind: columns.kinds[i]!,
        }));
        expect(all).toHaveLength(given.length);
        expect(all.map((b) => b.start)).toEqual(given.map((b) => b.start).toSorted((a, b) => a - b));
        const orLength = (i: number): number => (i === -1 ? all.length : i);
        for (const [t, x, y] of asked) {
          expect(columns.firstEndingAfter(t)).toBe(orLength(all.findIndex((b) => b.end > t)));
          expect(columns.firstStartingAt(t)).toBe(orLength(all.findIndex((b) => b.start >= t)));
          const from = Math.min(x, y, all.length);
          const until = Math.min(Math.max(x, y), all.length);
          const range = all.slice(from, until);
          expect(columns.worstKind(from, until)).toBe(Math.max(0, ...range.map((b) => b.kind)));
          expect(columns.busy(from, until)).toBe(range.reduce((sum, b) => sum + b.end - b.start, 0));
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('a bar that ends is changed, not added', () => {
  const columns = new GrowingBars();
  for (let i = 0; i < 100; i++) columns.put(i, i * 10, i * 10 + 5, 0);
  columns.put(100, 1000, Number.POSITIVE_INFINITY, 0);
  columns.finish();
  columns.put(100, 1000, 1500, 5);
  columns.put(3, 30, 35, 4);
  columns.finish();
  expect(columns.length).toBe(101);
  expect(columns.busy(0, 101)).toBe(1000);
  expect([columns.worstKind(0, 100), columns.worstKind(90, 101)]).toEqual([4, 5]);
  expect(columns.disjoint).toBe(true);
});
