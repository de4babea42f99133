/** A JSON string, measured where it lies. */
export type Measured = {
  /** Index of the quote that ends it. */
  readonly end: number;
  /** UTF-16 units it has when it is parsed; for other than ASCII texts only known once they are decoded: undefined. */
  readonly characters: number | undefined;
  /** Line breaks in it. */
  readonly breaks: number;
  /** It is written as `JSON.stringify` writes it, so a part of it is found by its bytes. */
  readonly isUsual: boolean;
};

const QUOTE = 34;
const BACKSLASH = 92;
const [SIMPLE, LINE_BREAK, BY_NUMBER] = [1, 2, 3];
/** What may follow a backslash, by its code. A table, since there is one to look up every few bytes. */
const ESCAPES = new Uint8Array(256);
for (const letter of '"\\bfrt') ESCAPES[letter.charCodeAt(0)] = SIMPLE;
ESCAPES['n'.charCodeAt(0)] = LINE_BREAK;
ESCAPES['u'.charCodeAt(0)] = BY_NUMBER;
/** Legal, but not how anybody writes it. */
const SLASH = 47;

const isHex = (c: number): boolean => (c >= 48 && c <= 57) || (c >= 65 && c <= 70) || (c >= 97 && c <= 102);

/** Views of a buffer's memory in words, made once a buffer: they are asked for with every string of it. */
let viewed: { readonly memory: ArrayBufferLike; readonly words: Int32Array } | undefined;
function wordsOf(bytes: Buffer): Int32Array {
  if (viewed?.memory !== bytes.buffer) {
    viewed = { memory: bytes.buffer, words: new Int32Array(bytes.buffer, 0, bytes.buffer.byteLength >> 2) };
  }
  return viewed.words;
}

/**
 * Walks a JSON string from the byte after its first quote to its last quote. Undefined where `JSON.parse` would refuse it:
 * control characters, unknown escapes, no end. Most of a text is looked at four bytes at a time.
 */
export function measureString(bytes: Buffer, from: number): Measured | undefined {
  const words = wordsOf(bytes);
  const shift = bytes.byteOffset;
  // The last word may reach behind the bytes; what stands there is looked at again, byte by byte.
  const lastWordAt = bytes.length - 4;
  let high = 0;
  let dropped = 0;
  let breaks = 0;
  let isUsual = true;
  let i = from;
  for (;;) {
    if (((shift + i) & 3) === 0) {
      while (i <= lastWordAt) {
        const w = words[(shift + i) >> 2] as number;
        const quote = w ^ 0x22222222;
        const slash = w ^ 0x5c5c5c5c;
        const odd =
          (((w - 0x20202020) & ~w) | ((quote - 0x01010101) & ~quote) | ((slash - 0x01010101) & ~slash)) & 0x80808080;
        high |= w;
        if (odd !== 0) {
          // The lowest mark is of the first odd byte; those above may be of a borrow.
          i += (31 - Math.clz32(odd & -odd)) >> 3;
          break;
        }
        i += 4;
      }
    }
    const c = bytes[i];
    if (c === undefined || c < 32) return undefined;
    if (c === QUOTE) break;
    i++;
    if (c !== BACKSLASH) {
      high |= c;
      continue;
    }
    const next = bytes[i++] ?? 0;
    const kind = ESCAPES[next];
    dropped++;
    if (kind === LINE_BREAK) breaks++;
    else if (kind === BY_NUMBER) {
      for (const end = i + 4; i < end; i++) if (!isHex(bytes[i] ?? 0)) return undefined;
      dropped += 4;
      isUsual = false;
    } else if (next === SLASH) isUsual = false;
    else if (kind !== SIMPLE) return undefined;
  }
  const isAscii = (high & 0x80808080) === 0;
  return { end: i, characters: isAscii ? i - from - dropped : undefined, breaks, isUsual };
}

/** Index of the quote that ends a string, or -1. What is inside is not looked at. */
export function endOfString(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(QUOTE, from); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) {
    let before = at;
    while (before > from && bytes[before - 1] === BACKSLASH) before--;
    if (((at - before) & 1) === 0) return at;
  }
  return -1;
}
