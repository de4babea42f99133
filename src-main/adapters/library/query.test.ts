import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expressionOf, LEAST_LETTERS, partsOf, snippetOf } from './query.ts';

const seed = Number(process.env.GANTRY_SEED ?? 71);
const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.stringMatching(/^[a-c"'()*: \0-]{0,20}$/));

test('words are parts, and so is what stands between quotes', () => {
  expect(partsOf('toFixed( "two words"  a')).toEqual(['toFixed(', 'two words', 'a']);
  expect(partsOf('  ')).toEqual([]);
  expect(expressionOf(['say "x"', 'ab'])).toBe('"say ""x"""');
  expect(expressionOf(['ab'])).toBeUndefined();
});

test(`whatever is searched for, the expression is phrases of at least three signs only (seed ${seed})`, () => {
  fc.assert(
    fc.property(text, (wanted) => {
      const parts = partsOf(wanted);
      const expression = expressionOf(parts);
      expect(parts.every((part) => part.trim() !== '' && !part.includes('\0'))).toBe(true);
      if (expression === undefined) {
        expect(parts.every((part) => [...part].length < LEAST_LETTERS)).toBe(true);
        return;
      }
      expect(expression.replaceAll(/"(?:[^"]|"")*"/g, 'P')).toMatch(/^P( AND P)*$/);
    }),
    { seed, numRuns: 500 },
  );
});

test(`a text is found by any stretch of it, and marks lie within the snippet (seed ${seed})`, () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[a-cA-C(.\n ]{1,300}$/),
      fc.nat(),
      fc.integer({ min: 1, max: 9 }),
      (body, at, length) => {
        const from = at % body.length;
        const part = body.slice(from, from + length).trim();
        fc.pre(part !== '');
        const shown = snippetOf(body, [part]);
        expect(shown?.marks.length).toBeGreaterThan(0);
        for (const [start, end] of shown?.marks ?? []) {
          expect(shown?.snippet.slice(start, end).toLowerCase()).toBe(part.replace(/\s/g, ' ').toLowerCase());
        }
      },
    ),
    { seed, numRuns: 500 },
  );
});

test('a snippet begins with its line, or shortly before what was found', () => {
  expect(snippetOf('first\nsecond toFixed', ['tofixed'])).toEqual({ snippet: 'second toFixed', marks: [[7, 14]] });
  expect(snippetOf(`${'x'.repeat(500)}needle`, ['needle'])?.snippet).toBe(`…${'x'.repeat(40)}needle`);
  expect(snippetOf('only one of them', ['one', 'two'])).toBeUndefined();
});
