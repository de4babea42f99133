import { describe, expect, test } from 'vitest';
import type { Op } from '../../src-shared/chart/display-list.ts';
import { timeAxis } from '../../src-shared/timeline/axis.ts';
import { buildTimeline } from '../../src-shared/timeline/model.ts';
import { sessionTime } from '../../src-shared/units.ts';
import {
  layoutMinimap,
  layoutMiniPlayhead,
  MINI_INSET,
  miniScale,
  miniTime,
  miniWindow,
  miniX,
  stretchAround,
} from './minimap.ts';
import { bigSession } from './samples/big.ts';
import { roundingSession } from './samples/rounding.ts';

const axis = timeAxis([{ from: 10_000, until: 90_000 }]);
const mini = miniScale(axis, 408, 110_000, false);

describe('its scale', () => {
  test('the whole session lies between the insets, folds take no room', () => {
    expect(miniX(mini, 0)).toBe(MINI_INSET);
    expect(miniX(mini, 110_000)).toBe(408 - MINI_INSET);
    expect(miniX(mini, 50_000)).toBe(miniX(mini, 10_000));
    expect(miniTime(mini, miniX(mini, 100_000))).toBeCloseTo(100_000);
  });

  test('a live session keeps room at the right', () =>
    expect(miniX(miniScale(axis, 408, 110_000, true), 110_000)).toBeLessThan(400));

  test('the window is never too small to be taken, and never outside', () => {
    const tiny = miniWindow(mini, { from: 109_990, until: 110_000 });
    expect(tiny.w).toBe(10);
    expect(tiny.x + tiny.w).toBeLessThanOrEqual(408);
    expect(miniWindow(mini, { from: -5000, until: 200_000 })).toEqual({ x: MINI_INSET, w: 408 - MINI_INSET });
  });

  test('a jump keeps the length of what is shown', () => {
    const { from, until } = stretchAround(mini, 200, { from: 0, until: 3000 });
    expect(miniX(mini, until) - miniX(mini, from)).toBeCloseTo(miniX(mini, 3000) - miniX(mini, 0));
  });
});

describe('the playhead', () => {
  test('stands where its time is, and nowhere where nothing is scrubbed', () => {
    expect(layoutMiniPlayhead(mini, 32, undefined)).toEqual([]);
    const [line] = layoutMiniPlayhead(mini, 32, 100_000);
    const [x, top, , bottom] = line?.op === 'line' ? line.points : [];
    expect(Math.abs((x ?? 0) - miniX(mini, 100_000))).toBeLessThan(1);
    expect([top, bottom]).toEqual([0, 32]);
  });
});

type Blocks = Extract<Op, { op: 'blocks' }>;

describe('its lines', () => {
  test('parts of bars keep their hue, errors come last in their row', () => {
    const model = buildTimeline(roundingSession().state(), { now: sessionTime(29_800), collapsedAgents: [] });
    const inks = layoutMinimap(model, miniScale(timeAxis([]), 800, 29_800, true), 32, 29_800).map(
      (op) => (op as Blocks).ink,
    );
    for (const ink of [
      'model.edge',
      'wait.lock.edge',
      'work.edge',
      'wait.hook.edge',
      'wait.human.edge',
      'outcome.error.edge',
    ] as const)
      expect(inks).toContain(ink);
    const firstLane = inks.slice(2, inks.indexOf('outcome.error.edge') + 1);
    expect(firstLane.at(-1)).toBe('outcome.error.edge');
  });

  test('twenty thousand calls are at most one block per lane and px, inside its height', () => {
    const state = bigSession(20_000);
    const model = buildTimeline(state, { now: state.now, collapsedAgents: [] });
    const rects = layoutMinimap(model, miniScale(timeAxis(model.folds), 600, state.now, false), 32, state.now).flatMap(
      (op) => (op as Blocks).rects,
    );
    expect(rects.length / 4).toBeLessThan(12 * 600);
    for (let i = 0; i < rects.length; i += 4) expect(rects[i + 1]! + rects[i + 3]!).toBeLessThanOrEqual(32);
  });
});
