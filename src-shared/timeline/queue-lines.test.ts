import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GrowingBars } from './bars.ts';
import { QueueLines } from './queue-lines.ts';

const MOST = 3;

function told(lines: QueueLines): unknown {
  return {
    lines: lines.lines.map((line) =>
      Array.from({ length: line.length }, (_, i) => [line.starts[i], line.ends[i], line.items[i]].join()),
    ),
    overflow: lines.overflow.map(({ from, until, count }) => [from, until, count]),
  };
}

const packedAnew = (all: GrowingBars): unknown => {
  const lines = new QueueLines(MOST);
  lines.pack(all, 0);
  return told(lines);
};

test('waits find the first free line, and what finds none is counted', () => {
  const all = new GrowingBars();
  for (let i = 0; i < 5; i++) all.put(i, i, 10, 0);
  all.put(5, 10, 12, 0);
  all.finish();
  expect(packedAnew(all)).toEqual({ lines: [['0,10,0', '10,12,5'], ['1,10,1'], ['2,10,2']], overflow: [[3, 10, 2]] });
});

test('packing on as waits come, end and vanish gives what packing anew gives (seed 61)', () => {
  const change = fc.record({
    kind: fc.constantFrom('come', 'come', 'end', 'vanish'),
    length: fc.integer({ min: 1, max: 60 }),
    pick: fc.nat(),
  });
  fc.assert(
    fc.property(fc.array(fc.array(change, { maxLength: 400 }), { maxLength: 8 }), (rounds) => {
      const all = new GrowingBars();
      const lines = new QueueLines(MOST);
      let next = 0;
      for (const round of rounds) {
        for (const { kind, length, pick } of round) {
          const at = all.length === 0 ? 0 : pick % all.length;
          const start = all.starts[at] as number;
          if (kind === 'come' || all.length === 0) {
            all.put(next, next * 7, length > 50 ? Number.POSITIVE_INFINITY : next * 7 + length, 0);
            next++;
          } else if (kind === 'end') all.put(all.items[at] as number, start, start + length, 0);
          else all.remove(all.items[at] as number, start);
        }
        const { changedFrom } = all;
        all.finish();
        lines.pack(all, changedFrom);
        expect(told(lines)).toEqual(packedAnew(all));
      }
    }),
    { seed: 61, numRuns: 40 },
  );
});
