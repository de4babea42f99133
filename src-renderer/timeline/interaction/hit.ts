import type { PillBox } from '../../../src-shared/chart/layout/arrows.ts';
import type { LayoutInput } from '../../../src-shared/chart/layout/drawing.ts';
import type { FoldBox } from '../../../src-shared/chart/layout/overlay.ts';
import { fixedHeightOf } from '../../../src-shared/chart/layout.ts';
import { MAX_PROCESSES, type Row, rowAt } from '../../../src-shared/chart/rows.ts';
import { timeOf, xOf } from '../../../src-shared/chart/viewport.ts';
import type { BarColumns } from '../../../src-shared/timeline/bars.ts';

/** What lies under the pointer. */
export type Hit =
  | { readonly kind: 'call'; readonly item: number }
  | { readonly kind: 'request'; readonly index: number }
  | { readonly kind: 'hook'; readonly index: number }
  | { readonly kind: 'shell'; readonly index: number }
  | { readonly kind: 'process'; readonly index: number }
  | { readonly kind: 'pill'; readonly culprit: number }
  | { readonly kind: 'fold'; readonly index: number }
  | undefined;

/** A bar can be hit over at least this width; where several could be meant, the nearest middle wins. */
const LEAST_TARGET = 8;

/** The thing at a point of the canvas. Bars are found in the columns, so merged ones can be hit as well. */
export function hitAt(
  input: LayoutInput,
  boxes: { readonly pills: readonly PillBox[]; readonly folds: readonly FoldBox[] },
  x: number,
  y: number,
): Hit {
  const fold = boxes.folds.find((box) => x >= box.x - 3 && x <= box.x + box.w + 3);
  if (fold !== undefined) return { kind: 'fold', index: fold.index };
  const pill = boxes.pills.find((box) => x >= box.x && x <= box.x + box.w && y >= box.y - 3 && y <= box.y + box.h + 3);
  if (pill !== undefined) return { kind: 'pill', culprit: pill.culprit };
  const fixed = fixedHeightOf(input);
  if (y < input.rows.metrics.ruler) return undefined;
  if (y < fixed) {
    const main = input.model.agents[0];
    const index = main === undefined ? undefined : nearest(input, main.requests, x);
    return index === undefined ? undefined : { kind: 'request', index };
  }
  const row = rowAt(input.rows, y - fixed + input.view.scrollY);
  return row === undefined ? undefined : hitRow(input, row, x);
}

function hitRow(input: LayoutInput, row: Row, x: number): Hit {
  const { agent } = row;
  const call = (columns: BarColumns | undefined): Hit => {
    const item = columns === undefined ? undefined : nearest(input, columns, x);
    return item === undefined ? undefined : { kind: 'call', item };
  };
  switch (row.kind) {
    case 'lane':
      return call(agent?.lanes[row.index]);
    case 'single':
      return call(agent?.single);
    case 'queue':
      return call(agent?.queue.lines[row.index]);
    case 'permission':
      return call(input.model.asks);
    case 'hooks': {
      const index = nearest(input, input.model.hooks, x);
      return index === undefined ? undefined : { kind: 'hook', index };
    }
    case 'background': {
      const bars = input.model.shells[row.index];
      const index = bars === undefined ? undefined : nearest(input, bars, x);
      return index === undefined ? undefined : { kind: 'shell', index };
    }
    case 'agent-model': {
      const index = agent === undefined ? undefined : nearest(input, agent.requests, x);
      return index === undefined ? undefined : { kind: 'request', index };
    }
    case 'process': {
      const count = input.model.processes?.call.processes.length ?? 0;
      return row.index < Math.min(count, MAX_PROCESSES) ? { kind: 'process', index: row.index } : undefined;
    }
    case 'header':
    case 'group':
    case 'depth':
    case 'more':
    case 'strip':
      return undefined;
  }
}

/** The item of the bar under x, or of the one whose middle is nearest among those within reach. */
export function nearest(input: LayoutInput, columns: BarColumns, x: number): number | undefined {
  const { axis, view, now } = input;
  const half = LEAST_TARGET / 2;
  const from = timeOf(axis, view, x - LEAST_TARGET);
  const until = timeOf(axis, view, x + LEAST_TARGET);
  let best: number | undefined;
  let least = Number.POSITIVE_INFINITY;
  const last = columns.firstStartingAt(until);
  for (let i = Math.min(columns.firstEndingAfter(from), columns.firstStartingAt(from)); i < last; i++) {
    const x0 = xOf(axis, view, columns.starts[i] as number);
    const x1 = xOf(axis, view, Math.min(columns.ends[i] as number, now));
    const middle = (x0 + x1) / 2;
    const reach = Math.max(half, (x1 - x0) / 2);
    const away = Math.abs(x - middle);
    if (away > reach || away >= least) continue;
    least = away;
    best = columns.items[i] as number;
  }
  return best;
}
