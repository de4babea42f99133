import type { Fold } from '../timeline/axis.ts';

/** The folded gap around a time, if any, and where that changes. */
export function foldAt(folds: readonly Fold[], t: number): { readonly gap: Fold | undefined; readonly until: number } {
  for (const fold of folds) {
    if (t < fold.from) return { gap: undefined, until: fold.from };
    if (t < fold.until) return { gap: fold, until: fold.until };
  }
  return { gap: undefined, until: Number.POSITIVE_INFINITY };
}
