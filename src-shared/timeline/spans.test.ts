import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SpanSet } from './spans.ts';

// A failing run is the same one when it is run again.
fc.configureGlobal({ seed: Number(process.env.GANTRY_SEED ?? 1_001) });

test('gaps longer than the tolerance are found, shorter ones are not', () => {
  const set = new SpanSet(3000);
  set.add(500, 1000);
  set.add(3500, 4000);
  set.add(9000, 9500);
  expect(set.gaps(0, Number.POSITIVE_INFINITY)).toEqual([{ from: 4000, until: 9000 }]);
});

test('what still goes on ends the last gap', () => {
  const set = new SpanSet(3000);
  set.add(0, 1000);
  expect(set.gaps(0, 8000)).toEqual([{ from: 1000, until: 8000 }]);
  expect(set.gaps(0, Number.POSITIVE_INFINITY)).toEqual([]);
});

test('the order in which stretches are added does not matter', () => {
  const span = fc.tuple(fc.integer({ min: 0, max: 100_000 }), fc.integer({ min: 0, max: 8000 }));
  fc.assert(
    fc.property(fc.array(span, { maxLength: 30 }), fc.integer({ min: 1, max: 7 }), (spans, step) => {
      const inOrder = new SpanSet(3000);
      for (const [from, length] of spans) inOrder.add(from, from + length);
      const shuffled = new SpanSet(3000);
      for (let i = 0; i < spans.length * step; i += step) {
        const [from, length] = spans[i % spans.length]!;
        shuffled.add(from, from + length);
      }
      for (const [from, length] of spans.toReversed()) shuffled.add(from, from + length);
      expect(shuffled.gaps(0, 120_000)).toEqual(inOrder.gaps(0, 120_000));
    }),
  );
});
