import type { ToolCall } from '../../../src-shared/tool-call/state.ts';

/** The chart in small: so many columns and lanes, however long the session is. */
const COLUMNS = 40;
const LANES = 3;

/** Worst last: where several calls share a place, the last of these letters stands there. */
const LETTERS = 'ohce';
/** `o` ran · `h` waited for a person · `c` was cancelled, stopped or denied · `e` failed. A dot where nothing is. */
type Letter = 'o' | 'h' | 'c' | 'e';

type Placed = { readonly from: number; readonly until: number; readonly letter: Letter };

/** @param timed false: calls stand side by side in their order. */
export function shapeOf(calls: readonly ToolCall[], timed: boolean): string {
  if (calls.length === 0) return '';
  const placed = calls.map((call, at): Placed => {
    const letter = letterOf(call);
    if (!timed) return { from: at, until: at + 0.8, letter };
    return { from: startOf(call), until: endOf(call), letter };
  });
  // What nobody did in between is left out at both ends: the session may have begun long before its first call.
  const first = placed.reduce((least, { from }) => Math.min(least, from), Number.POSITIVE_INFINITY);
  const last = placed.reduce((most, { until }) => Math.max(most, until), first);
  const width = Math.max(1e-9, last - first);
  const cells = Array.from({ length: LANES }, () => new Array<string>(COLUMNS).fill('.'));
  const free = new Array<number>(LANES).fill(Number.NEGATIVE_INFINITY);
  for (const { from, until, letter } of placed.toSorted((a, b) => a.from - b.from)) {
    const lane = Math.max(0, laneFor(free, from));
    free[lane] = Math.max(free[lane] ?? 0, until);
    const left = columnOf((from - first) / width);
    const right = Math.max(left, columnOf((until - first) / width - 1e-9));
    const row = cells[lane] ?? [];
    for (let column = left; column <= right; column++) {
      if (LETTERS.indexOf(row[column] ?? '.') < LETTERS.indexOf(letter)) row[column] = letter;
    }
  }
  return cells.map((row) => row.join('')).join('/');
}

const columnOf = (share: number): number => Math.min(COLUMNS - 1, Math.max(0, Math.floor(share * COLUMNS)));

/** The first free lane, or the one that is free soonest. */
function laneFor(free: readonly number[], from: number): number {
  const open = free.findIndex((until) => until <= from);
  return open >= 0 ? open : free.indexOf(Math.min(...free));
}

const startOf = (call: ToolCall): number => ('run' in call ? call.run?.at : undefined) ?? call.queuedAt;
const endOf = (call: ToolCall): number => ('end' in call ? call.end.at : call.queuedAt);

function letterOf(call: ToolCall): Letter {
  const outcome = 'end' in call ? call.end.outcome : undefined;
  if (outcome === 'error') return 'e';
  if (outcome !== undefined && outcome !== 'ok' && outcome !== 'unknown') return 'c';
  return call.asks.length > 0 ? 'h' : 'o';
}
