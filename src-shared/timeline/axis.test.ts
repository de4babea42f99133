import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FOLD_WIDTH, foldsWithin, positionOf, STRAIGHT, shownLength, timeAt, timeAxis } from './axis.ts';

// A failing run is the same one when it is run again.
fc.configureGlobal({ seed: Number(process.env.GANTRY_SEED ?? 1_001) });

const axis = timeAxis([
  { from: 1000, until: 9000 },
  { from: 10_000, until: 20_000 },
]);

test('without folds a position is time times scale', () => {
  expect(positionOf(STRAIGHT, 0.5, 300)).toBe(150);
  expect(timeAt(STRAIGHT, 0.5, 150)).toBe(300);
});

test('a fold is equally wide whatever it holds', () => {
  expect(positionOf(axis, 0.1, 1000)).toBe(100);
  expect(positionOf(axis, 0.1, 5000)).toBe(100 + FOLD_WIDTH / 2);
  expect(positionOf(axis, 0.1, 9000)).toBe(100 + FOLD_WIDTH);
  expect(positionOf(axis, 0.1, 10_000)).toBe(200 + FOLD_WIDTH);
  expect(positionOf(axis, 0.1, 21_000)).toBe(300 + 2 * FOLD_WIDTH);
  expect(shownLength(axis, 500, 21_000)).toBe(500 + 1000 + 1000);
  expect(foldsWithin(axis, 500, 21_000)).toBe(2);
});

test('position and time are each other’s inverse, and positions never run backwards', () => {
  const gaps = fc.array(fc.tuple(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 3001, max: 90_000 })), {
    maxLength: 8,
  });
  fc.assert(
    fc.property(
      gaps,
      fc.double({ min: 0.0001, max: 10, noNaN: true }),
      fc.array(fc.integer({ min: 0, max: 400_000 }), { minLength: 2 }),
      (pairs, scale, times) => {
        let at = 0;
        const made = timeAxis(
          pairs.map(([busy, idle]) => {
            const from = at + busy;
            at = from + idle;
            return { from, until: at };
          }),
        );
        const sorted = times.toSorted((a, b) => a - b);
        let last = Number.NEGATIVE_INFINITY;
        for (const t of sorted) {
          const position = positionOf(made, scale, t);
          expect(position).toBeGreaterThanOrEqual(last);
          last = position;
          expect(timeAt(made, scale, position)).toBeCloseTo(t, 3);
        }
      },
    ),
  );
});
