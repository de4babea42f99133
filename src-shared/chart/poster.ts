import type { SessionState } from '../session/state.ts';
import { timeAxis } from '../timeline/axis.ts';
import { buildTimeline } from '../timeline/model.ts';
import type { TimelineModel } from '../timeline/tracks.ts';
import { formatCount, formatMillis } from '../timeline/words.ts';
import { type Op, plainBox } from './display-list.ts';
import { type FontName, fitText, type Measure } from './fonts.ts';
import { AT_REST } from './lanes-only.ts';
import { fixedHeightOf, layout } from './layout.ts';
import { GUTTER, metricsOf } from './metrics.ts';
import { type Row, type RowLayout, rowsOf } from './rows.ts';
import { fitStretch, type Stretch } from './viewport.ts';

/** Strokes that are moved by `x`, `y` and cut to a rectangle of this size. */
export type PosterPart = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Strokes above this are cut off; for rows that pass below what does not scroll. */
  readonly clipTop: number;
  readonly ops: readonly Op[];
};

/** The chart as one picture that stands for itself: title, names of the rows, ruler, rows. In CSS px. */
export type Poster = { readonly width: number; readonly height: number; readonly parts: readonly PosterPart[] };

export type PosterOptions = {
  readonly width: number;
  /** Undefined: the whole session. */
  readonly stretch: Stretch | undefined;
  readonly measure: Measure;
};

const TITLE = 36;
const PADDING = 12;
/** A picture taller than this opens nowhere. */
const MOST_HEIGHT = 12_000;

export function poster(state: SessionState, { width, stretch, measure }: PosterOptions): Poster {
  const model = buildTimeline(state, { now: state.now, collapsedAgents: [] });
  const rows = rowsOf(model, metricsOf('normal'));
  const axis = timeAxis(model.folds);
  const chartWidth = width - GUTTER.normal;
  const until = Math.max(1, model.until);
  const fixedHeight = fixedHeightOf({ rows });
  const height = Math.min(MOST_HEIGHT, fixedHeight + rows.height + 8);
  const empty = { width: chartWidth, height, scale: 1, offset: 0, scrollY: 0 };
  const view = fitStretch(axis, empty, stretch ?? { from: 0, until }, stretch === undefined ? 24 : 0);
  const scene = layout({
    ...AT_REST,
    model,
    rows,
    view,
    axis,
    now: model.until,
    dpr: 2,
    measure,
  });
  const chart = { x: GUTTER.normal, y: TITLE, width: chartWidth, height, clipTop: 0 };
  const gutter = {
    x: 0,
    y: TITLE,
    width: GUTTER.normal,
    height,
    clipTop: 0,
    ops: gutterOps(rows, height, fixedHeight, measure),
  };
  return {
    width,
    height: TITLE + height,
    parts: [
      { x: 0, y: 0, width, height: TITLE, clipTop: 0, ops: titleOps(model, width, stretch, measure) },
      { ...chart, ops: scene.ground },
      { ...chart, clipTop: scene.fixedHeight, ops: scene.rows },
      { ...chart, ops: scene.fixed },
      { ...chart, ops: scene.overlay },
      gutter,
    ],
  };
}

const text = (
  words: string,
  x: number,
  y: number,
  font: FontName,
  ink: 'text.primary' | 'text.secondary' | 'text.muted',
  align: 'left' | 'right' = 'left',
): Op => ({ op: 'text', text: words, x, y, font, ink, align, alpha: 1 });

function titleOps(model: TimelineModel, width: number, stretch: Stretch | undefined, measure: Measure): readonly Op[] {
  const { state } = model;
  const facts = [
    new Date(state.startedAt).toISOString().slice(0, 16).replace('T', ' ').concat(' UTC'),
    `${formatCount(state.calls.length)} ${state.calls.length === 1 ? 'call' : 'calls'}`,
    model.clock === 'recorded' ? formatMillis(state.now) : 'no times',
    stretch === undefined ? '' : `${formatMillis(stretch.until - stretch.from)} of it shown`,
    hasInferred(state) ? 'hatched: inferred' : '',
  ].filter((fact) => fact !== '');
  const words = facts.join(' · ');
  const right = measure(words, 'bar');
  const title = fitText(state.title || 'Session', 'strong', width - right - 4 * PADDING, measure);
  return [
    { op: 'fill', box: plainBox(0, 0, width, TITLE), ink: 'surface.panel', alpha: 1 },
    { op: 'fill', box: plainBox(0, TITLE - 1, width, 1), ink: 'border.subtle', alpha: 1 },
    ...(title === undefined ? [] : [text(title, PADDING, TITLE / 2, 'strong', 'text.primary')]),
    text(words, width - PADDING, TITLE / 2, 'bar', 'text.secondary', 'right'),
  ];
}

const hasInferred = ({ calls }: SessionState): boolean =>
  calls.some((call) => call.phase !== 'queued' && call.run?.timing.certainty === 'inferred');

function gutterOps(rows: RowLayout, height: number, fixedHeight: number, measure: Measure): readonly Op[] {
  const { ruler, modelRow } = rows.metrics;
  const ops: Op[] = [
    { op: 'fill', box: plainBox(0, 0, GUTTER.normal, height), ink: 'surface.panel', alpha: 1 },
    text('Model', PADDING, ruler + modelRow / 2, 'bar', 'text.secondary'),
  ];
  for (const y of [ruler, fixedHeight, ...rows.dividers.map((divider) => fixedHeight + divider)]) {
    ops.push({ op: 'fill', box: plainBox(0, y - 0.5, GUTTER.normal, 1), ink: 'border.subtle', alpha: 1 });
  }
  for (const row of rows.rows) {
    const label = labelOf(row);
    if (label === undefined) continue;
    const x = PADDING + row.indent;
    const shown = fitText(label.words, label.font, GUTTER.normal - x - 6, measure);
    if (shown !== undefined) ops.push(text(shown, x, fixedHeight + row.y + row.height / 2, label.font, label.ink));
  }
  ops.push({ op: 'fill', box: plainBox(GUTTER.normal - 1, 0, 1, height), ink: 'border.subtle', alpha: 1 });
  return ops;
}

type Label = {
  readonly words: string;
  readonly font: FontName;
  readonly ink: 'text.primary' | 'text.secondary' | 'text.muted';
};

function labelOf({ kind, agent, index }: Row): Label | undefined {
  const plain = (words: string): Label => ({ words, font: 'bar', ink: 'text.secondary' });
  switch (kind) {
    case 'header':
    case 'single':
      return agent === undefined ? undefined : { words: agent.title, font: 'strong', ink: 'text.primary' };
    case 'group':
      return { words: 'sub-agents', font: 'strong', ink: 'text.primary' };
    case 'queue':
      return index === 0 ? { words: 'queue', font: 'queue', ink: 'text.muted' } : undefined;
    case 'depth':
      return { words: 'queue', font: 'queue', ink: 'text.muted' };
    case 'agent-model':
      return plain('model');
    case 'lane':
      return plain(`lane ${index + 1}`);
    case 'permission':
      return plain('Permission');
    case 'hooks':
      return plain('Hooks');
    case 'background':
      return index === 0 ? plain('Background') : undefined;
    case 'process':
      return index === 0 ? plain('Processes') : undefined;
    case 'strip':
    case 'more':
      return undefined;
  }
}
