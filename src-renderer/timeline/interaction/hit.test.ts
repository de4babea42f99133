import { describe, expect, test } from 'vitest';
import { measureWith } from '../../../src-shared/chart/fonts.ts';
import { fixedHeightOf, type LayoutInput, layout } from '../../../src-shared/chart/layout.ts';
import { metricsOf } from '../../../src-shared/chart/metrics.ts';
import { findRow, rowsOf } from '../../../src-shared/chart/rows.ts';
import { timeAxis } from '../../../src-shared/timeline/axis.ts';
import { buildTimeline } from '../../../src-shared/timeline/model.ts';
import { SessionScript } from '../../../src-shared/timeline/session-script.ts';
import { sessionTime } from '../../../src-shared/units.ts';
import { cascadesSession, idleSession } from '../samples/oddities.ts';
import { hitAt } from './hit.ts';
import { neighbour } from './navigate.ts';

function inputOf(script: SessionScript, scale = 1): LayoutInput {
  const state = script.state();
  const model = buildTimeline(state, { now: sessionTime(0), collapsedAgents: [] });
  return {
    model,
    rows: rowsOf(model, metricsOf('normal')),
    view: { width: 1000, height: 600, scale, offset: 0, scrollY: 0 },
    axis: timeAxis(model.folds),
    now: state.now,
    showNow: false,
    dpr: 1,
    measure: measureWith(() => 6),
    selected: undefined,
    hovered: undefined,
    hasFocus: false,
    focused: undefined,
    measured: undefined,
    clock: 'from-start',
  };
}

/** Two lanes; in the second, two bars of 2 px, 8 px apart; one wait. */
const script = (): SessionScript =>
  new SessionScript()
    .request('r', 10, [20], 90)
    .call({ id: 'a', tool: 'Bash', queued: 100, start: 100, lane: 0, end: 300 })
    .call({ id: 'b', tool: 'Read', queued: 100, start: 100, lane: 1, end: 102 })
    .call({ id: 'c', tool: 'Read', queued: 110, start: 110, lane: 1, end: 112 })
    .call({ id: 'd', tool: 'Edit', queued: 120, waits: [{ why: 'lock', at: 120 }], start: 300, lane: 0, end: 400 })
    .hook('h', 'd', 'guard.sh', 310, 350);

const laneY = (input: LayoutInput, lane: number): number =>
  fixedHeightOf(input) + (findRow(input.rows, 'lane', 'main' as never, lane)?.y ?? 0) + 12;
const at = (input: LayoutInput, x: number, y: number) => hitAt(input, layout(input), x, y);

describe('what lies under the pointer', () => {
  const input = inputOf(script());

  test('a bar over the whole height of its row', () => {
    expect(at(input, 200, laneY(input, 0))).toEqual({ kind: 'call', item: 0 });
    expect(at(input, 200, laneY(input, 0) + 11)).toEqual({ kind: 'call', item: 0 });
    expect(at(input, 60, laneY(input, 0))).toBeUndefined();
  });

  test('a bar of 2 px can be hit over 8, and of two the nearer one', () => {
    expect(at(input, 104, laneY(input, 1))).toEqual({ kind: 'call', item: 1 });
    expect(at(input, 107, laneY(input, 1))).toEqual({ kind: 'call', item: 2 });
    expect(at(input, 120, laneY(input, 1))).toBeUndefined();
  });

  test('a wait in the queue is the call that waits', () => {
    const queue = findRow(input.rows, 'queue', 'main' as never, 0);
    expect(at(input, 200, fixedHeightOf(input) + (queue?.y ?? 0) + 7)).toEqual({ kind: 'call', item: 3 });
  });

  test('requests, hooks, pills and folds', () => {
    expect(at(input, 50, 36)).toEqual({ kind: 'request', index: 0 });
    const hooks = input.rows.rows.find((row) => row.kind === 'hooks');
    expect(at(input, 330, fixedHeightOf(input) + (hooks?.y ?? 0) + 10)).toEqual({ kind: 'hook', index: 0 });
    const cascades = inputOf(cascadesSession(), 0.2);
    const [pill] = layout(cascades).pills;
    expect(at(cascades, (pill?.x ?? 0) + 5, (pill?.y ?? 0) + 5)).toEqual({ kind: 'pill', culprit: pill?.culprit });
    const idle = inputOf(idleSession(), 0.05);
    const [fold] = layout(idle).folds;
    expect(at(idle, (fold?.x ?? 0) + 5, 300)).toEqual({ kind: 'fold', index: 0 });
  });
});

describe('going from call to call', () => {
  const { model, rows } = inputOf(script());
  const go = (from: number | undefined, to: 'before' | 'after' | 'above' | 'below'): number | undefined =>
    neighbour(model, rows, from, to, 250);

  test('left and right stay in the lane, and stop at its ends', () => {
    expect([go(0, 'after'), go(3, 'before'), go(3, 'after'), go(0, 'before')]).toEqual([3, 0, 3, 0]);
  });

  test('up and down go to the nearest in time', () => {
    expect(go(0, 'below')).toBe(2);
    expect(go(1, 'above')).toBe(0);
    expect(go(1, 'below')).toBe(1);
  });

  test('without a selection it begins near the middle of the view', () => expect(go(undefined, 'after')).toBe(0));
});
