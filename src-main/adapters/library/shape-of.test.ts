import { expect, test } from 'vitest';
import type { ToolCall } from '../../../src-shared/tool-call/state.ts';
import { shapeOf } from './shape-of.ts';

const call = (from: number, until: number, outcome = 'ok', asks: readonly unknown[] = []): ToolCall =>
  ({ queuedAt: from, run: { at: from }, end: { at: until, outcome }, asks }) as unknown as ToolCall;

test('calls that ran at once stand in lanes of their own, the worst of a place on top', () => {
  const shape = shapeOf(
    [call(0, 100), call(0, 50, 'error'), call(50, 100, 'cancelled'), call(99, 100, 'ok', [1])],
    true,
  );
  expect(shape.split('/')).toEqual(['o'.repeat(40), 'e'.repeat(20) + 'c'.repeat(20), `${'.'.repeat(39)}h`]);
});

test('without times calls stand side by side, and without calls there is nothing', () => {
  const [lane] = shapeOf([call(0, 0), call(0, 0, 'error')], false).split('/');
  expect(lane).toMatch(/^o+\.+e+$/);
  expect(shapeOf([], true)).toBe('');
  expect(shapeOf([call(5, 5)], true).split('/')[0]).toMatch(/^o/);
});
