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

test('every command that the help names has a help of its own', () => {
  const names = new Set([...USAGE.matchAll(/^ {2}gantry ([a-z-]+)/gm)].map(([, name]) => name ?? ''));
  expect(names.size).toBe(13);
  for (const name of names) expect(helpFor([name, '--help']), name).toMatch(new RegExp(`^usage: gantry ${name} `));
});
