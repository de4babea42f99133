import fc from 'fast-check';
import ignore from 'ignore';
import { expect, test } from 'vitest';
import { seedsFor } from '../bash/testing/random.ts';
import { mayMeet, SHELL_ONE, SHELL_STAR, VISIBLE_DEPTH } from './path-wildcards.ts';

const parts = (path: string) => path.split('/').filter((part) => part !== '');
const shell = (text: string) => text.replaceAll('*', SHELL_STAR).replaceAll('?', SHELL_ONE);

test.each([
  ['a/b', 'a/b', true],
  ['a/b', 'a/c', false],
  ['a/*', 'a/c', true],
  ['**/k', 'a/b/k', true],
  ['**/k', 'k', true],
  ['a/**', 'a', true],
  ['.env', '*', false],
  ['.env', '.*', true],
  ['.env', '.e?v', true],
  ['.env', '.e?', false],
  ['env', '*', true],
  ['[ab]c', 'ac', true],
  ['a\\*', 'ax', true],
  ['a/b/c', 'a/*/c', true],
  ['*.key', 'k*', true],
  ['*.key', '*.txt', false],
])('the pattern %s and the names %s: %j', (pattern, path, expected) => {
  expect(mayMeet(parts(pattern), parts(shell(path)))).toBe(expected);
});

test('names with a dot in front are not below a visible depth', () => {
  expect(mayMeet(['a', '.env'], ['a', VISIBLE_DEPTH])).toBe(false);
  expect(mayMeet(['a', 'b', 'k'], ['a', VISIBLE_DEPTH])).toBe(true);
  expect(mayMeet(['**', '.env'], ['a', '**'])).toBe(true);
  expect(mayMeet(['a'], ['a', VISIBLE_DEPTH])).toBe(true);
});

const name = fc.stringMatching(/^[ab.]{1,3}$/).filter((text) => !/^\.+$/.test(text));
const patternPart = fc.oneof(name, fc.constantFrom('*', 'a*', '*b', '?', '[ab]', '.*', '**'));

test.each(seedsFor([1_001]))('no path that gitignore’s pattern matches is missed (seed %i)', (seed) => {
  let met = 0;
  fc.assert(
    fc.property(
      fc.array(patternPart, { minLength: 1, maxLength: 4 }),
      fc.array(name, { minLength: 1, maxLength: 4 }),
      (pattern, path) => {
        if (
          !ignore({ ignorecase: false })
            .add(`/${pattern.join('/')}`)
            .ignores(path.join('/'))
        )
          return;
        met++;
        // What lies in a matching folder is matched as well.
        expect(mayMeet([...pattern, '**'], path)).toBe(true);
      },
    ),
    { seed, numRuns: 3_000 },
  );
  expect(met).toBeGreaterThan(200);
});

test.each(seedsFor([1_001]))('no name that the shell would put there is missed (seed %i)', (seed) => {
  const glob = fc
    .array(fc.constantFrom('a', 'b', '.', '*', '?'), { minLength: 1, maxLength: 4 })
    .map((all) => all.join(''));
  fc.assert(
    fc.property(glob, name, fc.array(patternPart, { maxLength: 2 }), (wild, found, before) => {
      const expression = wild.replaceAll('.', '\\.').replaceAll('?', '.').replaceAll('*', '.*');
      if (!new RegExp(`^${expression}$`).test(found) || (found.startsWith('.') && !wild.startsWith('.'))) return;
      expect(mayMeet([found], [shell(wild)])).toBe(true);
      expect(mayMeet([...before, found], [...before.map(shell), shell(wild)])).toBe(true);
    }),
    { seed, numRuns: 3_000 },
  );
});
