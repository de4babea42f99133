import type { RolloutRecord } from './rollout.ts';

const isItem = ({ kind }: RolloutRecord): boolean => kind.startsWith('response_item/');
const markOf = ({ payload }: RolloutRecord): string => JSON.stringify(payload);

/**
 * A thread that was forked from another one may begin with a copy of its history, with old times or new ones. What stands
 * in another file word for word is shown there; the own work begins behind the last item of that copy.
 */
export function withoutReplay(
  records: readonly RolloutRecord[],
  others: readonly (readonly RolloutRecord[])[],
): readonly RolloutRecord[] {
  const marks = new Set(others.flatMap((list) => list.filter(isItem).map(markOf)));
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
