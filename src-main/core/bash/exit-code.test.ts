import { describe, expect, test } from 'vitest';
import { exitCodeMeaning } from './exit-code.ts';

test.each([
  ['grep x a', 'No matches found'],
  ['rg x', 'No matches found'],
  ['/usr/bin/egrep x a', 'No matches found'],
  ['git grep x', 'No matches found'],
  ['diff a b', 'The files differ'],
  ['cmp a b', 'The files differ'],
  ['git diff --exit-code', 'The files differ'],
  ['find / -name x', 'Some folders could not be read'],
  ['test -f x', 'The condition is false'],
  ['[ -f x ]', 'The condition is false'],
  ['[[ -f x ]]', 'The condition is false'],
  ['cat a | grep x', 'No matches found'],
  ['timeout 5 grep x a', 'No matches found'],
  ['npm test; grep x a', 'No matches found'],
  ['false || grep x a', 'No matches found'],
  ['echo "--" && grep x a', 'No matches found'],
  ['grep x a # && rm', 'No matches found'],
  ['grep x a\n', 'No matches found'],
])('1 from %s means: %s', (command, meaning) => {
  expect(exitCodeMeaning(command, 1)).toEqual({ isError: false, meaning });
  expect(exitCodeMeaning(command, 2)).toEqual({ isError: true });
  expect(exitCodeMeaning(command, 0)).toEqual({ isError: false });
});

describe('a code that need not be the answer of the last command is an error', () => {
  test.each([
    'ls missing',
    'cd missing && grep x a',
    'ls missing && grep x a',
    'grep x a | head',
    'grep x a && ls',
    'grep x a; ls missing',
    'grep x a &',
    '! grep x a',
    '(grep x a)',
    '{ grep x a; }',
    'if true; then grep x a; fi',
    'set -e; grep x a',
    'set -o pipefail; ls missing | grep x',
    'grep() { false; }; grep x a',
    'trap "exit 1" EXIT; grep x a',
    'xargs grep x',
    'grep x "a',
    '$x y',
    '',
  ])('%s', (command) => {
    expect(exitCodeMeaning(command, 1)).toEqual({ isError: true });
  });
});
