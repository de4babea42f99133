import { expect, test } from 'vitest';
import { imageSizeOf, imageTrouble, imageTypeOf, MOST_IMAGE_BYTES } from './image-facts.ts';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
const png = (width: number, height: number): Buffer => {
  const bytes = Buffer.alloc(33);
  hex('89504e470d0a1a0a 0000000d 49484452').copy(bytes);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
};

test.each([
  ['png', png(640, 480)],
  ['gif', Buffer.concat([Buffer.from('GIF89a'), hex('8002 e001'), Buffer.alloc(8)])],
  // Another segment first, then the frame.
  ['jpeg', hex('ffd8 ffe0 0004 0000 ffc2 0011 08 01e0 0280 03')],
  ['webp', Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBPVP8X'), hex('0a000000 00000000 7f0200 df0100')])],
  ['webp', Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBPVP8 '), Buffer.alloc(10), hex('8002 e001')])],
  ['webp', Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBPVP8L'), hex('00000000 2f'), hex('7fc27700')])],
])('a %s says that it is 640 × 480', (type, bytes) => {
  expect(imageTypeOf(bytes)).toBe(`image/${type}`);
  expect(imageSizeOf(bytes)).toEqual({ width: 640, height: 480 });
});

test.each([
  hex('ffd8ff'),
  hex('ffd8ffe0ffff'),
  Buffer.from('GIF89a'),
  png(1, 1).subarray(0, 18),
  Buffer.from('RIFF1234WEBPVP8X'),
])('one that ends too early has no size, and that is no trouble (%#)', (bytes) => {
  expect(imageSizeOf(bytes)).toBeUndefined();
  expect(imageTrouble(bytes)).toBeUndefined();
});

test('what a model would refuse is said in words', () => {
  expect(imageTrouble(png(8_000, 8_000))).toBeUndefined();
  expect(imageTrouble(png(8_001, 10))).toBe('8001 × 10 pixels, at most 8000 a side');
  expect(imageTrouble(png(0, 10))).toBe('it has no pixels');
  expect(imageTrouble(Buffer.concat([png(1, 1), Buffer.alloc(MOST_IMAGE_BYTES)]))).toBe('3.8MB, at most 3.8MB');
});
