import { expect, test } from 'vitest';
import { CallFacts } from './call-facts.ts';
import { Ground, worldWithoutLinks } from './ground.ts';
import { coverOf } from './matching.ts';
import { proposePathRule } from './propose-path-rule.ts';

const ground = new Ground(worldWithoutLinks('/work/app'));
const covers = (rule: string, file_path: string): boolean =>
  coverOf([{ text: rule, scope: 'session' }], new CallFacts({ tool: 'Edit', input: { file_path } }, ground)) !==
  undefined;

test.each([
  ['a.txt', 'Edit(./a.txt)', ['sub/a.txt', 'a.txt.old']],
  ['src/a.ts', 'Edit(./src/a.ts)', ['lib/src/a.ts']],
  ['./src', 'Edit(./src)', ['lib/src/a.ts']],
  ['../lib/a.ts', 'Edit(../lib/a.ts)', ['lib/a.ts']],
  ['~/notes.md', 'Edit(~/notes.md)', ['notes.md']],
  ['/etc/hosts', 'Edit(//etc/hosts)', ['etc/hosts', '/etc/hosts.allow']],
  ['/data/[2024-06] Reports/a*.md', 'Edit(//data/\\[2024-06\\] Reports/a\\*.md)', ['/data/2 Reports/a*.md']],
  ['a\\b', 'Edit(./a\\\\b)', ['ab']],
  ['#a', 'Edit(./#a)', ['a']],
  ['!a', 'Edit(./!a)', ['b']],
  ['a (copy)', 'Edit(./a (copy))', ['a']],
])('the rule for %s is %s, and means this path alone', (path, rule, others) => {
  expect(proposePathRule('Edit', path)).toBe(rule);
  expect(covers(rule, path)).toBe(true);
  for (const other of others) expect(covers(rule, other), other).toBe(false);
});

test('a drive is a folder below the root', () => {
  expect(proposePathRule('Read', 'C:\\Users\\a.txt')).toBe('Read(//c/Users/a.txt)');
});

test('no rule is proposed for no path, or one that a list of rules cannot show', () => {
  for (const path of [undefined, '', ' ', 'a\nb']) expect(proposePathRule('Edit', path)).toBeUndefined();
});
