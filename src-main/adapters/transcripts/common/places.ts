import { isBefore, type Place } from './story.ts';

/** Files with no time at all are laid out by order, this far apart. */
export const ORDER_STEP_MS = 100;
const LINES_A_FILE = 1e9;

type FilePlaces = { firstAt: number; lastAt: number; waiting: Place[] };

/** Gives lines their places, and times to those that have none of their own. */
export class Places {
  #files: FilePlaces[] = [];
  #first = Number.POSITIVE_INFINITY;
  #anyTimed = false;
  #last: Place = { at: Number.NaN, ord: 0, timed: false };

  startFile(): void {
    this.#files.push({ firstAt: Number.NaN, lastAt: Number.NaN, waiting: [] });
  }

  /** `at`: the line's own time in wall ms. A line without one takes that of the line before it in its file. */
  at(at: number | undefined, line: number): Place {
    if (this.#files.length === 0) this.startFile();
    const file = this.#files.at(-1) as FilePlaces;
    const ord = (this.#files.length - 1) * LINES_A_FILE + line;
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
