import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textResult } from '../../../src-shared/tool-call/content.ts';
import {
  charactersOf,
  fillEmpty,
  PREVIEW_BYTES,
  preview,
  savedMessage,
  sizeForModel,
  thresholdOf,
  unsavedMessage,
} from './large-results.ts';

const seeds = [1_001, 20_260_101, ...(process.env.GANTRY_SEED ? [Number(process.env.GANTRY_SEED)] : [])];
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const previewOf = (text: string): string => preview(bytesOf(text), bytesOf(text).length);

describe('what the model gets', () => {
  // Both results of persisted-stream in claude-code-2.1.92, with the tool results they come from.
  test.each([
    ['persisted-20000.txt', 20_000],
    ['persisted-200000.txt', 200_000],
  ])('%s is the same, byte for byte, as recorded', (fixture, numbers) => {
    const recorded = readFileSync(new URL(`./fixtures/${fixture}`, import.meta.url), 'utf8');
    const path = /saved to: (.*)$/m.exec(recorded)?.[1] ?? '';
    const output = bytesOf(Array.from({ length: numbers }, (_, i) => `${i + 1}\n`).join(''));
    const head = output.subarray(0, PREVIEW_BYTES);
    expect(savedMessage({ path, bytes: output.length, preview: preview(head, output.length) })).toBe(recorded);
  });

  test('when the disk refused says so and shows as much', () => {
    expect(
      unsavedMessage({ bytes: 108_894, why: '/x cannot be written to, the disk is full', preview: '1\n...' }),
    ).toBe(
      'Output too large (106.3KB) and it could not be saved: /x cannot be written to, the disk is full. The rest is lost.\n\nPreview (first 2KB):\n1\n...',
    );
  });
});

describe('a preview', () => {
  test('of a short output is the output', () => {
    expect(previewOf('')).toBe('');
    expect(previewOf('a\n')).toBe('a\n');
    expect(previewOf('x'.repeat(PREVIEW_BYTES))).toBe('x'.repeat(PREVIEW_BYTES));
  });

  test('is cut at the last line break of its second half', () => {
    const text = `${'a'.repeat(1_200)}\n${'b'.repeat(500)}\n${'c'.repeat(5_000)}`;
    expect(previewOf(text)).toBe(`${'a'.repeat(1_200)}\n${'b'.repeat(500)}\n...`);
  });

  test('is cut in the line when the second half has no break', () => {
    expect(previewOf(`${'a'.repeat(999)}\n${'b'.repeat(5_000)}`)).toBe(`${'a'.repeat(999)}\n${'b'.repeat(1_000)}\n...`);
    expect(previewOf(`${'a'.repeat(1_000)}\n${'b'.repeat(5_000)}`)).toBe(`${'a'.repeat(1_000)}\n...`);
  });

  test('is never cut inside a character, whether or not more of the output is at hand', () => {
    for (const character of ['é', '€', '😀']) {
      for (let before = 1_990; before <= 2_000; before++) {
        const all = bytesOf(`${'a'.repeat(before)}${character.repeat(20)}`);
        const whole = Math.floor((PREVIEW_BYTES - before) / bytesOf(character).length);
        const expected = `${'a'.repeat(before)}${character.repeat(whole)}\n...`;
        expect(preview(all, all.length)).toBe(expected);
        expect(preview(all.subarray(0, PREVIEW_BYTES), all.length)).toBe(expected);
      }
    }
  });

  test('keeps a mark of the byte order and shows bytes that are no text as such', () => {
    expect(previewOf('\uFEFFa')).toBe('\uFEFFa');
    const junk = new Uint8Array(3_000).fill(0xbf);
    expect(preview(junk, junk.length)).toBe(`${'\uFFFD'.repeat(PREVIEW_BYTES)}\n...`);
  });

  test.each(seeds)('is a beginning of the text in whole characters, of a good length (seed %i)', (seed) => {
    const unit = fc.constantFrom('a', 'é', '€', '😀', '\n', ' ');
    fc.assert(
      fc.property(fc.string({ unit, minLength: 1_000, maxLength: 2_600 }), (text) => {
        const total = bytesOf(text).length;
        const shown = preview(bytesOf(text).subarray(0, PREVIEW_BYTES + 4), total);
        if (total <= PREVIEW_BYTES) {
          expect(shown).toBe(text);
          return;
        }
        const begin = shown.slice(0, -'\n...'.length);
        expect(shown.endsWith('\n...')).toBe(true);
        expect(text.startsWith(begin)).toBe(true);
        const length = bytesOf(begin).length;
        expect(length).toBeLessThanOrEqual(PREVIEW_BYTES);
        expect(length).toBeGreaterThanOrEqual(PREVIEW_BYTES / 2);
        const next = bytesOf(text)[length];
        // Cut at a line break, or where one more character would not fit.
        expect(next === 0x0a || length > PREVIEW_BYTES - 4).toBe(true);
      }),
      { seed, numRuns: 100 },
    );
  });
});

test.each([
  [0, '0B'],
  [512, '512B'],
  [1_023, '1023B'],
  [1_024, '1KB'],
  [1_536, '1.5KB'],
  // Recorded: persisted-stream.
  [108_894, '106.3KB'],
  [1_288_895, '1.2MB'],
  [93_184, '91KB'],
  [5 * 1024 ** 3, '5GB'],
  [3 * 1024 ** 5, '3072TB'],
])('%i bytes are %s', (bytes, text) => {
  expect(sizeForModel(bytes)).toBe(text);
});

test('the threshold is what settings say of the tool, else the smaller of its own and the general one; none for one that bounds itself', () => {
  expect(thresholdOf(30_000, 50_000)).toBe(30_000);
  expect(thresholdOf(80_000, 50_000)).toBe(50_000);
  expect(thresholdOf(Number.POSITIVE_INFINITY, 50_000)).toBe(Number.POSITIVE_INFINITY);
  expect(thresholdOf(30_000, 50_000, 90_000)).toBe(90_000);
  expect(thresholdOf(Number.POSITIVE_INFINITY, 50_000, 10)).toBe(Number.POSITIVE_INFINITY);
});

describe('an empty result', () => {
  // Recorded: cascade-batch.
  test('says that it is empty', () => {
    const filled = { content: [{ type: 'text', text: '(Bash completed with no output)' }], isError: false };
    expect(fillEmpty('Bash', textResult(''))).toEqual(filled);
    expect(fillEmpty('Bash', textResult(' \n\t'))).toEqual(filled);
    expect(fillEmpty('Bash', { content: [], isError: false })).toEqual(filled);
    expect(fillEmpty('Bash', { content: [], isError: true }).isError).toBe(true);
  });

  test('is none that holds a picture or anything else', () => {
    const picture = { content: [{ type: 'image' as const, mediaType: 'image/png', data: '' }], isError: false };
    expect(fillEmpty('Read', picture)).toBe(picture);
    const text = textResult('0');
    expect(fillEmpty('Bash', text)).toBe(text);
  });
});

test('only text counts as characters', () => {
  expect(
    charactersOf({
      content: [
        { type: 'text', text: 'four' },
        { type: 'image', mediaType: 'image/png', data: 'x'.repeat(100) },
        { type: 'text', text: '😀' },
      ],
      isError: false,
    }),
  ).toBe(6);
});
