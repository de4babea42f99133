import { expect, test } from 'vitest';
import { ROUNDING_NOW, roundingSession } from '../../src-renderer/timeline/samples/rounding.ts';
import { ReplayFold } from '../replay/replay-fold.ts';
import { timeAxis } from '../timeline/axis.ts';
import { buildTimeline } from '../timeline/model.ts';
import { sessionTime } from '../units.ts';
import type { Op } from './display-list.ts';
import { measureWith } from './fonts.ts';
import { type LayoutInput, layout } from './layout.ts';
import { metricsOf, NOW_CLEARANCE } from './metrics.ts';
import { rowsOf } from './rows.ts';
import { rowsAt } from './rows-at.ts';

/** Every character is 6 px wide: numbers a reader can check. */
const measure = measureWith(() => 6);
const METRICS = metricsOf('normal');
const SCALE = 0.03;

const whole = roundingSession().state();
const wholeModel = buildTimeline(whole, { now: sessionTime(ROUNDING_NOW), collapsedAgents: [] });
const wholeInput: LayoutInput = {
  model: wholeModel,
  rows: rowsOf(wholeModel, METRICS),
  view: { width: 1_000, height: 600, scale: SCALE, offset: 0, scrollY: 0 },
  axis: timeAxis([]),
  now: ROUNDING_NOW,
  showNow: true,
  dpr: 1,
  measure,
  selected: undefined,
  hovered: undefined,
  hasFocus: false,
  focused: undefined,
  measured: undefined,
  clock: 'from-start',
};

type Text = Extract<Op, { op: 'text' }>;
const texts = (ops: readonly Op[]): readonly Text[] => ops.filter((op) => op.op === 'text');

test('the playhead has its time in the ruler, its line through all rows, and takes the place of now', () => {
  const { overlay } = layout({ ...wholeInput, playhead: 17_600 });
  expect(texts(overlay).map(({ text }) => text)).toContain('17.60 s');
  expect(texts(overlay).map(({ text }) => text)).not.toContain('now');
  const line = overlay.find((op) => op.op === 'line' && op.ink === 'focus.ring');
  expect(line).toMatchObject({ points: [528.5, expect.any(Number), 528.5, 600], width: 2 });
});

test('labels of the ruler keep their distance from the playhead, wherever it stands', () => {
  for (let playhead = 500; playhead < 32_000; playhead += 613) {
    const x = playhead * SCALE;
    const labels = texts(layout({ ...wholeInput, playhead }).fixed).filter(({ font }) => font === 'ruler');
    expect(labels.length).toBeGreaterThan(3);
    for (const label of labels) {
      const right = label.x + measure(label.text, 'ruler');
      expect(right <= x - NOW_CLEARANCE + 1 || label.x >= x + NOW_CLEARANCE - 1, `${label.text} at ${playhead}`).toBe(
        true,
      );
    }
  }
});

test('the pill of a cascade that is still to come stands right of the playhead, where it is seen', () => {
  const pillOf = (playhead: number | undefined) => layout({ ...wholeInput, playhead }).pills[0];
  const { x, w } = pillOf(undefined) ?? { x: 0, w: 0 };
  expect(w).toBeGreaterThan(0);
  // Within the left half of the pill: the trunk, in its middle, is still ahead.
  for (const share of [0.1, 0.25, 0.4]) {
    const playhead = (x + w * share) / SCALE;
    expect(pillOf(playhead)?.x, `at ${playhead}`).toBeGreaterThan(playhead * SCALE);
  }
});

test('outside of the view there is no playhead to see', () => {
  const { overlay } = layout({ ...wholeInput, view: { ...wholeInput.view, offset: 5_000 }, playhead: 17_600 });
  expect(texts(overlay).map(({ text }) => text)).not.toContain('17.60 s');
});

test('what was known at a moment lies in the rows of the whole session, and knows no outcome that came later', () => {
  const events = roundingSession().events();
  const fold = new ReplayFold(events);
  for (let position = 0; position <= events.length; position += 7) {
    const state = fold.stateAt(position);
    const model = buildTimeline(state, { now: state.now, collapsedAgents: [] });
    const rows = rowsAt(wholeInput.rows, model);
    expect(rows.rows.map(({ key, y, height }) => [key, y, height])).toEqual(
      wholeInput.rows.rows.map(({ key, y, height }) => [key, y, height]),
    );
    const scene = layout({ ...wholeInput, model, rows, now: state.now, showNow: false });
    const hasFailed = state.calls.some((call) => 'end' in call && call.end.outcome === 'error');
    const reds = scene.rows.filter(
      (op) => 'ink' in op && op.ink === 'outcome.error.edge' && (op.op !== 'blocks' || op.rects.length > 0),
    );
    expect(reds.length > 0, `at ${position}`).toBe(hasFailed);
  }
});
