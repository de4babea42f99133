import { expect, test } from 'vitest';
import { table } from './bench.mjs';

test('a bench table has each column once, in the order of their first use, and four digits at most', () => {
  const text = table({
    name: 'Start of a call',
    rows: [
      { load: 'mixed', 'ours µs': 1.23456, '÷ bare lock': 1.5 },
      { load: 'serial', 'ours µs': 120000, 'p-queue µs': 5.5 },
    ],
  });
  expect(text.split('\n')).toEqual([
    '### Start of a call',
    '',
    '| load | ours µs | ÷ bare lock | p-queue µs |',
    '| --- | --- | --- | --- |',
    '| mixed | 1.235 | 1.5 |  |',
    '| serial | 120000 |  | 5.5 |',
  ]);
});
