import { expect, test } from 'vitest';
import { PagePainter } from './paint-page.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (painter: PagePainter, at: number): string =>
  painter
    .line(at)
    ?.pieces.map((piece) => (piece.hit ? `[${piece.text}]` : piece.text))
    .join('') ?? '';

test('a hit is marked by its byte offset, also behind characters of several bytes', () => {
  const text = 'größe\nmäße toFixed(2)\nend';
  const offset = 1_000 + bytesOf(text.slice(0, text.indexOf('toFixed'))).length;
  const painter = new PagePainter({ bytes: bytesOf(text), offset: 1_000 }, { offset, length: 7 });
  expect(painter.hitAt).toBe(1);
  expect([0, 1, 2].map((at) => textOf(painter, at))).toEqual(['größe', 'mäße [toFixed](2)', 'end']);
});

test('a hit in another page marks nothing', () => {
  const painter = new PagePainter({ bytes: bytesOf('a\nb'), offset: 50 }, { offset: 10, length: 1 });
  expect(painter.hitAt).toBeUndefined();
  expect(textOf(painter, 0)).toBe('a');
});

test('lines asked for out of order keep the colours of the lines before them', () => {
  const painter = new PagePainter({ bytes: bytesOf('\x1b[32mgreen\nstill\n\x1b[0mplain'), offset: 0 }, undefined);
  expect(painter.line(2)?.pieces[0]?.classes).toEqual([]);
  expect(painter.line(1)?.pieces[0]?.classes).toEqual(['ansi-green-fg']);
  expect(painter.line(3)).toBeUndefined();
});
