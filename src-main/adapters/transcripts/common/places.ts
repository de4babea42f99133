import { isBefore, type Place } from './story.ts';

/** Files with no time at all are laid out by order, this far apart. */
export const ORDER_STEP_MS = 100;
/** A file's lines count from its base: bases this far apart leave room for all lines of a file. */
export const LINES_A_FILE = 2 ** 27;

/** A file whose lines are being placed. */
export type FilePlaces = {
  /** Order of its first line. Files come in the order of their bases, whenever their lines are read. */
  readonly base: number;
  firstAt: number;
  lastAt: number;
  readonly waiting: Place[];
};

/** Gives lines their places, and times to those that have none of their own. */
export class Places {
  readonly #files: FilePlaces[] = [];
  #current: FilePlaces | undefined;
  #first = Number.POSITIVE_INFINITY;
  #anyTimed = false;
  #last: Place = { at: Number.NaN, ord: 0, timed: false };

  /** The next file begins, behind all others where no `base` is given. */
  startFile(base?: number): FilePlaces {
    const behind = this.#files.reduce((last, file) => Math.max(last, file.base + LINES_A_FILE), 0);
    const file = { base: base ?? behind, firstAt: Number.NaN, lastAt: Number.NaN, waiting: [] };
    this.#files.push(file);
    this.#files.sort((a, b) => a.base - b.base);
    this.#current = file;
    return file;
  }

  /** Goes on with a file that has grown. */
  resumeFile(file: FilePlaces): void {
    this.#current = file;
  }

  /** Lines of files that come later in the order were read already. */
  get isBehind(): boolean {
    return this.#current !== undefined && this.#current !== this.#files.at(-1);
  }

  /** `at`: the line's own time in wall ms. A line without one takes that of the line before it in its file. */
  at(at: number | undefined, line: number): Place {
    const file = this.#current ?? this.startFile();
    const ord = file.base + line;
    const place: Place = { at: at ?? file.lastAt, ord, timed: at !== undefined };
    if (at !== undefined) {
      this.#anyTimed = true;
      file.lastAt = at;
      if (Number.isNaN(file.firstAt)) file.firstAt = at;
      this.#first = Math.min(this.#first, at);
    }
    if (Number.isNaN(place.at)) file.waiting.push(place);
    if (Number.isNaN(this.#last.at) || !isBefore(place, this.#last)) this.#last = place;
    return place;
  }

  get anyTimed(): boolean {
    return this.#anyTimed;
  }

  /** The earliest time there is. */
  get firstAt(): number {
    return this.#first;
  }

  get last(): Place {
    return this.#last;
  }

  /**
   * Times for the lines before the first time of their file: `leadMs` before it. Where no line has a time, all are laid
   * out by order from `base` on.
   */
  settle(base: number, leadMs: number): void {
    if (this.anyTimed) {
      for (const file of this.#files) {
        const start = (Number.isNaN(file.firstAt) ? this.#first : file.firstAt) - leadMs;
        for (const place of file.waiting) place.at = start;
        if (file.waiting.length > 0) this.#first = Math.min(this.#first, start);
      }
      return;
    }
    let step = 0;
    for (const file of this.#files) for (const place of file.waiting) place.at = base + ORDER_STEP_MS * step++;
    this.#first = base;
  }
}
