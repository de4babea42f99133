import type { RolloutRecord } from './rollout.ts';

const isItem = ({ kind }: RolloutRecord): boolean => kind.startsWith('response_item/');
const markOf = ({ payload }: RolloutRecord): string => JSON.stringify(payload);

/** What tells a copy of an item: all that it says. */
export const marksOf = (records: readonly RolloutRecord[]): ReadonlySet<string> =>
  new Set(records.filter(isItem).map(markOf));

/**
 * A thread that was forked from another one may begin with a copy of its history, with old times or new ones. What stands
 * in the other file word for word is shown there; the own work begins behind the last item of that copy. `marks`: of the
 * items of the other file.
 */
export function withoutReplay(records: readonly RolloutRecord[], marks: ReadonlySet<string>): readonly RolloutRecord[] {
  let copied = -1;
  for (const [index, record] of records.entries()) {
    if (!isItem(record)) continue;
    if (!marks.has(markOf(record))) break;
    copied = index;
  }
  if (copied === -1) return records;
  // Which model it ran under may stand before the copy.
  const before = records.slice(0, copied).filter(({ kind }) => kind === 'session_meta' || kind === 'turn_context');
  return [...before, ...records.slice(copied + 1)];
}

/** Marks of the items of each thread, made once they are asked for: most sessions have no threads but their own. */
export class Marks {
  readonly #threads: ReadonlyMap<string | undefined, readonly RolloutRecord[]>;
  readonly #main: readonly RolloutRecord[];
  readonly #made = new Map<readonly RolloutRecord[], ReadonlySet<string>>();

  constructor(threads: ReadonlyMap<string | undefined, readonly RolloutRecord[]>, main: readonly RolloutRecord[]) {
    this.#threads = threads;
    this.#main = main;
  }

  of(thread: string | undefined): ReadonlySet<string> {
    const records = this.#threads.get(thread) ?? this.#main;
    const marks = this.#made.get(records) ?? marksOf(records);
    this.#made.set(records, marks);
    return marks;
  }
}
