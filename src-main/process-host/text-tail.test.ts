import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textTail } from './text-tail.ts';

// A failing run is the same one when it is run again.
fc.configureGlobal({ seed: Number(process.env.GANTRY_SEED ?? 1_001) });

test('never shows a piece of a character, wherever the cut falls (property)', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'é', '日', '🚦', '\n'), minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(text, fc.nat(), fc.nat(), (whole, first, last) => {
      const bytes = Buffer.from(whole);
      const from = first % (bytes.length + 1);
      const to = from + (last % (bytes.length + 1 - from));
      const tail = textTail(bytes.subarray(from, to), from === 0);
      expect(tail).not.toContain('\ufffd');
      expect(whole).toContain(tail);
    }),
  );
});

test('the whole of a short output is shown', () => {
  expect(textTail(Buffer.from('one\ntwo\n'), true)).toBe('one\ntwo\n');
});

test('a cut output begins with a line when one begins early enough', () => {
  expect(textTail(Buffer.from('rest of one\ntwo two two\nthree'), false)).toBe('two two two\nthree');
  expect(textTail(Buffer.from('a long line without an end until\nhere'), false)).toBe(
    'a long line without an end until\nhere',
  );
});

test('bytes that are no text become replacement characters', () => {
  expect(textTail(Uint8Array.from([0x61, 0xff, 0x62]), true)).toBe('a\ufffdb');
});
