import { describe, expect, test } from 'vitest';
import { pathColumns } from '../../critical-path/columns.ts';
import { sessionPaths } from '../../critical-path/session-path.ts';
import { busySession } from '../../replay/samples.ts';
import { foldSession, type SessionState } from '../../session/state.ts';
import { timeAxis } from '../../timeline/axis.ts';
import { buildTimeline } from '../../timeline/model.ts';
import { SessionScript } from '../../timeline/session-script.ts';
import type { Op } from '../display-list.ts';
import { measureWith } from '../fonts.ts';
import { type LayoutInput, layout } from '../layout.ts';
import { metricsOf } from '../metrics.ts';
import { findRow, rowsOf } from '../rows.ts';

type View = Partial<LayoutInput['view']> & { readonly collapsed?: readonly string[]; readonly focused?: boolean };

function inputOf(state: SessionState, view: View = {}): LayoutInput {
  const { collapsed = [], focused = false, ...rest } = view;
  const model = buildTimeline(state, { now: state.now, collapsedAgents: collapsed as never });
  return {
    model,
    rows: rowsOf(model, metricsOf('normal')),
    view: { width: 1000, height: 600, scale: 1, offset: 0, scrollY: 0, ...rest },
    axis: timeAxis([]),
    now: state.now,
    showNow: false,
    dpr: 1,
    measure: measureWith(() => 6),
    selected: undefined,
    hovered: undefined,
    hasFocus: false,
    focused: focused ? model.cascades[0] : undefined,
    measured: undefined,
    clock: 'from-start',
    path: pathColumns(sessionPaths(state)),
  };
}

type Line = Extract<Op, { op: 'line' }>;
const INK = 'text.primary';
const linesIn = (ops: readonly Op[]): Line[] =>
  ops.filter((op): op is Line => op.op === 'line' && op.ink === INK && op.width === 2);
const pathIn = (state: SessionState, view?: View): Line[] => linesIn(layout(inputOf(state, view)).rows);

/** A request, a call in each of two lanes, a third that waited for both, and a request that has their results. */
const waited = () =>
  new SessionScript()
    .turn('t', 0, 900)
    .request('r1', 0, [100], 130, { message: 'm1' })
    .call({ id: 'a', tool: 'Read', message: 'm1', queued: 100, start: 100, lane: 0, end: 300 })
    .call({ id: 'b', tool: 'Grep', message: 'm1', queued: 100, start: 100, lane: 1, end: 500 })
    .call({
      id: 'c',
      tool: 'Edit',
      message: 'm1',
      queued: 120,
      waits: [{ why: 'lock', by: ['a', 'b'], at: 120 }],
      start: 500,
      lane: 0,
      end: 700,
    })
    .request('r2', 700, [800], 900, { message: 'm2' });

const MODEL = 24 + 20;
/** The lower edge of a bar in a lane of the main agent. */
function laneEdge(state: SessionState, lane: number): number {
  const { rows } = inputOf(state);
  const row = findRow(rows, 'lane', 'main' as never, lane);
  if (row === undefined) throw new Error(`no lane ${lane}`);
  return Math.round(rows.metrics.ruler + rows.metrics.modelRow + row.y + (row.height + rows.metrics.bar) / 2);
}

