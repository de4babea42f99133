import { endOfWhole, isContinuation } from '../adapters/process/whole-characters.ts';

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
