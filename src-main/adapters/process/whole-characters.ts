export const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;

/** Bytes that a UTF-8 character takes, judged by its first one; 1 for what cannot begin a character. */
function lengthOf(first: number): number {
  if (first >= 0xf0 && first < 0xf8) return 4;
  if (first >= 0xe0) return first < 0xf0 ? 3 : 1;
  return first >= 0xc0 ? 2 : 1;
}

/** Where the last whole character of an output ends. The missing part of the one after it may still come. */
export function endOfWhole(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]!;
    if (isContinuation(byte)) continue;
    return lengthOf(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
