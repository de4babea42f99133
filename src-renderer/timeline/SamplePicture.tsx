import { useEffect, useRef, useState } from 'react';
import { AT_REST } from '../../src-shared/chart/lanes-only.ts';
import { layoutSample } from '../../src-shared/chart/layout.ts';
import { metricsOf } from '../../src-shared/chart/metrics.ts';
import { rowsOf } from '../../src-shared/chart/rows.ts';
import { timeAxis } from '../../src-shared/timeline/axis.ts';
import { buildTimeline } from '../../src-shared/timeline/model.ts';
import { sessionTime } from '../../src-shared/units.ts';
import { currentTheme } from '../theme/theme-switch.ts';
import { paintOps } from './paint.ts';
import { fitCanvas, pageMeasure, paintsFor } from './painter.ts';
import { LEGEND_SCALE, type LegendSample } from './samples/legend.ts';

const METRICS = metricsOf('normal');
const NO_QUEUES: ReadonlySet<never> = new Set();
/** Room around a single row, for chips and slanted ends. */
const MARGIN = 5;

export type SamplePictureProps = {
  readonly sample: LegendSample;
  readonly zoom?: number;
};

/** A small picture of bars, made by the chart's own layout and paint from a made-up session. The words stand beside it. */
export function SamplePicture({ sample, zoom = 1 }: SamplePictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const version = useRepaints();
  useEffect(() => {
    const ctx = canvas.current?.getContext('2d');
    if (canvas.current === null || ctx === null || ctx === undefined) return;
    void version;
    paintSample(canvas.current, ctx, sample, zoom);
  }, [sample, zoom, version]);
  return <canvas ref={canvas} />;
}

/** Counts changes of theme, fonts and pixel density. */
function useRepaints(): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const again = (): void => setCount((n) => n + 1);
    const themed = new MutationObserver(again);
    themed.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    document.fonts.addEventListener('loadingdone', again);
    window.addEventListener('resize', again);
    return () => {
      themed.disconnect();
      document.fonts.removeEventListener('loadingdone', again);
      window.removeEventListener('resize', again);
    };
  }, []);
  return count;
}

function paintSample(
  canvas: HTMLCanvasElement,
  ctx: CanvasRenderingContext2D,
  sample: LegendSample,
  zoom: number,
): void {
  const state = sample.script.state();
  const now = sessionTime(sample.now ?? state.now);
  const model = buildTimeline(state, { now, collapsedAgents: [] });
  // A single bar stands for itself: no frame of its attempt around it.
  const agents = model.agents.slice(0, 1).map((agent) => (sample.show === 'all' ? agent : { ...agent, attempts: [] }));
  const main = { ...model, agents };
  const rows = rowsOf(main, METRICS, { foldedQueues: NO_QUEUES, bare: true });
  const lane = rows.rows.find((row) => row.kind === sample.show);
  const scrollY = lane === undefined ? 0 : lane.y - MARGIN;
  const height = lane === undefined ? rows.height : lane.height + 2 * MARGIN;
  const dpr = window.devicePixelRatio;
  fitCanvas(canvas, ctx, sample.width * zoom, height * zoom, dpr);
  ctx.setTransform(dpr * zoom, 0, 0, dpr * zoom, 0, 0);
  ctx.clearRect(0, 0, sample.width, height);
  const ops = layoutSample({
    ...AT_REST,
    model: main,
    rows,
    view: { width: sample.width, height, scale: LEGEND_SCALE, offset: 0, scrollY },
    axis: timeAxis(model.folds.filter((fold) => fold.from > 0)),
    now,
    dpr: dpr * zoom,
    measure: pageMeasure(),
  });
  paintOps(ctx, ops, paintsFor(currentTheme(), dpr * zoom, ctx));
  ctx.globalAlpha = 1;
}
