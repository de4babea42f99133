/** An idle stretch, in session time, that may be drawn folded. */
export type Fold = { readonly from: number; readonly until: number };

/** A folded stretch is this wide at any zoom, in px: its sign, and some air for what ends and begins beside it. */
export const FOLD_WIDTH = 26;

/**
 * Maps session time to a position along the chart: straight, except that folded stretches are equally wide whatever
 * they hold. Positions are px from session time 0 at `scale` px per millisecond.
 */
export type TimeAxis = {
  readonly folds: readonly Fold[];
  /** Time shown before fold k, in milliseconds: everything but the folds before it. */
  readonly shownBefore: Float64Array;
};

/** @param folds in time order, without overlaps. */
export function timeAxis(folds: readonly Fold[]): TimeAxis {
  const shownBefore = new Float64Array(folds.length);
  let folded = 0;
  for (const [k, fold] of folds.entries()) {
    shownBefore[k] = fold.from - folded;
    folded += fold.until - fold.from;
  }
  return { folds, shownBefore };
}

export const STRAIGHT: TimeAxis = timeAxis([]);

/** How many folds begin before `t`. */
function foldsBefore(axis: TimeAxis, t: number): number {
  let low = 0;
  let high = axis.folds.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((axis.folds[middle] as Fold).from < t) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Position of a time, in px from session time 0. */
export function positionOf(axis: TimeAxis, scale: number, t: number): number {
  const before = foldsBefore(axis, t);
  if (before === 0) return t * scale;
  const k = before - 1;
  const fold = axis.folds[k] as Fold;
  const start = (axis.shownBefore[k] as number) * scale + k * FOLD_WIDTH;
  if (t < fold.until) return start + ((t - fold.from) / (fold.until - fold.from)) * FOLD_WIDTH;
  return start + FOLD_WIDTH + (t - fold.until) * scale;
}

/** The time at a position; the inverse of `positionOf`. */
export function timeAt(axis: TimeAxis, scale: number, position: number): number {
  let low = 0;
  let high = axis.folds.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((axis.shownBefore[middle] as number) * scale + middle * FOLD_WIDTH < position) low = middle + 1;
    else high = middle;
  }
  if (low === 0) return position / scale;
  const k = low - 1;
  const fold = axis.folds[k] as Fold;
  const into = position - ((axis.shownBefore[k] as number) * scale + k * FOLD_WIDTH);
  if (into < FOLD_WIDTH) return fold.from + (into / FOLD_WIDTH) * (fold.until - fold.from);
  return fold.until + (into - FOLD_WIDTH) / scale;
}

/** Time of `from … until` that is really shown, in milliseconds: its folds taken out. */
export function shownLength(axis: TimeAxis, from: number, until: number): number {
  let length = until - from;
  for (let k = foldsBefore(axis, from); k < axis.folds.length; k++) {
    const fold = axis.folds[k] as Fold;
    if (fold.from >= until) break;
    length -= Math.min(fold.until, until) - Math.max(fold.from, from);
  }
  return Math.max(0, length);
}

/** Number of folds that lie wholly in `from … until`. */
export function foldsWithin(axis: TimeAxis, from: number, until: number): number {
  let n = 0;
  for (let k = foldsBefore(axis, from); k < axis.folds.length; k++) {
    const fold = axis.folds[k] as Fold;
    if (fold.until > until) break;
    n++;
  }
  return n;
}

/** Time shown before `t`, in milliseconds from session time 0: folds take no room at all. */
export function shownAt(axis: TimeAxis, t: number): number {
  const before = foldsBefore(axis, t);
  if (before === 0) return t;
  const k = before - 1;
  return (axis.shownBefore[k] as number) + Math.max(0, t - (axis.folds[k] as Fold).until);
}

/** The time at which `shown` milliseconds have been shown; at a fold, its end. */
export function timeOfShown(axis: TimeAxis, shown: number): number {
  let low = 0;
  let high = axis.folds.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((axis.shownBefore[middle] as number) <= shown) low = middle + 1;
    else high = middle;
  }
  if (low === 0) return shown;
  return (axis.folds[low - 1] as Fold).until + shown - (axis.shownBefore[low - 1] as number);
}
