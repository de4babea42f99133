import { expect, test } from 'vitest';
import { layoutOf } from './layout.ts';

test.each([
  [1440, 'panel', 'panel', 'split', true],
  [1180, 'panel', 'panel', 'split', true],
  [1179, 'rail', 'panel', 'split', true],
  [900, 'rail', 'panel', 'split', true],
  [899, 'rail', 'overlay', 'split', false],
  [720, 'rail', 'overlay', 'split', false],
  [719, 'tab', 'tab', 'tab', false],
] as const)('at a width of %d: sidebar %s, inspector %s, conversation %s, texts %s', (width, ...want) => {
  const { sidebar, inspector, conversation, texts } = layoutOf(width, 800);
  expect([sidebar, inspector, conversation, texts]).toEqual(want);
});

test('in a low window the conversation is a tab', () => {
  expect(layoutOf(1440, 559).conversation).toBe('tab');
  expect(layoutOf(1440, 560).conversation).toBe('split');
});
