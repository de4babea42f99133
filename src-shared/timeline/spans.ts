/**
 * A growing set of stretches of time. Stretches that touch, or lie at most `tolerance` apart, become one, so the set
 * stays small however many are added; what is left between them are the idle gaps worth folding.
 */
export class SpanSet {
  private readonly tolerance: number;
  private readonly froms: number[] = [];
  private readonly untils: number[] = [];

  constructor(tolerance: number) {
    this.tolerance = tolerance;
  }

  /** Adding what is already covered changes nothing. */
  add(from: number, until: number): void {
    const { froms, untils, tolerance } = this;
    // Events come nearly in time order: look from the end.
    let after = froms.length;
    while (after > 0 && (froms[after - 1] as number) > until + tolerance) after--;
    let first = after;
    while (first > 0 && (untils[first - 1] as number) >= from - tolerance) first--;
    const joined = after - first;
    const low = joined === 0 ? from : Math.min(from, froms[first] as number);
    let high = until;
    for (let i = first; i < after; i++) high = Math.max(high, untils[i] as number);
    froms.splice(first, joined, low);
    untils.splice(first, joined, high);
  }

  /** The gaps longer than the tolerance between `origin` and the last stretch that begins before `limit`. */
  gaps(origin: number, limit: number): { readonly from: number; readonly until: number }[] {
    const found: { readonly from: number; readonly until: number }[] = [];
    let at = origin;
    for (let i = 0; i < this.froms.length; i++) {
      const from = Math.min(this.froms[i] as number, limit);
      if (from - at > this.tolerance) found.push({ from: at, until: from });
      at = Math.max(at, this.untils[i] as number);
      if (at >= limit) return found;
    }
    if (limit !== Number.POSITIVE_INFINITY && limit - at > this.tolerance) found.push({ from: at, until: limit });
    return found;
  }
}
