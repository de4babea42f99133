import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OUTPUT_PAGE_BYTES } from '../../../src-shared/ipc/contract.ts';
import {
  firstPage,
  lastPage,
  nextPage,
  type PageWish,
  pageAround,
  previousPage,
  type Span,
  wholeLines,
} from './paging.ts';

// A failing run is the same one when it is run again.
fc.configureGlobal({ seed: Number(process.env.GANTRY_SEED ?? 1_001) });

/** Serves a page as main does: never beyond the end. */
const serve = (output: Uint8Array, wish: PageWish): Span => {
  const bytes = output.subarray(wish.offset, wish.offset + wish.length);
  return wholeLines({ bytes, offset: wish.offset, total: output.length }, wish);
};
const outputOf = (lines: readonly number[]): Uint8Array =>
  new TextEncoder().encode(lines.map((length) => 'x'.repeat(length)).join('\n'));

test('a page never asks for more than main answers, nor for less than a byte', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3e9 }), fc.nat(3e9), (total, place) => {
      const at = Math.min(place, total - 1);
      for (const wish of [firstPage(), lastPage(total), pageAround(at, total)]) {
        expect(wish.length).toBeGreaterThan(0);
        expect(wish.length).toBeLessThanOrEqual(OUTPUT_PAGE_BYTES);
        expect(wish.offset).toBeGreaterThanOrEqual(0);
      }
      const around = pageAround(at, total);
      expect(around.offset).toBeLessThanOrEqual(at);
      expect(around.offset + around.length).toBeGreaterThan(at);
    }),
  );
});

test('paging forward shows every byte once, in whole lines', () => {
  const output = outputOf(Array.from({ length: 5_000 }, (_, at) => (at * 37) % 90));
  let shown = serve(output, firstPage());
  let covered = 0;
  for (;;) {
    expect(shown.offset).toBe(covered);
    covered += shown.length;
    if (covered < output.length) expect(output[covered - 1]).toBe(0x0a);
    const wish = nextPage(shown, output.length);
    if (wish === undefined) break;
    shown = serve(output, wish);
  }
  expect(covered).toBe(output.length);
});

test('paging backward from the end reaches the beginning without a gap', () => {
  const output = outputOf(Array.from({ length: 4_000 }, (_, at) => (at * 53) % 120));
  let shown = serve(output, lastPage(output.length));
  expect(shown.offset + shown.length).toBe(output.length);
  for (;;) {
    const wish = previousPage(shown);
    if (wish === undefined) break;
    const before = serve(output, wish);
    expect(before.offset + before.length).toBe(shown.offset);
    if (before.offset > 0) expect(output[before.offset - 1]).toBe(0x0a);
    shown = before;
  }
  expect(shown.offset).toBe(0);
});

test('a line longer than a page is paged through all the same', () => {
  const output = outputOf([OUTPUT_PAGE_BYTES * 2 + 10, 5]);
  const first = serve(output, firstPage());
  expect(first).toEqual({ offset: 0, length: OUTPUT_PAGE_BYTES });
  const second = serve(output, nextPage(first, output.length)!);
  expect(second).toEqual({ offset: OUTPUT_PAGE_BYTES, length: OUTPUT_PAGE_BYTES });
  const third = serve(output, nextPage(second, output.length)!);
  expect(third).toEqual({ offset: OUTPUT_PAGE_BYTES * 2, length: 16 });
  expect(nextPage(third, output.length)).toBeUndefined();
});

test('a jump into a long line shows the place it jumps to', () => {
  const output = outputOf([10, 60_000, 10, ...Array.from({ length: 3_000 }, () => 50)]);
  for (const place of [0, 5, 30_000, 59_000, 60_015, 60_030, 150_000, output.length - 1]) {
    const shown = serve(output, pageAround(place, output.length));
    expect(shown.offset).toBeLessThanOrEqual(place);
    expect(shown.offset + shown.length).toBeGreaterThan(place);
  }
});
