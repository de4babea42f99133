import { expect, test } from 'vitest';
import { parseContent, parseCounts, parsePaths, withoutFiles } from './search-lines.ts';

const texts = (text: string, isCut = false) => parseContent(text, isCut).map((line) => line.text);
const content = './a.txt\0-1\0-one\n./a.txt\0:2\0:hit\n--\n./b\nc:3.txt\0:7\0:hit: again\n--\n./d.txt\0:1\0:hit';

test('lines of content have their path, whatever stands in it', () => {
  expect(parseContent(content, false)).toEqual([
    { path: './a.txt', text: './a.txt-1-one' },
    { path: './a.txt', text: './a.txt:2:hit' },
    { path: undefined, text: '--' },
    { path: './b\nc:3.txt', text: './b\nc:3.txt:7:hit: again' },
    { path: undefined, text: '--' },
    { path: './d.txt', text: './d.txt:1:hit' },
  ]);
});

test('what ripgrep says of a binary file belongs to that file', () => {
  const said = 'a.bin: binary file matches (found "\\0" byte around offset 4)';
  expect(parseContent(`a.bin\0:1\0:hit\n${said}\n`, false)).toEqual([
    { path: 'a.bin', text: 'a.bin:1:hit' },
    { path: 'a.bin', text: said },
  ]);
});

test('a last line that was cut is left out', () => {
  expect(texts('./a\0:1\0:one\n./a\0:2\0:tw', true)).toEqual(['./a:1:one']);
  expect(texts('./a\0:1\0:one\n./a', true)).toEqual(['./a:1:one']);
  expect(texts('./a\0:1\0:one\n./a\0:2\0:two')).toEqual(['./a:1:one', './a:2:two']);
  expect(parseCounts('./a\u00003\n./b\u00001', true)).toEqual([{ path: './a', text: './a:3' }]);
  expect(parsePaths('./a\0./b', true)).toEqual(['./a']);
});

test('counts and paths end where they say', () => {
  expect(parseCounts('./a:b\u00003\n./c\u00001\n', false).map(({ text }) => text)).toEqual(['./a:b:3', './c:1']);
  expect(parsePaths('./a\0./b\nc\0', false)).toEqual(['./a', './b\nc']);
  expect(parsePaths('', false)).toEqual([]);
});

test('between the groups that stay one line stays, before the first and behind the last none', () => {
  const without = (...gone: readonly string[]) =>
    withoutFiles(parseContent(content, false), (path) => gone.includes(path)).map(({ text }) => text);
  expect(without()).toEqual(texts(content));
  expect(without('./a.txt')).toEqual(['./b\nc:3.txt:7:hit: again', '--', './d.txt:1:hit']);
  expect(without('./b\nc:3.txt')).toEqual(['./a.txt-1-one', './a.txt:2:hit', '--', './d.txt:1:hit']);
  expect(without('./d.txt')).toEqual(['./a.txt-1-one', './a.txt:2:hit', '--', './b\nc:3.txt:7:hit: again']);
  expect(without('./a.txt', './b\nc:3.txt', './d.txt')).toEqual([]);
});
