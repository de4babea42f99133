import type { Row, RowLayout } from '../../../src-shared/chart/rows.ts';
import type { BarColumns } from '../../../src-shared/timeline/bars.ts';
import type { TimelineModel } from '../../../src-shared/timeline/tracks.ts';

/** Rows a selection can be in, from top to bottom, with their bars. */
function barRows(layout: RowLayout): readonly { readonly row: Row; readonly columns: BarColumns }[] {
  return layout.rows.flatMap((row) => {
    const columns =
      row.kind === 'lane'
        ? row.agent?.lanes[row.index]
        : row.kind === 'single'
          ? row.agent?.single
          : row.kind === 'queue'
            ? row.agent?.queue.lines[row.index]
            : undefined;
    return columns === undefined || columns.length === 0 ? [] : [{ row, columns }];
  });
}

type Spot = { readonly at: number; readonly index: number };

/** Where a call stands: its lane before its wait in the queue. */
function spotOf(rows: ReturnType<typeof barRows>, item: number): Spot | undefined {
  let waiting: Spot | undefined;
  for (const [at, { row, columns }] of rows.entries()) {
    const index = columns.items.subarray(0, columns.length).indexOf(item);
    if (index < 0) continue;
    if (row.kind !== 'queue') return { at, index };
    waiting = { at, index };
  }
  return waiting;
}

/** Index of the bar whose middle is nearest to a time. */
function nearestIn(columns: BarColumns, t: number, now: number): number {
  const middle = (i: number): number => ((columns.starts[i] as number) + Math.min(columns.ends[i] as number, now)) / 2;
  const after = Math.min(columns.firstStartingAt(t), columns.length - 1);
  let best = after;
  for (let i = Math.max(0, after - 2); i <= after; i++)
    if (Math.abs(middle(i) - t) < Math.abs(middle(best) - t)) best = i;
  return best;
}

/**
 * The call to select next: the one before or after in the row, or the nearest in time in the row above or below.
 * Without a selection: the call nearest to `around`, a time, in the first row that has bars.
 */
export function neighbour(
  model: TimelineModel,
  layout: RowLayout,
  selected: number | undefined,
  to: 'before' | 'after' | 'above' | 'below',
  around: number,
): number | undefined {
  const rows = barRows(layout);
  const spot = selected === undefined ? undefined : spotOf(rows, selected);
  if (spot === undefined) {
    const first = rows.find(({ row }) => row.kind !== 'queue') ?? rows[0];
    return first === undefined ? undefined : first.columns.items[nearestIn(first.columns, around, model.until)];
  }
  const here = rows[spot.at]?.columns;
  if (here === undefined) return undefined;
  if (to === 'before') return spot.index > 0 ? here.items[spot.index - 1] : selected;
  if (to === 'after') return spot.index + 1 < here.length ? here.items[spot.index + 1] : selected;
  const t = ((here.starts[spot.index] as number) + Math.min(here.ends[spot.index] as number, model.until)) / 2;
  const other = rows[spot.at + (to === 'above' ? -1 : 1)]?.columns;
  return other === undefined ? selected : other.items[nearestIn(other, t, model.until)];
}
