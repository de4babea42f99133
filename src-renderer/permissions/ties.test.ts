import { expect, test } from 'vitest';
import { roundedPath, tieLook, tiePoints } from './ties.ts';

const board = { left: 200, top: 380, right: 1_300 };

test('a tie goes right of the bars, down to the board, along its edge and down to the card', () => {
  const points = tiePoints({ bar: { x: 1_100, y: 280 }, card: { x: 230, y: 470 }, board, barsRight: 1_100, place: 0 });
  expect(points).toEqual([
    { x: 1_100, y: 280 },
    { x: 1_152, y: 280 },
    { x: 1_152, y: 382 },
    { x: 203, y: 382 },
    { x: 203, y: 470 },
    { x: 230, y: 470 },
  ]);
});

test('several ties never run on one another', () => {
  const ways = [0, 1, 2].map((place) =>
    tiePoints({ bar: { x: 1_100, y: 280 + place * 20 }, card: { x: 230, y: 470 }, board, barsRight: 1_100, place }),
  );
  for (const at of [1, 2, 3]) {
    expect(new Set(ways.map((points) => `${points[at]!.x}`)).size).toBe(3);
  }
  expect(new Set(ways.map((points) => points[2]!.y)).size).toBe(3);
});

test('a bar at the edge of the window is tied without leaving the window', () => {
  const points = tiePoints({ bar: { x: 1_299, y: 280 }, card: { x: 230, y: 470 }, board, barsRight: 1_299, place: 2 });
  for (const { x } of points) expect(x).toBeLessThanOrEqual(board.right);
  for (const { x } of points.slice(0, 3)) expect(x).toBeGreaterThanOrEqual(1_299);
});

test('the first three are told apart by their line, later ones are tied while they are open', () => {
  expect([1, 2, 3].map((number) => tieLook(number, false))).toEqual(['solid', 'dashed', 'dotted']);
  expect(tieLook(4, false)).toBeUndefined();
  expect(tieLook(4, true)).toBe('solid');
});

test('corners are rounded, and no corner is larger than its edges', () => {
  expect(roundedPath([])).toBe('');
  expect(
    roundedPath([
      { x: 0, y: 0 },
      { x: 20, y: 0 },
      { x: 20, y: 4 },
    ]),
  ).toBe('M0 0L16 0Q20 0 20 2L20 4');
});
