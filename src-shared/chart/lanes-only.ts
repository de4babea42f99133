import type { SessionState } from '../session/state.ts';
import { buildTimeline } from '../timeline/model.ts';
import type { TimelineModel } from '../timeline/tracks.ts';
import type { Op } from './display-list.ts';
import { type LayoutInput, layoutSample } from './layout.ts';
import { metricsOf } from './metrics.ts';
import { type RowLayout, rowsOf } from './rows.ts';

/*
 * Small pictures that show nothing of a session but its lanes: a turn under other rules, the sides of a comparison.
 */

const METRICS = metricsOf('normal');
const NO_QUEUES: ReadonlySet<never> = new Set();

/** Nothing is chosen, pointed at or live: what a picture is drawn with in which nobody works. */
export const AT_REST = {
  showNow: false,
  selected: undefined,
  hovered: undefined,
  hasFocus: false,
  focused: undefined,
  measured: undefined,
  clock: 'from-start',
} as const satisfies Partial<LayoutInput>;

/** The lanes of a session, made ready to be drawn in any view. */
export type LanesOnly = { readonly model: TimelineModel; readonly rows: RowLayout };

export function lanesOnly(state: SessionState): LanesOnly {
  const model = buildTimeline(state, { now: state.now, collapsedAgents: [] });
  return { model, rows: rowsOf(model, METRICS, { foldedQueues: NO_QUEUES, bare: true }) };
}

/** The strip above the lanes, where frames would have their names. */
export const STRIP_HEIGHT = METRICS.strip;

/** Height of the picture in px: strip, lanes, and a little air. */
export const lanesHeight = ({ rows }: LanesOnly): number => Math.max(rows.height, METRICS.strip + METRICS.lane) + 2;

/** The strokes of the lanes, on their stripes. */
export const layoutLanesOnly = (input: LayoutInput): readonly Op[] => [
  ...input.rows.rows.flatMap((row): Op[] => {
    if (row.kind !== 'lane' || row.index % 2 !== 0) return [];
    const box = { x: 0, y: row.y, w: input.view.width, h: row.height, rl: 0, rr: 0, end: 'plain' as const };
    return [{ op: 'fill', box, ink: 'lane.stripe', alpha: 1 }];
  }),
  ...layoutSample(input),
];

/** The dotted line through all lanes where two schedules part. */
export const partingLine = (x: number, from: number, until: number): Op => ({
  op: 'line',
  points: [x, from, x, until],
  radius: 0,
  ink: 'text.secondary',
  width: 1,
  dash: [1.5, 3],
  alpha: 1,
});
