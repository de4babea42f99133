import fc from 'fast-check';
import { expect, test } from 'vitest';
import { characterStart, LINE_LIMIT, lineAt, lineText, splitLines } from './lines.ts';

// A failing run is the same one when it is run again.
fc.configureGlobal({ seed: Number(process.env.GANTRY_SEED ?? 1_001) });

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const texts = (text: string, offset = 0): readonly (readonly [number, string])[] => {
  const bytes = bytesOf(text);
  return splitLines(bytes, offset).map((line) => [line.offset, lineText(bytes, line).text] as const);
};

test('lines carry the byte offset of their first byte, not the character offset', () => {
  expect(texts('größe\n€ 5\n\nend', 1_000)).toEqual([
    [1_000, 'größe'],
    [1_008, '€ 5'],
    [1_014, ''],
    [1_015, 'end'],
  ]);
});

test('a line break at the end adds no empty line, and Windows line breaks lose both bytes', () => {
  expect(texts('a\r\nb\r\n')).toEqual([
    [0, 'a'],
    [3, 'b'],
  ]);
  expect(texts('')).toEqual([]);
  expect(texts('\n')).toEqual([[0, '']]);
});

test('whatever the text, the lines put together are the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.nat(1e9), (text, offset) => {
      const bytes = bytesOf(text.replaceAll('\r', ' '));
      const lines = splitLines(bytes, offset);
      const joined = lines.map((line) => lineText(bytes, line).text).join('\n');
      const whole = new TextDecoder().decode(bytes).replace(/\n$/, '');
      expect(joined).toBe(lines.length === 0 ? '' : whole);
      for (const line of lines) expect(lineAt(lines, line.offset)).toBe(lines.indexOf(line));
    }),
  );
});

test('a very long line is cut at a character and says how much is missing', () => {
  const bytes = bytesOf('é'.repeat(3_000));
  const [line] = splitLines(bytes, 0);
  const shown = lineText(bytes, line!);
  expect(shown.text).toBe('é'.repeat(LINE_LIMIT / 2));
  expect(shown.cutAfter).toBe(6_000 - LINE_LIMIT);
  const odd = bytesOf(`x${'é'.repeat(3_000)}`);
  const cut = lineText(odd, splitLines(odd, 0)[0]!);
  expect(cut.text).not.toContain('�');
  expect(cut.cutAfter + new TextEncoder().encode(cut.text).length).toBe(odd.length);
});

test('a hit far inside a long line moves the shown part to it', () => {
  const bytes = bytesOf(`${'a'.repeat(10_000)}needle${'b'.repeat(10_000)}`);
  const shown = lineText(bytes, splitLines(bytes, 0)[0]!, 10_000);
  expect(shown.text).toContain('needle');
  expect(shown.cutBefore).toBe(9_800);
  expect(shown.cutBefore + shown.text.length + shown.cutAfter).toBe(20_006);
});

test('bytes that are no text do not send the search for a character start far away', () => {
  const junk = new Uint8Array(50).fill(0x80);
  expect(characterStart(junk, 40)).toBe(40);
  expect(characterStart(bytesOf('a€b'), 2)).toBe(1);
  expect(characterStart(bytesOf('a€b'), 4)).toBe(4);
});

test('the line of a byte is found, also for a byte on its line break', () => {
  const lines = splitLines(bytesOf('ab\ncd\nef'), 100);
  expect([100, 102, 103, 105, 106, 999, 99].map((offset) => lineAt(lines, offset))).toEqual([0, 0, 1, 1, 2, 2, -1]);
});
