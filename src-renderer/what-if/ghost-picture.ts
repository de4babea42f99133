import type { Op } from '../../src-shared/chart/display-list.ts';
import type { Measure } from '../../src-shared/chart/fonts.ts';
import type { LayoutInput } from '../../src-shared/chart/layout/drawing.ts';
import { layoutSample } from '../../src-shared/chart/layout.ts';
import { metricsOf } from '../../src-shared/chart/metrics.ts';
import { type RowLayout, rowAt, rowsOf } from '../../src-shared/chart/rows.ts';
import { timeOf, xOf } from '../../src-shared/chart/viewport.ts';
import type { CallId } from '../../src-shared/ids.ts';
import { buildTimeline } from '../../src-shared/timeline/model.ts';
import { callAt, type TimelineModel } from '../../src-shared/timeline/tracks.ts';
import type { Ghost } from '../../src-shared/what-if/ghost.ts';
import type { ChartLook } from '../timeline/actions.ts';

const METRICS = metricsOf('normal');
const NO_QUEUES: ReadonlySet<never> = new Set();

/** The lanes of a turn under other rules, made ready to be drawn in any view. */
export type GhostModel = { readonly ghost: Ghost; readonly model: TimelineModel; readonly rows: RowLayout };

export function ghostModel(ghost: Ghost): GhostModel {
  const model = buildTimeline(ghost.state, { now: ghost.state.now, collapsedAgents: [] });
  const rows = rowsOf(model, METRICS, { foldedQueues: NO_QUEUES, bare: true });
  return { ghost, model, rows };
}

/** The strip above the lanes, where frames would have their names: here it says where the schedules part. */
export const STRIP_HEIGHT = METRICS.strip;

/** Height of the picture in px: strip, lanes, and a little air. */
export const pictureHeight = ({ rows }: GhostModel): number => Math.max(rows.height, METRICS.strip + METRICS.lane) + 2;

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
  const height = pictureHeight(made);
  const input: LayoutInput = {
    model,
    rows,
    view: { ...look.view, height, scrollY: 0 },
    axis: look.axis,
    now: ghost.state.now,
    showNow: false,
    dpr,
    measure,
    selected,
    hovered: undefined,
    hasFocus: false,
    focused: undefined,
    measured: undefined,
    faint: ghost.unchanged,
    clock: 'from-start',
  };
  return [...stripes(made, look), ...layoutSample(input), ...parting(made, look)];
}

function stripes({ rows }: GhostModel, { view }: ChartLook): readonly Op[] {
  return rows.rows.flatMap((row): Op[] => {
    if (row.kind !== 'lane' || row.index % 2 !== 0) return [];
    const box = { x: 0, y: row.y, w: view.width, h: row.height, rl: 0, rr: 0, end: 'plain' as const };
    return [{ op: 'fill', box, ink: 'lane.stripe', alpha: 1 }];
  });
}

/** The dotted line through all lanes where the schedules part. */
function parting(made: GhostModel, { view, axis }: ChartLook): readonly Op[] {
  const { differsAt } = made.ghost;
  if (differsAt === undefined) return [];
  const x = Math.round(xOf(axis, view, differsAt)) + 0.5;
  if (x < 0 || x > view.width) return [];
  const points = [x, STRIP_HEIGHT - 3, x, pictureHeight(made)];
  return [{ op: 'line', points, radius: 0, ink: 'text.secondary', width: 1, dash: [1.5, 3], alpha: 1 }];
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
