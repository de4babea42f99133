import { expect, test } from 'vitest';
import { type KeyPress, keyWish } from './keys.ts';

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...more,
});

test('W and S zoom, A and D move, Shift makes it five times as far', () => {
  expect(keyWish(press('w'), false)).toEqual({ wish: 'zoom-by', factor: 1.25 });
  expect(keyWish(press('W', { shiftKey: true }), false)).toEqual({ wish: 'zoom-by', factor: 1.25 ** 5 });
  expect(keyWish(press('s'), false)).toEqual({ wish: 'zoom-by', factor: 0.8 });
  expect(keyWish(press('a'), false)).toEqual({ wish: 'pan-by', share: 0.1 });
  expect(keyWish(press('D', { shiftKey: true }), false)).toEqual({ wish: 'pan-by', share: -0.5 });
});

test('arrows go from call to call, Enter opens the inspector', () => {
  expect(keyWish(press('ArrowLeft'), false)).toEqual({ wish: 'go', to: 'before' });
  expect(keyWish(press('ArrowDown'), false)).toEqual({ wish: 'go', to: 'below' });
  expect(keyWish(press('Enter'), false)).toEqual({ wish: 'inspect' });
});

test('0, Z, T, F and M', () => {
  const wishes = ['0', 'z', 't', 'f', 'm'].map((key) => keyWish(press(key), false)?.wish);
  expect(wishes).toEqual(['fit', 'fit-selection', 'zoom-to-turn', 'follow', 'measure']);
});

test('Escape is the chart’s only while something is measured; shortcuts with Ctrl never are', () => {
  expect(keyWish(press('Escape'), true)).toEqual({ wish: 'clear-measure' });
  expect(keyWish(press('Escape'), false)).toBeUndefined();
  expect(keyWish(press('s', { ctrlKey: true }), false)).toBeUndefined();
  expect(keyWish(press('f', { metaKey: true }), false)).toBeUndefined();
  expect(keyWish(press('F', { shiftKey: true }), false)).toBeUndefined();
});
