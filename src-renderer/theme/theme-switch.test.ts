// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test } from 'vitest';
import { viewStore } from '../state/view-store.ts';
import { currentTheme, effectiveTheme, startThemeSwitch, toggleTheme } from './theme-switch.ts';

let stop: () => void = () => undefined;
const open = (search = ''): void => {
  window.history.replaceState(null, '', `/${search}`);
  viewStore.setState({ theme: 'system' });
  stop = startThemeSwitch();
};

beforeEach(() => window.localStorage.clear());
afterEach(() => stop());

test('a choice is taken as it is, no choice is the system’s', () => {
  expect(effectiveTheme('light', false)).toBe('light');
  expect(effectiveTheme('dark', true)).toBe('dark');
  expect(effectiveTheme('system', true)).toBe('light');
  expect(effectiveTheme('system', false)).toBe('dark');
});

test('a choice is kept for the next window', () => {
  open();
  const before = currentTheme();
  toggleTheme();
  const chosen = currentTheme();
  expect(chosen).not.toBe(before);
  stop();
  open();
  expect(currentTheme()).toBe(chosen);
});

test('a theme in the address is shown and not kept', () => {
  open('?theme=light');
  expect(currentTheme()).toBe('light');
  toggleTheme();
  expect(currentTheme()).toBe('dark');
  expect(window.localStorage.length).toBe(0);
});
