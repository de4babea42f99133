import { expect, test } from 'vitest';
import { helpFor, USAGE } from './usage.ts';

test('help is all commands, or one of them', () => {
  for (const words of [['--help'], ['-h'], ['help'], ['help', 'nonsense']]) expect(helpFor(words)).toBe(USAGE);
  for (const words of [
    ['export', '--help'],
    ['export', 'FILE', '-h'],
    ['help', 'export'],
  ]) {
    expect(helpFor(words)).toMatch(/^usage: gantry export FILE\|DIR --format /);
  }
});

test('other words ask for something else, and so does what stands behind two dashes', () => {
  for (const words of [[], ['inspect', 'x'], ['nonsense', '--help'], ['search', '--', '--help']]) {
    expect(helpFor(words)).toBeUndefined();
  }
});
