import type { Op } from '../../src-shared/chart/display-list.ts';
import type { Measure } from '../../src-shared/chart/fonts.ts';
import { Drawing, type LayoutInput } from '../../src-shared/chart/layout/drawing.ts';
import { drawSelection } from '../../src-shared/chart/layout/overlay.ts';
import { layoutSample } from '../../src-shared/chart/layout.ts';
import { metricsOf } from '../../src-shared/chart/metrics.ts';
import { rowsOf } from '../../src-shared/chart/rows.ts';
import type { SideFacts } from '../../src-shared/compare/compare.ts';
import type { SessionState } from '../../src-shared/session/state.ts';
import { STRAIGHT } from '../../src-shared/timeline/axis.ts';
import { buildTimeline } from '../../src-shared/timeline/model.ts';

const METRICS = metricsOf('normal');
/** Free on both sides of the longer run, in px. */
const MARGIN = 12;

export type LaneInput = {
  readonly facts: SideFacts;
  /** The longer of both wall times: one scale for both pictures. */
  readonly longestMs: number;
  /** When they part, in ms from this side's start. */
  readonly partsAt: number | undefined;
  readonly width: number;
  readonly dpr: number;
  readonly measure: Measure;
  /** Index of the call of the chosen difference. */
  readonly selected: number | undefined;
};

export type LaneModel = ReturnType<typeof laneModel>;

/** The lanes of one side, made ready to be drawn at any width. */
export function laneModel(state: SessionState) {
  const model = buildTimeline(state, { now: state.now, collapsedAgents: [] });
  return { model, rows: rowsOf(model, METRICS, { foldedQueues: new Set<never>(), bare: true }) };
}

export const laneHeight = ({ rows }: LaneModel): number => Math.max(rows.height, METRICS.strip + METRICS.lane) + 2;

/** All strokes of one side. Its start stands at the left edge, as that of the other does. */
export function layoutLanes(made: LaneModel, input: LaneInput): readonly Op[] {
  const { facts, longestMs, partsAt, width, dpr, measure, selected } = input;
  const height = laneHeight(made);
  const scale = Math.max(1, width - 2 * MARGIN) / Math.max(1, longestMs);
  const drawn: LayoutInput = {
    model: made.model,
    rows: made.rows,
    view: { width, height, scale, offset: facts.from * scale - MARGIN, scrollY: 0 },
    axis: STRAIGHT,
    now: made.model.state.now,
    showNow: false,
    dpr,
    measure,
    selected,
    hovered: undefined,
    hasFocus: false,
    focused: undefined,
    measured: undefined,
    clock: 'from-start',
  };
  const ring = new Drawing(drawn, 0);
  drawSelection(ring);
  const stripes = made.rows.rows.flatMap((row): Op[] => {
    if (row.kind !== 'lane' || row.index % 2 !== 0) return [];
    const box = { x: 0, y: row.y, w: width, h: row.height, rl: 0, rr: 0, end: 'plain' as const };
    return [{ op: 'fill', box, ink: 'lane.stripe', alpha: 1 }];
  });
  return [...stripes, ...layoutSample(drawn), ...ring.sheet.ops(), ...parting(partsAt, scale, height)];
}

/** The dotted line through all lanes where the runs part. */
function parting(partsAt: number | undefined, scale: number, height: number): readonly Op[] {
  if (partsAt === undefined) return [];
  const x = Math.round(MARGIN + partsAt * scale) + 0.5;
  return [
    { op: 'line', points: [x, 0, x, height], radius: 0, ink: 'text.secondary', width: 1, dash: [1.5, 3], alpha: 1 },
  ];
}
