import type { PlayedCall } from './play.ts';

/** What another schedule makes of a call. */
export type Change =
  | 'starts-earlier'
  | 'starts-later'
  | 'other-lane'
  | 'starts'
  | 'never-starts'
  | 'is-cancelled'
  | 'ends-by-itself'
  | 'ends-otherwise'
  | 'never-comes';

/** Where a call's fate first parts from the recorded one. `at`: milliseconds from the start of the work. */
export type Difference = { readonly item: number; readonly at: number; readonly change: Change };

/** Times that lie closer than this are the same: the clocks of journals are no better. */
const SAME_MS = 0.5;

const same = (a: number, b: number): boolean => Math.abs(a - b) < SAME_MS;

/**
 * Every call whose fate is another one, by the time at which that shows, those of the same time in call order. Calls that
 * only come later or earlier by themselves, because something before them did, count too.
 */
export function differencesOf(before: readonly PlayedCall[], after: readonly PlayedCall[]): readonly Difference[] {
  const others = new Map(after.map((call) => [call.recorded.item, call]));
  const found: Difference[] = [];
  for (const call of before) {
    const { item } = call.recorded;
    const other = others.get(item);
    const change = other === undefined ? { at: call.arrivedAt, change: 'never-comes' as const } : changeOf(call, other);
    if (change !== undefined) found.push({ item, ...change });
  }
  return found.sort((a, b) => a.at - b.at || a.item - b.item);
}

function changeOf(before: PlayedCall, after: PlayedCall): Omit<Difference, 'item'> | undefined {
  const [a, b] = [before.start, after.start];
  if (a === undefined && b === undefined) {
    if (same(before.endedAt, after.endedAt)) return undefined;
    return { at: Math.min(before.endedAt, after.endedAt), change: 'ends-otherwise' };
  }
  if (a === undefined || b === undefined) {
    const at = Math.min(before.start?.at ?? before.endedAt, after.start?.at ?? after.endedAt);
    return { at, change: a === undefined ? 'starts' : 'never-starts' };
  }
  if (!same(a.at, b.at)) return { at: Math.min(a.at, b.at), change: b.at < a.at ? 'starts-earlier' : 'starts-later' };
  if (a.lane !== b.lane) return { at: a.at, change: 'other-lane' };
  if ((before.cancelled === undefined) !== (after.cancelled === undefined)) {
    const at = Math.min(before.endedAt, after.endedAt);
    return { at, change: before.cancelled === undefined ? 'is-cancelled' : 'ends-by-itself' };
  }
  if (same(before.endedAt, after.endedAt)) return undefined;
  return { at: Math.min(before.endedAt, after.endedAt), change: 'ends-otherwise' };
}
