import { expect, test } from 'vitest';
import { partition } from './partition.ts';

/** `Read Bash!` → batches in brackets; `!` marks an unsafe call. */
const batches = (names: string): string =>
  partition(
    names
      .split(' ')
      .filter(Boolean)
      .map((name) => ({ name, safe: !name.endsWith('!') })),
  )
    .map(
      ({ kind, calls }) =>
        `${kind === 'safe' ? '[' : '<'}${calls.map(({ name }) => name).join(' ')}${kind === 'safe' ? ']' : '>'}`,
    )
    .join(' ');

test.each([
  ['R1 R2 G Bash! R3 Write! R4 R5', '[R1 R2 G] <Bash!> [R3] <Write!> [R4 R5]'],
  ['W1! W2! W3!', '<W1!> <W2!> <W3!>'],
  ['R1 R2', '[R1 R2]'],
  ['W!', '<W!>'],
  ['W! R', '<W!> [R]'],
  ['R W!', '[R] <W!>'],
  ['', ''],
])('%s is cut into %s', (names, expected) => {
  expect(batches(names)).toBe(expected);
});
