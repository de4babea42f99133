/** Files at the start are this many bases apart, so that later ones fit between them. */
const STRIDE = 2 ** 12;
/** Bases above this lose whole numbers when lines are counted from them. */
const MOST_BASES = 2 ** 25;

/**
 * Places for files whose order is that of their names, while new ones come. A file keeps its place: everything that was
 * read of it is ordered by it.
 */
export class FileOrder {
  readonly #step: number;
  readonly #places = new Map<string, number>();

  /** @param step distance between two neighbours: the most lines a file may have. */
  constructor(step: number) {
    this.#step = step;
  }

  /** Of the session's own file, before all others. */
  readonly first = 0;

  /** @param inOrder all files by now. @returns undefined when there is no room left between its neighbours. */
  place(inOrder: readonly string[], file: string): number | undefined {
    const at = inOrder.indexOf(file);
    const before = inOrder.slice(0, at).reduce((last, one) => Math.max(last, this.#places.get(one) ?? 0), 0);
    const after = inOrder.slice(at + 1).reduce<number | undefined>((next, one) => {
      const place = this.#places.get(one);
      return place === undefined || (next !== undefined && next <= place) ? next : place;
    }, undefined);
    const place = after === undefined ? before + STRIDE : Math.floor((before + after) / 2);
    if (place <= before || place >= MOST_BASES) return undefined;
    this.#places.set(file, place);
    return place * this.#step;
  }
}
