import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mayMatch, UNKNOWN, wordPatterns } from './wildcard.ts';

const seeds = [1_001, ...(process.env.GANTRY_SEED ? [Number(process.env.GANTRY_SEED)] : [])];

test.each([
  ['npm test', 'npm test', true],
  ['npm test', 'npm test x', false],
  ['npm *', 'npm run build', true],
  ['npm *', 'npm', false],
  ['ls*', 'lsof', true],
  ['git * main', 'git checkout main', true],
  ['git * main', 'git checkout main2', false],
  ['*', '', true],
  ['* --version', 'node --version', true],
  ['a*b*c', 'axxbyyc', true],
  ['a*b*c', 'axxcyyb', false],
  ['', '', true],
  ['', 'x', false],
])('the pattern %j and the text %j: %j', (pattern, text, expected) => {
  expect(mayMatch(pattern, text)).toBe(expected);
});

test('a part that is not known may be anything, or nothing, or several words', () => {
  expect(mayMatch('rm -rf x', `${UNKNOWN} -rf x`)).toBe(true);
  expect(mayMatch('git push', `git ${UNKNOWN}`)).toBe(true);
  expect(mayMatch('git push origin', `git ${UNKNOWN}`)).toBe(true);
  expect(mayMatch('git', `git${UNKNOWN}`)).toBe(true);
  expect(mayMatch('git push', `npm ${UNKNOWN}`)).toBe(false);
});

test.each(seeds)('it agrees with a regular expression on texts without unknown parts (seed %d)', (seed) => {
  const sign = fc.constantFrom('a', 'b', ' ', '*');
  const word = fc.array(fc.constantFrom('a', 'b', ' '), { maxLength: 8 }).map((signs) => signs.join(''));
  fc.assert(
    fc.property(fc.array(sign, { maxLength: 6 }), word, (signs, text) => {
      const pattern = signs.join('');
      const regex = new RegExp(`^${pattern.replaceAll('*', '[\\s\\S]*')}$`);
      expect(mayMatch(pattern, text)).toBe(regex.test(text));
    }),
    { seed, numRuns: 500 },
  );
});

test.each(seeds)('what an unknown part could be is never missed (seed %d)', (seed) => {
  const part = fc.array(fc.constantFrom('a', 'b', ' '), { maxLength: 4 }).map((signs) => signs.join(''));
  fc.assert(
    fc.property(part, part, part, part, (before, hidden, after, pattern) => {
      const matches = mayMatch(`${pattern}*`, before + hidden + after);
      if (matches) expect(mayMatch(`${pattern}*`, before + UNKNOWN + after)).toBe(true);
    }),
    { seed, numRuns: 500 },
  );
});

test('many stars over a long text cost no time', () => {
  const before = performance.now();
  expect(mayMatch('*a*b*c*d*e*f*', 'abcde'.repeat(4_000))).toBe(false);
  expect(performance.now() - before).toBeLessThan(2_000);
});

test('the two ways to write “and more words” mean the same, and blanks are one blank', () => {
  expect(wordPatterns('npm test:*')).toEqual(['npm test *', 'npm test']);
  expect(wordPatterns('npm   test  *')).toEqual(['npm test *', 'npm test']);
  expect(wordPatterns('npm test')).toEqual(['npm test']);
  expect(wordPatterns('ls*')).toEqual(['ls*']);
});