describe('the line of the critical path', () => {
  test('steps along the lower edges of what decided', () => {
    const state = waited().state();
    const [lane1, lane2] = [laneEdge(state, 0), laneEdge(state, 1)];
    const [line, ...more] = pathIn(state);
    expect(more).toEqual([]);
    expect(line?.points).toEqual([
      ...[0, MODEL, 100, MODEL],
      ...[100, lane2, 500, lane2],
      ...[500, lane1, 700, lane1],
      ...[700, MODEL, 900, MODEL],
    ]);
  });

  test('lies over the bars and under the labels', () => {
    const { rows } = layout(inputOf(waited().state()));
    const at = (isIt: (op: Op) => boolean) => rows.findIndex(isIt);
    const line = at((op) => op.op === 'line' && op.ink === INK);
    const lastBar = rows.findLastIndex((op) => op.op === 'fill' && op.ink === 'work.fill');
    expect(lastBar).toBeGreaterThan(-1);
    expect(line).toBeGreaterThan(lastBar);
    expect(at((op) => op.op === 'text' && op.text.startsWith('Read'))).toBeGreaterThan(line);
  });

  test('is drawn again in the model row, which does not scroll, with the ways down to the rows', () => {
    const { fixed, fixedHeight } = layout(inputOf(waited().state()));
    expect(linesIn(fixed).map((line) => line.points)).toEqual([
      [0, MODEL, 100, MODEL, 100, fixedHeight],
      [700, fixedHeight, 700, MODEL, 900, MODEL],
    ]);
  });

  test('is not there unless it is asked for', () => {
    const { path: _, ...input } = inputOf(waited().state());
    const { rows, fixed } = layout(input);
    expect([...linesIn(rows), ...linesIn(fixed)]).toEqual([]);
  });

  test('begins anew in each turn', () => {
    const state = new SessionScript()
      .turn('t1', 0, 100)
      .request('r1', 0, [50], 100, { turn: 't1' })
      .turn('t2', 300, 400)
      .request('r2', 300, [350], 400, { turn: 't2' })
      .state();
    expect(pathIn(state).map((line) => line.points)).toEqual([
      [0, MODEL, 100, MODEL],
      [300, MODEL, 400, MODEL],
    ]);
  });

  test('stays in its row while the program itself is at work', () => {
    const state = new SessionScript().turn('t', 0, 400).request('r1', 100, [150], 300).state();
    expect(pathIn(state).map((line) => line.points)).toEqual([[0, MODEL, 400, MODEL]]);
  });

  test('goes through the one row of a collapsed agent', () => {
    const script = new SessionScript()
      .turn('t', 0, 900)
      .request('r1', 0, [100], 110, { message: 'm1' })
      .call({ id: 'agent', tool: 'Agent', message: 'm1', queued: 100, start: 100, lane: 0, end: 900 })
      .agent('sub', 'Explore', 100, { until: 900, parent: 'agent' })
      .turn('t2', 100, 900, 'sub')
      .request('r2', 100, [300], 300, { turn: 't2', message: 'm2', agent: 'sub' })
      .call({ id: 'x', tool: 'Read', agent: 'sub', message: 'm2', queued: 300, start: 300, lane: 0, end: 900 });
    const open = pathIn(script.state())[0]?.points ?? [];
    const folded = pathIn(script.state(), { collapsed: ['sub'] })[0]?.points ?? [];
    // Model row and lane of the agent, then one row for both.
    expect(new Set(open.filter((_, at) => at % 2 === 1)).size).toBe(3);
    expect(new Set(folded.filter((_, at) => at % 2 === 1)).size).toBe(2);
  });

  test('is dimmed while one cascade is looked at', () => {
    const script = waited().call({
      id: 'v',
      tool: 'Bash',
      message: 'm1',
      queued: 120,
      start: 500,
      lane: 2,
      end: 600,
      outcome: 'cancelled',
      cancelled: { at: 590, reason: 'sibling_error', culprit: 'c' },
    });
    script.at(590, { type: 'cascade-triggered', culprit: 'c' as never, policy: 'bash', victims: ['v' as never] });
    expect(pathIn(script.state(), { focused: true }).map(({ alpha }) => alpha)).toEqual([0.28]);
  });

  test('costs what is in view: of 6,000 calls no more steps than there is room for, and it never goes back', () => {
    const state = foldSession(busySession(60_000, 4));
    const whole = 1000 / state.now;
    for (const scale of [whole, whole * 30, 1]) {
      const lines = pathIn(state, { scale, offset: (state.now * scale) / 2 });
      const points = lines.flatMap((line) => line.points);
      expect(points.length).toBeGreaterThan(0);
      expect(points.length).toBeLessThan(4 * 300);
      const xs = points.filter((_, at) => at % 2 === 0);
      expect(xs.every((x, at) => at === 0 || x >= (xs[at - 1] as number))).toBe(true);
    }
  });
});
