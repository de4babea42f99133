import { NO_DASH, type Op } from '../../src-shared/chart/display-list.ts';
import { Blocks } from '../../src-shared/chart/layout/blocks.ts';
import { detailOf } from '../../src-shared/chart/layout/detail.ts';
import { inkOfKind, lookOf, partLook } from '../../src-shared/chart/layout/looks.ts';
import type { Stretch } from '../../src-shared/chart/viewport.ts';
import type { ColorName } from '../../src-shared/theme/tokens.ts';
import { shownAt, type TimeAxis, timeOfShown } from '../../src-shared/timeline/axis.ts';
import type { BarColumns } from '../../src-shared/timeline/bars.ts';
import { callAt, type TimelineModel } from '../../src-shared/timeline/tracks.ts';

/** The mini-map's own way from time to px: the whole session in its width, folds without room. */
export type MiniScale = { readonly width: number; readonly perMs: number; readonly axis: TimeAxis };

/** Free room at both ends, in px, so that the window's handles can be seen and taken. */
export const MINI_INSET = 4;
/** A live session keeps some room at the right, or its window would stick to the edge. */
const LIVE_ROOM = 0.03;

export function miniScale(axis: TimeAxis, width: number, until: number, isLive: boolean): MiniScale {
  const room = Math.max(1, width - 2 * MINI_INSET) * (isLive ? 1 - LIVE_ROOM : 1);
  return { width, perMs: room / Math.max(1, shownAt(axis, until)), axis };
}

export const miniX = (mini: MiniScale, t: number): number => MINI_INSET + shownAt(mini.axis, t) * mini.perMs;
export const miniTime = (mini: MiniScale, x: number): number => timeOfShown(mini.axis, (x - MINI_INSET) / mini.perMs);

/** Where the visible stretch lies on the mini-map. Never narrower than a handle can be taken. */
export function miniWindow(mini: MiniScale, shown: Stretch): { readonly x: number; readonly w: number } {
  const from = Math.max(0, miniX(mini, Math.max(0, shown.from)));
  const until = Math.min(mini.width, miniX(mini, shown.until));
  const w = Math.max(10, until - from);
  return { x: Math.min(from, mini.width - w), w };
}

type MiniRow = { readonly columns: BarColumns; readonly kind: 'model' | 'queue' | 'calls' };

function miniRows(model: TimelineModel): readonly MiniRow[] {
  const rows: MiniRow[] = [];
  const [main] = model.agents;
  if (main !== undefined)
    rows.push({ columns: main.requests, kind: 'model' }, { columns: main.queue.all, kind: 'queue' });
  for (const agent of model.agents) for (const lane of agent.lanes) rows.push({ columns: lane, kind: 'calls' });
  return rows;
}

const INKS: Readonly<Record<'model' | 'queue', ColorName>> = { model: 'model.edge', queue: 'wait.lock.edge' };
/** Sessions up to this many calls show the parts of their bars too. */
const DETAILED = 2000;

/** All rows of the session as thin lines; where bars share a px, the worst one gives the colour. */
export function layoutMinimap(model: TimelineModel, mini: MiniScale, height: number, now: number): readonly Op[] {
  const rows = miniRows(model);
  const pitch = Math.min(4, (height - 8) / Math.max(1, rows.length));
  const thickness = Math.max(0.75, Math.min(2, pitch - 0.75));
  const ops: Op[] = [];
  for (const [index, row] of rows.entries()) {
    const blocks = new Blocks();
    drawRow(model, mini, row, blocks, 4 + index * pitch, thickness, now);
    blocks.drawTo((ink, rects) => ops.push({ op: 'blocks', ink, rects, alpha: row.kind === 'calls' ? 1 : 0.65 }));
  }
  return ops;
}

const PLAYHEAD = { line: 2, head: 5 } as const;

/** The playhead's mark: the line of the chart, with its head at the top. */
export function layoutMiniPlayhead(mini: MiniScale, height: number, playhead: number | undefined): readonly Op[] {
  if (playhead === undefined) return [];
  const x = Math.round(miniX(mini, playhead) - 0.5) + 0.5;
  return [
    {
      op: 'line',
      points: [x, 0, x, height],
      radius: 0,
      ink: 'focus.ring',
      width: PLAYHEAD.line,
      dash: NO_DASH,
      alpha: 1,
    },
    {
      op: 'polygon',
      points: [x - PLAYHEAD.head, 0, x + PLAYHEAD.head, 0, x, PLAYHEAD.head],
      fill: 'focus.ring',
      stroke: undefined,
      width: 0,
      alpha: 1,
    },
  ];
}

function drawRow(
  model: TimelineModel,
  mini: MiniScale,
  row: MiniRow,
  blocks: Blocks,
  y: number,
  h: number,
  now: number,
): void {
  const { columns } = row;
  let i = 0;
  while (i < columns.length) {
    const x = Math.floor(miniX(mini, columns.starts[i] as number));
    const boundary = miniTime(mini, x + 1);
    let j = i + 1;
    if (j < columns.length && (columns.starts[j] as number) < boundary) j = columns.firstStartingAt(boundary, j);
    const end = Math.min(columns.ends[j - 1] as number, now);
    const right = Math.max(x + 1, miniX(mini, end));
    if (row.kind !== 'calls') blocks.add(INKS[row.kind], x, y, right - x, h);
    else if (j - i === 1 && right - x >= 3 && model.state.calls.length <= DETAILED)
      drawParts(model, mini, columns.items[i] as number, blocks, y, h, now);
    else blocks.add(inkOfKind(columns.worstKind(i, j)), x, y, right - x, h);
    i = j;
  }
}

/** The parts of one call in the colours of their edges. */
function drawParts(
  model: TimelineModel,
  mini: MiniScale,
  item: number,
  blocks: Blocks,
  y: number,
  h: number,
  now: number,
): void {
  const call = callAt(model, item);
  const look = lookOf(call, model.isOver);
  for (const part of detailOf(call, model.isOver).parts) {
    const x = miniX(mini, part.from);
    const w = miniX(mini, part.until ?? now) - x;
    if (w > 0) blocks.add(partLook(part.kind, look).edge, x, y, Math.max(1, w), h);
  }
}

/** The stretch of time a view of this width shows when it is centred on an x of the mini-map. */
export function stretchAround(mini: MiniScale, x: number, shown: Stretch): Stretch {
  const half = (miniX(mini, shown.until) - miniX(mini, shown.from)) / 2;
  return { from: miniTime(mini, x - half), until: miniTime(mini, x + half) };
}
