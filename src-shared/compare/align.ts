import { diffArrays } from 'diff';

/** A place in the common order of two lists: an item of one, of the other, or of both. */
export type Place = { readonly a: number | undefined; readonly b: number | undefined };

/** With more changes than these the shortest way from one list to the other takes too long to find. */
const MOST_EDITS = 3_000;

/**
 * Puts two lists side by side with as few changes as possible; equal keys are the same. Where there are too many, each
 * item takes the next equal one after the last that was taken, which is quick, and may miss a better way.
 */
export function align(a: readonly string[], b: readonly string[]): readonly Place[] {
  const changes = diffArrays([...a], [...b], { maxEditLength: MOST_EDITS });
  if (changes === undefined) return alignGreedily(a, b);
  const places: Place[] = [];
  let [atA, atB] = [0, 0];
  for (const { added, removed, value } of changes) {
    for (let i = 0; i < value.length; i++) {
      if (added) places.push({ a: undefined, b: atB++ });
      else if (removed) places.push({ a: atA++, b: undefined });
      else places.push({ a: atA++, b: atB++ });
    }
  }
  return places;
}

/** How far ahead an equal item is looked for. */
const AHEAD = 2_000;

export function alignGreedily(a: readonly string[], b: readonly string[]): readonly Place[] {
  const where = new Map<string, number[]>();
  for (const [i, key] of b.entries()) {
    const known = where.get(key);
    if (known === undefined) where.set(key, [i]);
    else known.push(i);
  }
  const places: Place[] = [];
  let atB = 0;
  for (const [atA, key] of a.entries()) {
    const next = firstFrom(where.get(key) ?? [], atB);
    if (next === undefined || next - atB > AHEAD) {
      places.push({ a: atA, b: undefined });
      continue;
    }
    while (atB < next) places.push({ a: undefined, b: atB++ });
    places.push({ a: atA, b: atB++ });
  }
  while (atB < b.length) places.push({ a: undefined, b: atB++ });
  return places;
}

/** The first of the numbers, which rise, that is `from` or more. */
function firstFrom(numbers: readonly number[], from: number): number | undefined {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) < from) low = middle + 1;
    else high = middle;
  }
  return numbers[low];
}
