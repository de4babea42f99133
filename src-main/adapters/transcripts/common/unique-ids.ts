/** Ids of a session may not be longer (see `src-shared/ids.ts`). */
export const MAX_ID = 400;

/** Ids that files use for more than one thing get a number, so that each thing keeps an id of its own. */
export class UniqueIds {
  readonly #taken = new Set<string>();
  readonly #nextNumber = new Map<string, number>();

  take(wanted: string): string {
    const base = wanted.slice(0, MAX_ID) || 'none';
    let id = base;
    while (this.#taken.has(id)) {
      const n = (this.#nextNumber.get(base) ?? 1) + 1;
      this.#nextNumber.set(base, n);
      id = `${base.slice(0, MAX_ID - 12)}#${n}`;
    }
    this.#taken.add(id);
    return id;
  }
}
