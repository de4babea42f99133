/** A line of an output page: where it begins in the whole output, and which bytes of the page it is made of. */
export type OutputLine = {
  /** Byte offset of the line's first byte in the whole output. */
  readonly offset: number;
  /** First byte in the page, and the one after the last; without the line break. */
  readonly start: number;
  readonly end: number;
};

/** The most bytes of one line that are drawn; the rest of a very long line is cut with a note. */
export const LINE_LIMIT = 2_000;

const LF = 0x0a;
const CR = 0x0d;

/**
 * Cuts a page into lines. `offset` is where the page begins in the whole output. The last line may go on in the next
 * page. A line break at the end of the page makes no empty line after it.
 */
export function splitLines(bytes: Uint8Array, offset: number): readonly OutputLine[] {
  const lines: OutputLine[] = [];
  let start = 0;
  while (start < bytes.length) {
    const at = bytes.indexOf(LF, start);
    const stop = at === -1 ? bytes.length : at;
    const end = stop > start && at !== -1 && bytes[stop - 1] === CR ? stop - 1 : stop;
    lines.push({ offset: offset + start, start, end });
    start = stop + 1;
  }
  return lines;
}

/** Is this byte inside a character, not its first? */
const isContinuation = (byte: number | undefined): boolean =>
  byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000;

/** The nearest place at or before `at` where a character begins, but not before `floor`. */
export function characterStart(bytes: Uint8Array, at: number, floor = 0): number {
  let place = at;
  // A character has at most four bytes; what has more continuation bytes is not text, and may be cut anywhere.
  for (let back = 0; back < 3 && place > floor && isContinuation(bytes[place]); back++) place--;
  return isContinuation(bytes[place]) ? at : place;
}

export type ShownLine = {
  readonly text: string;
  /** Bytes of the line that lie before and after what is shown. */
  readonly cutBefore: number;
  readonly cutAfter: number;
  /** Where `text` begins in the page. */
  readonly from: number;
};

const decoder = new TextDecoder('utf-8');

/**
 * The text of a line, at most `LINE_LIMIT` bytes of it. `focus` is a byte of the page that must be shown when it lies
 * in this line: a search hit far inside a long line moves the window to it.
 */
export function lineText(bytes: Uint8Array, line: OutputLine, focus?: number): ShownLine {
  const length = line.end - line.start;
  let from = line.start;
  if (length > LINE_LIMIT && focus !== undefined && focus >= line.start + LINE_LIMIT - 200 && focus < line.end) {
    from = characterStart(bytes, Math.max(line.start, focus - 200), line.start);
  }
  const wanted = Math.min(line.end, from + LINE_LIMIT);
  const to = wanted === line.end ? wanted : characterStart(bytes, wanted, from);
  return {
    text: decoder.decode(bytes.subarray(from, to)),
    cutBefore: from - line.start,
    cutAfter: line.end - to,
    from,
  };
}

/** The index of the line that holds this byte of the whole output, or -1 where it is before the first one. */
export function lineAt(lines: readonly OutputLine[], offset: number): number {
  let low = 0;
  let high = lines.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const line = lines[middle];
    if (line === undefined) return -1;
    if (line.offset <= offset) low = middle + 1;
    else high = middle - 1;
  }
  return high;
}
