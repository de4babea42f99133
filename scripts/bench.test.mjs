import { expect, test } from 'vitest';
import { table } from './bench.mjs';

test('a bench table gives medians, spreads and ratios to its first row, and says whether a goal is met', () => {
  const text = table({
    name: 'Start of a call',
    rows: [
      { label: 'bare lock', samples: [4, 1, 2, 3] },
      { label: 'ours', samples: [5, 4, 6], goal: 2 },
      { label: 'a peer', samples: [10, 10.5, 30], goal: 2 },
    ],
  });
  expect(text.split('\n')).toEqual([
    '### Start of a call',
    '',
    '| what | median | spread | ratio | goal |',
    '|---|---|---|---|---|',
    '| bare lock | 2.5 ms | 1–4 | 1.00 |  |',
    '| ours | 5 ms | 4–6 | 2.00 | ≤ 2 met |',
    '| a peer | 10.5 ms | 10–30 | 4.20 | ≤ 2 missed |',
  ]);
});
