import { expect, test } from 'vitest';
import type { Op } from '../../src-shared/chart/display-list.ts';
import { lanesHeight } from '../../src-shared/chart/lanes-only.ts';
import { STRAIGHT } from '../../src-shared/timeline/axis.ts';
import { SessionScript } from '../../src-shared/timeline/session-script.ts';
import { mainTurns } from '../../src-shared/turns/turn-of.ts';
import { ghostOf } from '../../src-shared/what-if/ghost.ts';
import { recordTurn } from '../../src-shared/what-if/recorded.ts';
import type { Rules } from '../../src-shared/what-if/rules.ts';
import { answer, ask } from '../../src-shared/what-if/what-if.ts';
import { callUnder, ghostModel, layoutGhost } from './ghost-picture.ts';

/** Two reads side by side, a tenth of a pixel a millisecond: bars of 100 px and more. */
function draw(rules: Rules, offset = 0) {
  const state = new SessionScript()
    .turn('turn-1', 0, 3_000)
    .request('r1', 0, [100, 200], 210, { message: 'm' })
    .call({ id: 'a', tool: 'Read', summary: 'a.ts', queued: 100, start: 100, end: 1_600, message: 'm' })
    .call({ id: 'b', tool: 'Read', summary: 'b.ts', queued: 200, start: 200, lane: 1, end: 1_500, message: 'm' })
    .state();
  const [turn] = mainTurns(state);
  if (turn === undefined) throw new Error('there is a turn');
  const question = ask(recordTurn(state, turn), state.cwd);
  const made = ghostModel(ghostOf(question, answer(question, rules)));
  const view = { width: 800, height: 400, scale: 0.1, offset, scrollY: 50 };
  const measure = (text: string) => text.length * 6;
  const ops = layoutGhost(made, {
    look: { view, axis: STRAIGHT, gutter: 124 },
    dpr: 1,
    measure,
    selected: undefined,
  });
  const under = (x: number, y: number) => callUnder(made, { view, axis: STRAIGHT, gutter: 124 }, x, y);
  return { ops, height: lanesHeight(made), under };
}

const textures = (ops: readonly Op[]) => ops.flatMap((op) => (op.op === 'texture' ? [op.texture] : []));
const outlines = (ops: readonly Op[]) =>
  ops.flatMap((op) =>
    op.op === 'stroke' ? [{ x: op.box.x, w: op.box.w, dashed: op.dash.length > 0, alpha: op.alpha }] : [],
  );
const dotted = (ops: readonly Op[]) =>
  ops.flatMap((op) => (op.op === 'line' && op.dash.length > 0 ? [op.points[0] as number] : []));

test('what is as recorded stands at half strength and is not hatched', () => {
  const { ops } = draw({});
  expect(outlines(ops)).toEqual([
    { x: 10, w: 150, dashed: false, alpha: 0.5 },
    { x: 20, w: 130, dashed: false, alpha: 0.5 },
  ]);
  expect([textures(ops), dotted(ops)]).toEqual([[], []]);
});

test('what is computed is hatched with a dashed edge, from the dotted line on', () => {
  const { ops, height } = draw({ strategy: 'serial' });
  expect(outlines(ops)).toEqual([
    { x: 10, w: 150, dashed: false, alpha: 0.5 },
    { x: 160, w: 130, dashed: true, alpha: 1 },
  ]);
  expect(textures(ops)).toEqual(['inferred']);
  expect(dotted(ops)).toEqual([20.5]);
  expect(height).toBeLessThan(60);
});

test('it moves with the chart, and a line that is out of view is not drawn', () => {
  expect(dotted(draw({ strategy: 'serial' }, 15).ops)).toEqual([5.5]);
  expect(dotted(draw({ strategy: 'serial' }, 60).ops)).toEqual([]);
});

test('a point means the bar under it, or the nearest one within a few px', () => {
  const { under } = draw({});
  expect([under(50, 30), under(50, 55), under(8, 30), under(200, 30), under(50, 5)]).toEqual([
    'a',
    'b',
    'a',
    undefined,
    undefined,
  ]);
});
