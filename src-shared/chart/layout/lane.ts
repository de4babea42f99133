import { positionOf, timeAt } from '../../timeline/axis.ts';
import type { BarColumns } from '../../timeline/bars.ts';
import { KIND } from '../../timeline/parts.ts';
import { type AgentTrack, callAt } from '../../timeline/tracks.ts';
import { DETAIL, GAP } from '../metrics.ts';
import { hasFrames, type Row } from '../rows.ts';
import { drawBar } from './bar.ts';
import { ofAlpha, RowBlocks } from './blocks.ts';
import type { Drawing } from './drawing.ts';
import { inkOfKind } from './looks.ts';

/** How the bars of a row are drawn, one by one or several as one. */
export type RowPainter = {
  /** A bar of at least 5 px. `next`: x of the next bar, or Infinity. */
  readonly single: (index: number, x0: number, x1: number, next: number) => void;
  /** A bar of less. */
  readonly tiny: (index: number, x0: number, x1: number) => void;
  /** Bars `from` … `until - 1`, which all begin within one cell of 1.5 px at `x`. `share`: of the cell's time they fill. */
  readonly merged: (from: number, until: number, x: number, w: number, share: number) => void;
};

/**
 * Goes over the visible bars of a row. Bars that begin within the same 1.5 px become one block; the cells are fixed
 * in the session, not on the screen, so that panning does not make them flicker.
 */
export function eachBar(d: Drawing, columns: BarColumns, painter: RowPainter): void {
  const { axis, view } = d.input;
  const last = columns.firstStartingAt(d.until);
  let i = columns.firstEndingAfter(d.from);
  while (i < last) {
    const start = columns.starts[i] as number;
    const cell = Math.floor(positionOf(axis, view.scale, start) / DETAIL.pitch);
    const boundary = timeAt(axis, view.scale, (cell + 1) * DETAIL.pitch);
    let j = i + 1;
    if (j < last && (columns.starts[j] as number) < boundary) j = columns.firstStartingAt(boundary, j);
    const x1OfLast = d.x(columns.ends[j - 1] as number);
    const x0OfLast = d.x(columns.starts[j - 1] as number);
    // Only the last bar of a cell can reach out of it; the others become one block before it.
    const lastAlone = j - i === 1 || x1OfLast - x0OfLast >= DETAIL.pitch * 2;
    const merged = lastAlone ? j - 1 : j;
    if (merged > i) {
      const length = boundary - timeAt(axis, view.scale, cell * DETAIL.pitch);
      const share = Math.min(1, columns.busy(i, merged) / length);
      painter.merged(i, merged, cell * DETAIL.pitch - view.offset, DETAIL.pitch, share);
    }
    if (lastAlone) {
      const w = x1OfLast - x0OfLast;
      if (w < DETAIL.edge) painter.tiny(j - 1, x0OfLast, x1OfLast);
      else
        painter.single(
          j - 1,
          x0OfLast,
          x1OfLast,
          j < columns.length ? d.x(columns.starts[j] as number) : Number.POSITIVE_INFINITY,
        );
    }
    i = j;
  }
}

/** Width of a bar under 5 px: always enough to be seen. */
export const tinyWidth = (w: number): number => Math.max(2.5, Math.min(4, w));

/** Draws the bars of a lane, or of the one row of a collapsed agent. */
export function drawLane(d: Drawing, row: Row, agent: AgentTrack, columns: BarColumns, barHeight: number): void {
  const { model, view } = d.input;
  const y = Math.round(d.y(row) + (row.height - barHeight) / 2 - 0.25);
  const h = barHeight;
  const blocks = new RowBlocks();
  const right = d.input.showNow ? d.x(d.input.now) : view.width;
  eachBar(d, columns, {
    single: (i, x0, x1, next) => {
      const item = columns.items[i] as number;
      const isSmall = x1 - x0 < DETAIL.argument;
      const frame = isSmall ? frameLimit(d, row, agent, columns.starts[i] as number) : Number.POSITIVE_INFINITY;
      // A bar that still runs ends at the edge: what is right of it has not happened yet.
      const isOpen = columns.ends[i] === Number.POSITIVE_INFINITY;
      const edge = Math.min(view.width, isOpen || x1 < right - 1 ? right : view.width);
      const limit = Math.min(next - GAP.label, frame - GAP.label, edge - GAP.label);
      drawBar(
        d,
        { row, item, kind: columns.kinds[i] as number, call: callAt(model, item), x0, x1, y, h, limit },
        blocks,
      );
      d.ringFound(item, x0, x1, y, h);
    },
    tiny: (i, x0, x1) => {
      const alpha = d.alphaOf(columns.items[i] as number);
      ofAlpha(blocks.edges, alpha).add(inkOfKind(columns.kinds[i] as number), x0, y, tinyWidth(x1 - x0), h);
      d.markFound(columns, i, i + 1, x0, y, tinyWidth(x1 - x0));
    },
    merged: (from, until, x, w, share) => {
      const worst = columns.worstKind(from, until);
      const least = worst === KIND.ok ? 1 : 2;
      const height = Math.max(least, Math.round(h * share));
      const width = worst >= KIND.human ? Math.max(2, w) : w;
      ofAlpha(blocks.edges, d.alphaOfSeveral(columns, from, until)).add(
        inkOfKind(worst),
        x,
        y + h - height,
        width,
        height,
      );
      d.markFound(columns, from, until, x, y, width);
    },
  });
  blocks.draw(d);
}

/** x of the next frame edge in a lane after `t`: the right edge of the frame that holds `t`, or the next one's left. */
function frameLimit(d: Drawing, row: Row, agent: AgentTrack, t: number): number {
  const { frames } = agent;
  if (row.kind !== 'lane' || !hasFrames(agent)) return Number.POSITIVE_INFINITY;
  const after = frames.firstStartingAt(t + 0.001);
  const covers = (i: number): boolean => {
    const span = d.input.model.frameOf(frames.items[i] as number);
    return span.firstLane <= row.index && row.index <= span.lastLane && (span.count > 1 || frames.kinds[i] === 1);
  };
  const own = after - 1;
  if (own >= 0 && covers(own) && (frames.ends[own] as number) >= t && frames.ends[own] !== Number.POSITIVE_INFINITY) {
    return d.x(frames.ends[own] as number) + GAP.frame;
  }
  for (let i = after; i < Math.min(after + 4, frames.length); i++) {
    if (covers(i)) return d.x(frames.starts[i] as number) - GAP.frame;
  }
  return Number.POSITIVE_INFINITY;
}
