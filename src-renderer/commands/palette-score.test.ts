import { expect, test } from 'vitest';
import { paletteScore } from './palette-score.ts';

const rank = (typed: string, ...titles: readonly string[]): string[] =>
  titles
    .map((title) => ({ title, score: paletteScore(title, [], typed) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ title }) => title);

test('letters that only stand somewhere in the title do not match', () => {
  expect(rank('fit', 'Fit the whole session', 'Try Interrupt', 'Benefit run')).toEqual([
    'Fit the whole session',
    'Benefit run',
  ]);
});

test('every word must be there, in any order', () => {
  expect(rank('theme dark', 'Change to the dark theme', 'Dark room')).toEqual(['Change to the dark theme']);
});

test('the beginning of the title is better than another word, that is better than the middle of one', () => {
  expect(rank('zoom', 'Autozoom', 'Reset zoom', 'Zoom in')).toEqual(['Zoom in', 'Reset zoom', 'Autozoom']);
});

test('other words of an entry are found too, below every title', () => {
  expect(paletteScore('Try Cascade', ['One command fails'], 'command')).toBeGreaterThan(0);
  expect(paletteScore('Try Cascade', ['One command fails'], 'command')).toBeLessThan(
    paletteScore('xcommand', [], 'command'),
  );
});

test('signs are only signs', () => {
  expect(paletteScore('Fix price.ts (again)', [], 'price.ts (')).toBeGreaterThan(0);
  expect(paletteScore('Fix pricexts', [], 'price.ts')).toBe(0);
});
