import type { Op } from '../../src-shared/chart/display-list.ts';
import type { Measure } from '../../src-shared/chart/fonts.ts';
import {
  AT_REST,
  type LanesOnly,
  lanesHeight,
  lanesOnly,
  layoutLanesOnly,
  partingLine,
  STRIP_HEIGHT,
} from '../../src-shared/chart/lanes-only.ts';
import { rowAt } from '../../src-shared/chart/rows.ts';
import { timeOf, xOf } from '../../src-shared/chart/viewport.ts';
import type { CallId } from '../../src-shared/ids.ts';
import { callAt } from '../../src-shared/timeline/tracks.ts';
import type { Ghost } from '../../src-shared/what-if/ghost.ts';
import type { ChartLook } from '../timeline/actions.ts';

/** The lanes of a turn under other rules, made ready to be drawn in any view. */
export type GhostModel = LanesOnly & { readonly ghost: Ghost };

export const ghostModel = (ghost: Ghost): GhostModel => ({ ghost, ...lanesOnly(ghost.state) });

export type PictureInput = {
  readonly look: ChartLook;
  readonly dpr: number;
  readonly measure: Measure;
  /** Index of a call in the ghost's own state. */
  readonly selected: number | undefined;
};

/** All strokes of the picture. Times stand exactly below those of the chart. */
export function layoutGhost(made: GhostModel, { look, dpr, measure, selected }: PictureInput): readonly Op[] {
  const { ghost, model, rows } = made;
  const drawn = layoutLanesOnly({
    ...AT_REST,
    model,
    rows,
    view: { ...look.view, height: lanesHeight(made), scrollY: 0 },
    axis: look.axis,
    now: ghost.state.now,
    dpr,
    measure,
    selected,
    faint: ghost.unchanged,
  });
  return [...drawn, ...parting(made, look)];
}

/** The dotted line through all lanes where the schedules part. */
function parting(made: GhostModel, { view, axis }: ChartLook): readonly Op[] {
  const { differsAt } = made.ghost;
  if (differsAt === undefined) return [];
  const x = Math.round(xOf(axis, view, differsAt)) + 0.5;
  if (x < 0 || x > view.width) return [];
  return [partingLine(x, STRIP_HEIGHT - 3, lanesHeight(made))];
}

/** A short bar is hit this far beside it, in px. */
const REACH = 4;

/** The call under a point of the picture, the nearest one where bars are short. */
export function callUnder(made: GhostModel, { view, axis }: ChartLook, x: number, y: number): CallId | undefined {
  const row = rowAt(made.rows, y);
  const lane = row?.kind === 'lane' ? row.agent?.lanes[row.index] : undefined;
  if (lane === undefined) return undefined;
  const [from, until] = [timeOf(axis, view, x - REACH), timeOf(axis, view, x + REACH)];
  let nearest: { readonly item: number; readonly away: number } | undefined;
  for (let i = lane.firstEndingAfter(from); i < lane.length && (lane.starts[i] as number) <= until; i++) {
    const start = xOf(axis, view, lane.starts[i] as number);
    const end = xOf(axis, view, lane.ends[i] as number);
    const away = Math.max(0, start - x, x - end);
    if (nearest === undefined || away < nearest.away) nearest = { item: lane.items[i] as number, away };
  }
  return nearest === undefined ? undefined : callAt(made.model, nearest.item).callId;
}
