import { sizeForModel } from '../results/large-results.ts';

export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

/** What models take: five megabytes of base64, and so many pixels a side. */
export const MOST_IMAGE_BYTES = Math.floor((5 * 1024 * 1024 * 3) / 4);
const MOST_PIXELS = 8_000;

/**
 * The type of an image by its first bytes. A name can lie, and a model that is sent a web page as `image/png` refuses
 * the whole conversation from then on.
 */
export function imageTypeOf(head: Uint8Array): ImageType | undefined {
  const begin = latin1(head, 0, 12);
  if (begin.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (begin.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(begin)) return 'image/gif';
  if (/^RIFF[\s\S]{4}WEBP/.test(begin)) return 'image/webp';
  return undefined;
}

const latin1 = (bytes: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...bytes.subarray(from, to));

export type Size = { readonly width: number; readonly height: number };

/** Width and height in pixels; undefined where the file does not say. */
export function imageSizeOf(bytes: Uint8Array): Size | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    switch (imageTypeOf(bytes)) {
      case 'image/png':
        return { width: view.getUint32(16), height: view.getUint32(20) };
      case 'image/gif':
        return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
      case 'image/jpeg':
        return jpegSize(view);
      case 'image/webp':
        return webpSize(bytes, view);
      case undefined:
        return undefined;
    }
  } catch (error) {
    // It ends before it has said.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The first frame header among the segments: C0 to CF without those that are tables. */
function jpegSize(view: DataView): Size | undefined {
  for (let at = 2; view.getUint8(at) === 0xff; ) {
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    }
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

function webpSize(bytes: Uint8Array, view: DataView): Size | undefined {
  switch (latin1(bytes, 12, 16)) {
    case 'VP8X':
      return { width: 1 + int24(view, 24), height: 1 + int24(view, 27) };
    case 'VP8L': {
      const bits = view.getUint32(21, true);
      return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
    }
    case 'VP8 ':
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    default:
      return undefined;
  }
}

const int24 = (view: DataView, at: number): number => view.getUint16(at, true) | (view.getUint8(at + 2) << 16);

/** Why a model would not take the image, as the end of a sentence; undefined when it would. */
export function imageTrouble(bytes: Uint8Array): string | undefined {
  if (bytes.byteLength > MOST_IMAGE_BYTES) {
    return `${sizeForModel(bytes.byteLength)}, at most ${sizeForModel(MOST_IMAGE_BYTES)}`;
  }
  const size = imageSizeOf(bytes);
  if (size === undefined) return undefined;
  if (size.width === 0 || size.height === 0) return 'it has no pixels';
  if (Math.max(size.width, size.height) <= MOST_PIXELS) return undefined;
  return `${size.width} × ${size.height} pixels, at most ${MOST_PIXELS} a side`;
}
