import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countLineFeeds } from './count-lines.ts';

// A failing run is the same one when it is run again.
fc.configureGlobal({ seed: Number(process.env.GANTRY_SEED ?? 1_001) });

const slowly = (bytes: Uint8Array): number => bytes.filter((byte) => byte === 0x0a).length;

test('counts as a plain loop does, for all bytes and lengths (property)', () => {
  // Neighbours of the line feed and bytes with the top bit are where counting four at a time goes wrong.
  const byte = fc.oneof(fc.constantFrom(0x0a, 0x0b, 0x09, 0x8a, 0x00, 0xff), fc.integer({ min: 0, max: 255 }));
  fc.assert(
    fc.property(fc.array(byte, { maxLength: 3000 }), (bytes) => {
      const buffer = Buffer.alloc(bytes.length);
      buffer.set(bytes);
      expect(countLineFeeds(buffer, buffer.length)).toBe(slowly(buffer));
    }),
  );
});

test('counts a buffer full of line feeds, more than the packed sums could hold at once', () => {
  const buffer = Buffer.alloc(1024 * 1024 + 3, 0x0a);
  expect(countLineFeeds(buffer, buffer.length)).toBe(buffer.length);
});

test('looks no further than the length', () => {
  expect(countLineFeeds(Buffer.from('a\nb\nc\n'), 3)).toBe(1);
});
