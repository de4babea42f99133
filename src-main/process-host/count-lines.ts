/** `\n` in each of the four bytes of a word. */
const NEWLINES = 0x0a0a0a0a;
const LOW_BITS = 0x7f7f7f7f;

/**
 * Number of line feeds in the first `length` bytes. Works on four bytes at once, which is about five times faster than
 * byte by byte: output can come with gigabytes a second. `length` may be any; the buffer has to start at a multiple of 4
 * within its ArrayBuffer, as `Buffer.alloc` does.
 */
export function countLineFeeds(buffer: Buffer, length: number): number {
  const words = new Int32Array(buffer.buffer, buffer.byteOffset, length >> 2);
  let count = 0;
  for (let start = 0; start < words.length; ) {
    // Four sums in one word, a byte each; none can pass 255 within 255 words.
    const end = Math.min(start + 255, words.length);
    let sums = 0;
    for (let at = start; at < end; at++) {
      const differs = words[at]! ^ NEWLINES;
      // The top bit of a byte is set exactly where the byte is a line feed (a byte without any difference).
      const hits = ~(((differs & LOW_BITS) + LOW_BITS) | differs | LOW_BITS);
      sums += hits >>> 7;
    }
    count += (sums & 255) + ((sums >>> 8) & 255) + ((sums >>> 16) & 255) + (sums >>> 24);
    start = end;
  }
  for (let at = words.length << 2; at < length; at++) if (buffer[at] === 0x0a) count++;
  return count;
}
