import { expect, test } from 'vitest';
import { compactWish } from './compact-wish.ts';

test.each([
  ['/compact', ''],
  ['  /compact \n', ''],
  ['/compact keep the prices\nand names', 'keep the prices\nand names'],
  ['/compacted', undefined],
  ['what does /compact do?', undefined],
  ['', undefined],
])('%j wants %j', (text, wish) => {
  expect(compactWish(text)).toBe(wish);
});
