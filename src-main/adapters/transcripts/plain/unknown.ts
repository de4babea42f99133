import type { OnFinding } from '../importer.ts';

/** Kinds of records that were not known, counted: each becomes one finding with its first place. */
export class UnknownKinds {
  readonly #seen = new Map<string, { count: number; readonly line: number; readonly file: string }>();

  /** `what`: in the plural, as in `records of type "x"`. */
  count(what: string, { file, line }: { readonly file: string; readonly line: number }): void {
    const known = this.#seen.get(what);
    if (known === undefined) this.#seen.set(what, { count: 1, line, file });
    else known.count++;
  }

  tell(onFinding: OnFinding): void {
    for (const [what, { count, line, file }] of this.#seen) {
      onFinding({
        file,
        line,
        kind: 'unknown-kind',
        message: `${count} × ${what}; kept as they are, the first one here`,
      });
    }
  }
}
