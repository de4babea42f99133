import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Lanes } from './lanes.ts';

test('the lowest free lane is taken', () => {
  const lanes = new Lanes<string>();
  expect(['a', 'b', 'c', 'd'].map((name) => lanes.take(name))).toEqual([0, 1, 2, 3]);
  lanes.release(2);
  lanes.release(0);
  expect(lanes.take('e')).toBe(0);
  expect(lanes.take('f')).toBe(2);
  expect(lanes.take('g')).toBe(4);
  expect(lanes.occupants()).toEqual(['e', 'b', 'f', 'd', 'g']);
  expect(lanes.occupants(2)).toEqual(['e', 'b']);
});

test('whatever comes and goes, a taken lane is the lowest that is free', () => {
  // A number is a wish: an even one takes a lane, an odd one frees one of those taken.
  fc.assert(
    fc.property(fc.array(fc.nat(1_000), { maxLength: 200 }), (wishes) => {
      const lanes = new Lanes<number>();
      const taken: number[] = [];
      for (const wish of wishes) {
        if (wish % 2 === 0) {
          const free = Array.from({ length: taken.length + 1 }, (_, lane) => lane).find(
            (lane) => !taken.includes(lane),
          );
          const lane = lanes.take(wish);
          expect(lane).toBe(free);
          taken.push(lane);
        } else if (taken.length > 0) {
          const [lane = 0] = taken.splice(wish % taken.length, 1);
          lanes.release(lane);
        }
        expect(lanes.size).toBe(taken.length);
        expect(lanes.occupants()).toHaveLength(taken.length);
      }
    }),
    { seed: 20_260_101 },
  );
});
