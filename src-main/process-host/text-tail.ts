const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;

/** Bytes that a UTF-8 character takes, judged by its first one; 1 for what cannot begin a character. */
function lengthOf(first: number): number {
  if (first >= 0xf0 && first < 0xf8) return 4;
  if (first >= 0xe0) return first < 0xf0 ? 3 : 1;
  return first >= 0xc0 ? 2 : 1;
}

/**
 * The end of an output as text. `bytes` is cut out of the output at any place; characters cut in two at either edge
 * are left away, bytes that are no UTF-8 become U+FFFD. When the beginning was cut (`isWhole` false) and a line begins
 * within the first half, the rest of the line before it goes too.
 */
export function textTail(bytes: Uint8Array, isWhole: boolean): string {
  let start = 0;
  if (!isWhole) {
    while (start < 3 && start < bytes.length && isContinuation(bytes[start]!)) start++;
    const lineFeed = bytes.indexOf(0x0a, start);
    if (lineFeed >= 0 && lineFeed < bytes.length / 2) start = lineFeed + 1;
  }
  return new TextDecoder().decode(bytes.subarray(start, endOfWhole(bytes)));
}

/** Where the last whole character ends. The missing part of the one after it may still come. */
function endOfWhole(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]!;
    if (isContinuation(byte)) continue;
    return lengthOf(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
