import type { KeptText } from '../../../../src-shared/tool-call/content.ts';
import type { KeptTexts } from './kept-texts.ts';
import type { Measured } from './measure-string.ts';

/** Bytes of a long text, as it is written, that its event holds: some hundred characters. */
const HEAD_BYTES = 1_000;
const BACKSLASH = 92;

/**
 * Stands for a long text while its line is read. Holds on to the bytes of the line, so it must not live longer; what is
 * kept is `kept`.
 */
export class LongText {
  readonly #bytes: Buffer;
  readonly #measured: Measured;
  readonly #place: { readonly texts: KeptTexts; readonly file: string; readonly offset: number };

  /** @param bytes as they are written in JSON, without the quotes. `place.offset`: of the first of them in the file. */
  constructor(
    bytes: Buffer,
    measured: Measured,
    place: { readonly texts: KeptTexts; readonly file: string; readonly offset: number },
  ) {
    this.#bytes = bytes;
    this.#measured = measured;
    this.#place = place;
  }

  get characters(): number {
    return this.#measured.characters ?? this.whole().length;
  }

  whole(): string {
    return parseBody(this.#bytes.toString('utf8'));
  }

  head(): string {
    return headOf(this.#bytes);
  }

  /** Is it surely the beginning of the other one? Told by the bytes, which may be written in other ways: no is not sure. */
  begins(other: LongText): boolean {
    const { length } = this.#bytes;
    return length <= other.#bytes.length && this.#bytes.equals(other.#bytes.subarray(0, length));
  }

  /** Does it have this in it? */
  includes(part: string): boolean {
    if (!this.#measured.isUsual || part.includes('\ufffd')) return this.whole().includes(part);
    const written = JSON.stringify(part).slice(1, -1);
    for (let at = this.#bytes.indexOf(written); at !== -1; at = this.#bytes.indexOf(written, at + 1)) {
      let before = at;
      while (before > 0 && this.#bytes[before - 1] === BACKSLASH) before--;
      // Else it begins in the middle of an escape.
      if (((at - before) & 1) === 0) return true;
    }
    return false;
  }

  /** From now on the text can be fetched by the number in this. */
  keep(): KeptText {
    const { texts, file, offset } = this.#place;
    const id = texts.add(file, offset, this.#bytes.length);
    return { id, characters: this.characters, lines: this.#measured.breaks + 1 };
  }
}

/** The text of what stands between the quotes of a JSON string. */
export const parseBody = (body: string): string => JSON.parse(`"${body}"`) as string;

/** The first characters, cut where neither an escape nor a character of several bytes or units is torn. */
function headOf(bytes: Buffer): string {
  let end = HEAD_BYTES;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  end = beforeTornEscape(bytes, end);
  const head = parseBody(bytes.toString('utf8', 0, end));
  // Half of a pair is no character.
  return /[\ud800-\udbff]$/.test(head) ? head.slice(0, -1) : head;
}

/** `end`, or the place before it where an escape begins that goes on behind it. */
function beforeTornEscape(bytes: Buffer, end: number): number {
  for (let at = end - 1; at >= end - 6 && at >= 0; at--) {
    if (bytes[at] !== BACKSLASH) continue;
    let before = at;
    while (before > 0 && bytes[before - 1] === BACKSLASH) before--;
    if (((at - before) & 1) === 1) return end;
    const length = bytes[at + 1] === 117 ? 6 : 2;
    return at + length > end ? at : end;
  }
  return end;
}
