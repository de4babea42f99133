import { createStore, type StoreApi } from 'zustand/vanilla';
import { GUTTER, metricsOf } from '../../src-shared/chart/metrics.ts';
import type { RowLayout } from '../../src-shared/chart/rows.ts';
import type { AgentId } from '../../src-shared/ids.ts';
import type { Fold } from '../../src-shared/timeline/axis.ts';
import type { TimelineModel } from '../../src-shared/timeline/tracks.ts';
import type { Hit } from './interaction/hit.ts';

/** What React draws around the canvas. Changes far less often than the picture. */
export type ChartSnapshot = {
  readonly rows: RowLayout;
  readonly model: TimelineModel | undefined;
  /** Changes when the gutter has to be drawn again. */
  readonly signature: string;
  readonly gutter: number;
  readonly clock: 'from-start' | 'wall';
  readonly foldedQueues: ReadonlySet<AgentId>;
  readonly hover: { readonly hit: NonNullable<Hit>; readonly x: number; readonly y: number } | undefined;
  /** M was pressed: the next drag measures. */
  readonly isMeasuring: boolean;
  /** Several calls are drawn as one. */
  readonly isMerged: boolean;
  readonly isEmpty: boolean;
  /** Idle stretches long enough to fold, and whether they are. */
  readonly gaps: readonly Gap[];
};

export type Gap = { readonly fold: Fold; readonly isFolded: boolean };

export type ChartStore = StoreApi<ChartSnapshot>;

export const createChartStore = (): ChartStore =>
  createStore<ChartSnapshot>(() => ({
    rows: { rows: [], byKey: new Map(), height: 0, dividers: [], metrics: metricsOf('normal') },
    model: undefined,
    signature: '',
    gutter: GUTTER.normal,
    clock: 'from-start',
    foldedQueues: new Set(),
    hover: undefined,
    isMeasuring: false,
    isMerged: false,
    isEmpty: true,
    gaps: [],
  }));

/** How many lanes an agent has used, of how many it may. */
export const lanesUsed = (row: {
  readonly agent: { readonly lanes: readonly unknown[]; readonly cap: number } | undefined;
}): string =>
  row.agent === undefined || row.agent.lanes.length === 0 ? '' : `${row.agent.lanes.length} of ${row.agent.cap}`;

/** Everything the gutter shows, as one string to compare. */
export const rowsSignature = (model: TimelineModel, layout: RowLayout): string =>
  `${layout.rows
    .map(
      (row) =>
        `${row.key}@${row.y}${row.agent === undefined ? '' : `${row.agent.title}${row.agent.collapsed}`}${row.kind === 'strip' ? lanesUsed(row) : ''}`,
    )
    .join('|')}|${model.processes?.title ?? ''}|${model.state.calls.length === 0}|${model.clock}`;
