import { expect, test } from 'vitest';
import { withOwnSetting } from './own-setting.ts';

const TEXT = `{
  // mine
  "cap": 4, // lanes
  "library": { "otherPrograms": true },
}
`;
const written = (text: string, value: unknown): string => {
  const result = withOwnSetting(text, ['library', 'folders'], value);
  return result.ok ? result.value : `${result.error.line}: ${result.error.what}`;
};

test('a value is put in its place, and comments and other keys stay', () => {
  const now = written(TEXT, ['/mnt/a']);
  expect(now).toContain('  // mine\n  "cap": 4, // lanes\n');
  expect(now).toContain('"otherPrograms": true');
  expect(written(now, ['/mnt/b'])).toBe(now.replace('/mnt/a', '/mnt/b'));
  expect(written(written(now, undefined), undefined)).toContain('"otherPrograms": true');
  expect(written(now, undefined)).not.toContain('folders');
});

test.each(['', '\n', '// nothing yet\n', '{}'])('a file that says nothing (%j) gets its first value', (text) => {
  const now = written(text, ['/mnt/a']);
  expect(now).toContain('"/mnt/a"');
  if (text.startsWith('//')) expect(now).toContain('// nothing yet');
  expect(written(text, undefined)).toBe(text);
});

test.each([
  ['{ "library": ', '1: '],
  ['[]', '1: it is no object in braces'],
  ['{\n"library": 3 }', '2: library is no object'],
  ['{ "library": {},\n"library": {} }', '2: library stands in it twice'],
])('%j is left to its owner', (text, why) => {
  expect(written(text, ['/mnt/a'])).toContain(why);
});
