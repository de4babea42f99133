// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import { counts, focusOf, type KeyPress, matches, type Scope } from './keys.ts';

const press = (key: string, held = ''): KeyPress => ({
  key,
  ctrlKey: held.includes('c'),
  metaKey: held.includes('m'),
  altKey: held.includes('a'),
  shiftKey: held.includes('s'),
});

test.each([
  ['Ctrl K', press('k', 'c'), true],
  ['Ctrl K', press('K', 'c'), true],
  ['Ctrl K', press('k', 'm'), true],
  ['Ctrl K', press('k'), false],
  ['Ctrl K', press('k', 'cs'), false],
  ['Ctrl K', press('k', 'ca'), false],
  ['F', press('f'), true],
  ['F', press('F', 's'), false],
  ['F', press('f', 'c'), false],
  ['?', press('?', 's'), true],
  ['?', press('?'), true],
  ['0', press('0'), true],
  ['0', press('0', 'c'), false],
  ['Shift Tab', press('Tab', 's'), true],
  ['Shift Tab', press('Tab'), false],
  ['Esc', press('Escape'), true],
  ['Esc', press('Escape', 's'), false],
  ['[', press('[', 'c'), false],
])('%s is pressed by %o: %s', (keys, event, want) => {
  expect(matches(keys, event)).toBe(want);
});

beforeEach(() => {
  document.body.innerHTML = `
    <div data-chart><button id="bar"></button><input id="filter"></div>
    <div data-composer><textarea id="text"></textarea></div>
    <input id="search"><input id="tick" type="checkbox"><button id="button"></button>`;
});

test.each([
  ['#bar', 'chart'],
  ['#filter', 'field'],
  ['#text', 'message'],
  ['#search', 'field'],
  ['#tick', 'elsewhere'],
  ['#button', 'elsewhere'],
  ['body', 'nowhere'],
])('the focus on %s is %s', (selector, want) => {
  expect(focusOf(document.querySelector(selector))).toBe(want);
});

test.each([
  ['anywhere', 'chart field message nowhere elsewhere'],
  ['outside-fields', 'chart nowhere elsewhere'],
  ['chart', 'chart'],
  ['mode', 'chart message nowhere'],
] as const)('keys of scope %s count in: %s', (scope, want) => {
  const places = ['chart', 'field', 'message', 'nowhere', 'elsewhere'] as const;
  expect(places.filter((focus) => counts(scope as Scope, focus)).join(' ')).toBe(want);
});

test('Shift with a digit goes by the key’s place, whatever sign it types', () => {
  const bang = { key: '!', code: 'Digit1', ctrlKey: false, metaKey: false, altKey: false, shiftKey: true };
  expect(matches('Shift 1', bang)).toBe(true);
  expect(matches('1', bang)).toBe(false);
  expect(matches('Shift 1', { ...bang, key: '1', shiftKey: false })).toBe(false);
  expect(matches('1', { ...bang, key: '1', shiftKey: false })).toBe(true);
});
