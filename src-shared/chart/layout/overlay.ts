import { FOLD_WIDTH, positionOf } from '../../timeline/axis.ts';
import { isEnded } from '../../timeline/parts.ts';
import { callAt } from '../../timeline/tracks.ts';
import { formatMillis } from '../../timeline/words.ts';
import { plainBox } from '../display-list.ts';
import { findRow, type Row } from '../rows.ts';
import type { Drawing } from './drawing.ts';

/** A folded gap on screen: a click unfolds it. */
export type FoldBox = { readonly index: number; readonly x: number; readonly w: number };

const TOOTH = 4;
/** Width of the zigzag and the ground it stands on. */
const SIGN = 14;

/** The double zigzag through all rows where idle time is folded. */
export function drawFolds(d: Drawing, top: number, bottom: number): readonly FoldBox[] {
  const { axis, view } = d.input;
  const boxes: FoldBox[] = [];
  for (const [index, fold] of axis.folds.entries()) {
    if (fold.until < d.from || fold.from > d.until) continue;
    const x = Math.round(positionOf(axis, view.scale, fold.from) - view.offset + (FOLD_WIDTH - SIGN) / 2);
    boxes.push({ index, x, w: SIGN });
    d.rect('top', x, top, SIGN, bottom - top, 'surface.inset');
    for (const shift of [2, 6.5]) {
      const points: number[] = [];
      for (let y = top, i = 0; y <= bottom; y += TOOTH, i++) points.push(x + shift + (i % 2 === 0 ? 0 : 5), y);
      d.line('top', points, 'border.control', 1.1);
    }
  }
  return boxes;
}

export type BarRect = {
  readonly row: Row;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
};

/** Where a call stands on the chart: its bar, or its wait in the queue. Undefined when its row is not shown. */
export function rectOf(d: Drawing, item: number): BarRect | undefined {
  const { model, rows, now } = d.input;
  const call = callAt(model, item);
  const run = call.phase === 'queued' ? undefined : call.run;
  const end = isEnded(call) ? call.end.at : now;
  const { metrics } = rows;
  const place = (row: Row, from: number, until: number, h: number): BarRect => {
    const x = d.x(from);
    return { row, x, y: Math.round(d.y(row) + (row.height - h) / 2 - 0.25), w: Math.max(3, d.x(until) - x), h };
  };
  if (run !== undefined) {
    const lane = findRow(rows, 'lane', call.agentId, run.lane);
    if (lane !== undefined) return place(lane, run.at, end, lane.agent?.isMain === true ? metrics.bar : metrics.subBar);
  }
  const agent = model.agents.find((one) => one.agentId === call.agentId);
  const single = findRow(rows, 'single', call.agentId);
  if (single !== undefined && agent?.single !== undefined) {
    const isThere = agent.single.items.subarray(0, agent.single.length).includes(item);
    return isThere ? place(single, run?.at ?? call.queuedAt, end, metrics.subBar) : undefined;
  }
  for (const [line, columns] of (agent?.queue.lines ?? []).entries()) {
    for (
      let i = columns.firstStartingAt(call.queuedAt);
      i < columns.length && columns.starts[i] === call.queuedAt;
      i++
    ) {
      if (columns.items[i] !== item) continue;
      const row = findRow(rows, 'queue', call.agentId, line);
      return row === undefined ? undefined : place(row, call.queuedAt, run?.at ?? end, metrics.queueBar);
    }
  }
  return undefined;
}

const RING = { away: 2.5, width: 1.75 } as const;

/** The ring around the selected call; with the keyboard in the chart, the focus ring dashed inside it. */
export function drawSelection(d: Drawing): void {
  const { selected } = d.input;
  const rect = selected === undefined ? undefined : rectOf(d, selected);
  if (rect === undefined) return;
  const left = Math.max(rect.x, -20);
  const right = Math.min(rect.x + rect.w, d.width + 20);
  const grow = RING.away + RING.width / 2;
  const ring = (by: number) => plainBox(left - by, rect.y - by, right - left + 2 * by, rect.h + 2 * by, 3 + by);
  d.stroke('top', ring(grow + RING.width / 2), 'selection.ring', RING.width);
  if (d.input.hasFocus) d.stroke('top', ring(1.5), 'focus.ring', 1.25, 1, [3, 2]);
}

/** The hovered bar a little lighter (or darker). */
export function drawHover(d: Drawing): void {
  const rect = hoveredRect(d);
  if (rect === undefined) return;
  const left = Math.max(rect.x, -20);
  const right = Math.min(rect.x + rect.w, d.width + 20);
  d.fill('labels', plainBox(left, rect.y, right - left, rect.h, 3), 'text.primary', 0.06);
}

/** Hairlines in the ruler at the hovered bar's start and end. */
export function drawHairlines(d: Drawing, height: number): void {
  const rect = hoveredRect(d);
  if (rect === undefined) return;
  for (const x of [rect.x, rect.x + rect.w]) {
    if (x >= 0 && x <= d.width) d.rect('top', Math.round(x), 0, 1, height, 'text.secondary');
  }
}

const hoveredRect = (d: Drawing): BarRect | undefined =>
  d.input.hovered === undefined ? undefined : rectOf(d, d.input.hovered);

/** Where the length of the measured stretch stands in the ruler. */
export function measuredPill(
  d: Drawing,
): { readonly x: number; readonly w: number; readonly text: string } | undefined {
  const { measured } = d.input;
  if (measured === undefined) return undefined;
  const text = formatMillis(measured.until - measured.from);
  const w = d.measure(text, 'pill') + 14;
  const middle = (Math.max(d.x(measured.from), 0) + Math.min(d.x(measured.until), d.width)) / 2;
  return { x: Math.min(Math.max(middle - w / 2, 2), d.width - w - 2), w, text };
}

/** The measured stretch: its length in the ruler, its edges through all rows. */
export function drawMeasured(d: Drawing, rulerHeight: number, bottom: number): void {
  const pill = measuredPill(d);
  const { measured } = d.input;
  if (measured === undefined || pill === undefined) return;
  const x0 = d.x(measured.from);
  const x1 = d.x(measured.until);
  d.rect('top', x0, rulerHeight, x1 - x0, bottom - rulerHeight, 'accent.text', 0.1);
  for (const x of [x0, x1]) d.line('top', [Math.round(x) + 0.5, 2, Math.round(x) + 0.5, bottom], 'accent.text', 1);
  d.fill('top', plainBox(pill.x, (rulerHeight - 16) / 2, pill.w, 16, 8), 'accent.solid');
  d.text('top', pill.text, pill.x + pill.w / 2, rulerHeight / 2, 'pill', 'text.onSolid', 1, 'center');
}
