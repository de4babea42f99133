import { expect, test } from 'vitest';
import { AnsiPainter, plainText } from './ansi.ts';

const red = '\x1b[31m';
const reset = '\x1b[0m';
const paint = (text: string) => new AnsiPainter().line(text).map((piece) => [piece.text, ...piece.classes]);

test('colours and weights become classes, the text stays as it was', () => {
  expect(paint(`a ${red}<b> & "c"${reset} d`)).toEqual([['a '], ['<b> & "c"', 'ansi-red-fg'], [' d']]);
  expect(paint(`\x1b[1;4;92mx`)).toEqual([['x', 'ansi-bright-green-fg', 'ansi-bold', 'ansi-underline']]);
});

test('a colour goes on in the next line until it is reset', () => {
  const painter = new AnsiPainter();
  painter.line(`${red}one`);
  expect(painter.line('two')[0]?.classes).toEqual(['ansi-red-fg']);
  painter.line(reset);
  expect(painter.line('three')[0]?.classes).toEqual([]);
});

test('colours outside the palette come as values', () => {
  expect(new AnsiPainter().line('\x1b[38;2;1;2;3;48;5;196mx')).toEqual([
    { text: 'x', classes: [], color: 'rgb(1,2,3)', background: 'rgb(255,0,0)', hit: false },
  ]);
});

test('cursor movements, titles and links are dropped', () => {
  expect(paint('\x1b]0;title\x07a\x1b[2Kb\x1b]8;;https://x.example\x1b\\link\x1b]8;;\x1b\\')).toEqual([['ablink']]);
});

test('a broken sequence hides nothing that follows', () => {
  const painter = new AnsiPainter();
  for (const broken of ['\x1b[é rest', '\x1b]8;;never ended', 'end \x1b', '\x1b[']) painter.line(broken);
  expect(painter.line('seen').map((piece) => piece.text)).toEqual(['seen']);
  expect(paint('\x1b[é')).toEqual([['␛[é']]);
});

test('control characters become visible', () => {
  expect(paint('a\x00b\rc\td\x7f')).toEqual([['a␀b␍c\td␡']]);
});

test('a hit is marked across colours, and inside a sequence it breaks nothing', () => {
  const text = `to${red}Fix${reset}ed`;
  const hit = { start: 0, end: text.length };
  expect(new AnsiPainter().line(text, hit).map((piece) => [piece.text, piece.hit])).toEqual([
    ['to', true],
    ['Fix', true],
    ['ed', true],
  ]);
  expect(new AnsiPainter().line('x toFixed y', { start: 2, end: 9 }).map((piece) => [piece.text, piece.hit])).toEqual([
    ['x ', false],
    ['toFixed', true],
    [' y', false],
  ]);
  expect(new AnsiPainter().line(`a${red}b`, { start: 3, end: 5 }).map((piece) => piece.text)).toEqual(['a', 'b']);
});

test('plain text has no escapes', () => {
  expect(plainText(`a${red}b${reset}\x1b[2Kc`)).toBe('abc');
});
