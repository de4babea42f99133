import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { busyTime, longestChain, mostAtOnce, type Span } from './spans.ts';

/** One line a span, one column a unit of time: `#` while it runs, `!` for one of no length. */
const spansOf = (picture: string): readonly Span[] =>
  picture
    .trim()
    .split('\n')
    .map((line) => {
      const row = line.replace(/^\s*\|/, '');
      const from = row.search(/[#!]/);
      return { from, until: row.includes('!') ? from : row.lastIndexOf('#') + 1 };
    });

describe('spans', () => {
  const spans = spansOf(`
    |####......
    |..####....
    |....##....
    |........##`);

  test('that only touch do not overlap', () => {
    expect(mostAtOnce(spans)).toBe(2);
    expect(
      mostAtOnce(
        spansOf(`
      |##..
      |..##`),
      ),
    ).toBe(1);
  });

  test('of no length count at their moment', () => {
    expect(
      mostAtOnce(
        spansOf(`
      |####
      |.!..
      |.!..`),
      ),
    ).toBe(3);
    expect(mostAtOnce([])).toBe(0);
  });

  test('leave the time in which none runs out of the busy time', () => {
    expect(busyTime(spans)).toBe(8);
  });

  test('make chains of which the longest counts', () => {
    expect(longestChain(spans)).toBe(8);
    expect(longestChain([])).toBe(0);
  });
});

const anySpans = fc.array(
  fc.tuple(fc.nat(12), fc.nat(8)).map(([from, length]): Span => ({ from, until: from + length })),
  { maxLength: 8 },
);

test('the most at once is what counting at every moment finds', () => {
  fc.assert(
    fc.property(anySpans, (spans) => {
      const runs = ({ from, until }: Span, at: number) => (from <= at && at < until) || (from === at && until === at);
      const moments = spans.map(({ from }) => spans.filter((span) => runs(span, from)).length);
      expect(mostAtOnce(spans)).toBe(Math.max(0, ...moments));
    }),
    { seed: 3 },
  );
});

test('the longest chain is the best of all subsets, and never longer than the busy time', () => {
  fc.assert(
    fc.property(anySpans, (spans) => {
      let best = 0;
      for (let set = 0; set < 2 ** spans.length; set++) {
        const chosen = spans.filter((_, n) => (set >> n) % 2 === 1);
        const apart = chosen.every((a, n) => chosen.slice(n + 1).every((b) => a.until <= b.from || b.until <= a.from));
        if (apart)
          best = Math.max(
            best,
            chosen.reduce((sum, { from, until }) => sum + until - from, 0),
          );
      }
      expect(longestChain(spans)).toBe(best);
      expect(best).toBeLessThanOrEqual(busyTime(spans));
    }),
    { seed: 4 },
  );
});
