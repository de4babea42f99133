// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { mayTakeFocus } from './focus.ts';

const field = (value: string): HTMLTextAreaElement => {
  const element = document.createElement('textarea');
  element.value = value;
  return element;
};

test('the board takes the focus from no field and from nobody who steers the chart', () => {
  expect(mayTakeFocus(document.body, 5_000)).toBe(true);
  expect(mayTakeFocus(document.body, 200)).toBe(false);
  expect(mayTakeFocus(field('half a sentence'), 60_000)).toBe(false);
  expect(mayTakeFocus(field(''), 60_000)).toBe(false);
  expect(mayTakeFocus(null, 60_000)).toBe(true);
});

test('an open palette keeps the focus', () => {
  const dialog = document.createElement('div');
  dialog.setAttribute('role', 'dialog');
  const input = document.createElement('input');
  dialog.append(input);
  expect(mayTakeFocus(input, 60_000)).toBe(false);
});
