import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { replaceIn } from './replace-in.ts';

const seeds = [1_001, 20_260_101, ...(process.env.GANTRY_SEED ? [Number(process.env.GANTRY_SEED)] : [])];
const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', 'é', '😀', '$'), maxLength: 12 });
const some = fc.string({ unit: fc.constantFrom('a', 'b', '\n', 'é', '😀', '$'), minLength: 1, maxLength: 3 });

test('overlapping places are two places, but are replaced once', () => {
  const edit = { oldText: 'aa', newText: 'b' };
  expect(replaceIn(Buffer.from('aaa'), { ...edit, all: false })).toEqual({ ok: false, matches: 2 });
  expect(replaceIn(Buffer.from('aaa'), { ...edit, all: true })).toEqual({
    ok: true,
    bytes: Buffer.from('ba'),
    replaced: 1,
  });
});

describe.each(seeds)('on random texts (seed %i)', (seed) => {
  test('replacing all is splitting and joining', () => {
    fc.assert(
      fc.property(text, some, text, (file, oldText, newText) => {
        const result = replaceIn(Buffer.from(file), { oldText, newText, all: true });
        const parts = file.split(oldText);
        if (parts.length === 1) expect(result).toEqual({ ok: false, matches: 0 });
        else {
          expect(result).toMatchObject({ ok: true, replaced: parts.length - 1 });
          if (result.ok) expect(result.bytes.toString()).toBe(parts.join(newText));
        }
      }),
      { seed, numRuns: 500 },
    );
  });

  test('one is replaced only when it is clear which', () => {
    fc.assert(
      fc.property(text, some, text, (file, oldText, newText) => {
        const result = replaceIn(Buffer.from(file), { oldText, newText, all: false });
        let places = 0;
        for (let at = file.indexOf(oldText); at !== -1; at = file.indexOf(oldText, at + 1)) places++;
        if (places !== 1) expect(result).toEqual({ ok: false, matches: places });
        else if (result.ok) expect(result.bytes.toString()).toBe(file.split(oldText).join(newText));
        else expect.fail('was not replaced');
      }),
      { seed, numRuns: 500 },
    );
  });

  test('what is not replaced keeps its bytes, whatever they are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20 }), fc.uint8Array({ maxLength: 20 }), (before, after) => {
        const unique = 'only here';
        const file = Buffer.concat([before, Buffer.from(unique), after]);
        const result = replaceIn(file, { oldText: unique, newText: 'now', all: false });
        if (!result.ok) return expect.fail('was not found');
        expect(result.bytes.equals(Buffer.concat([before, Buffer.from('now'), after]))).toBe(true);
      }),
      { seed, numRuns: 200 },
    );
  });

  test('a file of CRLF lines stays one', () => {
    fc.assert(
      fc.property(text, some, text, (file, oldText, newText) => {
        const crlf = (lf: string) => lf.replaceAll('\n', '\r\n');
        const result = replaceIn(Buffer.from(crlf(`${file}\n`)), { oldText, newText, all: true });
        const expected = `${file}\n`.split(oldText).join(newText);
        if (result.ok) expect(result.bytes.toString()).toBe(crlf(expected));
        else expect(expected).toBe(`${file}\n`);
      }),
      { seed, numRuns: 500 },
    );
  });
});
