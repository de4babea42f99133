import { Heap } from '../../../src-shared/scheduler/heap.ts';

/** A slice of a track. `parts` lie inside of it, in order, without overlaps. Times in whole microseconds. */
export type Slice = {
  readonly name: string;
  readonly category: string;
  readonly from: number;
  readonly until: number;
  /** Made when the slice is written: those of 100,000 calls at once would be a session of their own. */
  readonly args: () => Readonly<Record<string, unknown>>;
  /** What arrows find it by. */
  readonly anchor?: string;
  readonly parts: readonly Omit<Slice, 'parts'>[];
};

/** Session time in ms as whole microseconds. */
export const micros = (ms: number): number => Math.round(ms * 1000);

/** The slice with its parts cut to its own bounds and to each other, so that they nest. */
export function nested(slice: Slice): Slice {
  const from = slice.from;
  const until = Math.max(from, slice.until);
  let at = from;
  const parts = slice.parts.flatMap((part) => {
    const start = Math.max(at, Math.min(part.from, until));
    const end = Math.max(start, Math.min(part.until, until));
    if (end === start) return [];
    at = end;
    return [{ ...part, from: start, until: end }];
  });
  return { ...slice, from, until, parts };
}

/**
 * Lays slices on as few lines as it takes for none to overlap: a thread of a trace can hold only what nests. Those of
 * no length take room too, or they would lie inside of what begins with them. O(n log n).
 */
export function packed(slices: readonly Slice[]): readonly (readonly Slice[])[] {
  const inOrder = [...slices].sort((a, b) => a.from - b.from || a.until - b.until);
  const lines: Slice[][] = [];
  const busy = new Heap<{ readonly line: number; readonly until: number }>((a, b) => a.until < b.until);
  const free = new Heap<number>((a, b) => a < b);
  let next: ReturnType<typeof busy.pop>;
  for (const slice of inOrder) {
    next ??= busy.pop();
    while (next !== undefined && next.until <= slice.from) {
      free.push(next.line);
      next = busy.pop();
    }
    const line = free.pop() ?? lines.length;
    const list = lines[line];
    if (list === undefined) lines.push([slice]);
    else list.push(slice);
    busy.push({ line, until: Math.max(slice.until, slice.from + 1) });
    if (next !== undefined) {
      busy.push(next);
      next = undefined;
    }
  }
  return lines;
}
