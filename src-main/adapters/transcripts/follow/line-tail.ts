import { fieldsOf } from '../common/fields.ts';
import { type ReadLine, type Salvaged, Salvager, type Trouble } from '../salvage.ts';
import { FileTail, type Growth, type OnRead } from './file-tail.ts';

const LINE_BREAK = 10;
const CLOSING_BRACE = 125;

export type LineTailOptions = {
  readonly onRead: OnRead;
  readonly onTrouble: (trouble: Trouble) => void;
  readonly readLine?: ReadLine | undefined;
};

/**
 * The records of a file that grows, each once. A line without its break waits for the rest, unless it is a whole object
 * already: some writers put the break before the next line.
 */
export class LineTail {
  readonly #tail: FileTail;
  readonly #salvager: Salvager;
  /** What stands behind the last line break. */
  #rest: Buffer[] = [];
  /** The rest was taken for a whole line; its break is still to come. */
  #isAhead = false;

  constructor(path: string, { onRead, onTrouble, readLine }: LineTailOptions) {
    this.#tail = new FileTail(path, onRead);
    this.#salvager = new Salvager(onTrouble, readLine);
  }

  get path(): string {
    return this.#tail.path;
  }

  /** Bytes of a line that has not ended yet. */
  get waiting(): number {
    return this.#rest.reduce((sum, part) => sum + part.length, 0);
  }

  async grow(take: (records: readonly Salvaged[]) => void): Promise<Growth> {
    let isGlued = false;
    const growth = await this.#tail.grow((piece) => {
      if (isGlued) return;
      const part = this.#isAhead ? behindBreak(piece) : piece;
      // Another object on a line that was taken for whole: only reading it anew gives it its number.
      if (part === undefined) isGlued = true;
      else this.#take(part, take);
    });
    if (isGlued) return 'replaced';
    if (growth === 'grown') this.#takeWholeRest(take);
    return growth;
  }

  #take(piece: Buffer, take: (records: readonly Salvaged[]) => void): void {
    this.#isAhead = false;
    const end = piece.lastIndexOf(LINE_BREAK) + 1;
    if (end > 0) {
      const lines = [...this.#rest, piece.subarray(0, end)].flatMap((part) => this.#salvager.push(part));
      this.#rest = [];
      take(lines);
    }
    if (end < piece.length) this.#rest.push(Buffer.from(piece.subarray(end)));
  }

  #takeWholeRest(take: (records: readonly Salvaged[]) => void): void {
    if (this.#rest.at(-1)?.at(-1) !== CLOSING_BRACE) return;
    const rest = Buffer.concat(this.#rest);
    if (!isObject(rest.toString('utf8'))) return;
    const records = [...this.#salvager.push(rest), ...this.#salvager.push(Buffer.from([LINE_BREAK]))];
    this.#rest = [];
    this.#isAhead = true;
    take(records);
  }
}

/** What follows the line break that was still to come; undefined where something else stands there. */
const behindBreak = (piece: Buffer): Buffer | undefined => (piece[0] === LINE_BREAK ? piece.subarray(1) : undefined);

function isObject(text: string): boolean {
  try {
    return fieldsOf(JSON.parse(text)) !== undefined;
  } catch {
    return false;
  }
}
