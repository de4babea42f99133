// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import axe from 'axe-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SessionId } from '../../src-shared/ids.ts';
import type { PermissionMode } from '../../src-shared/permission/event.ts';
import type { SessionEvent } from '../../src-shared/session/event.ts';
import { SessionScript } from '../../src-shared/timeline/session-script.ts';
import { type FakeBridge, installFakeBridge } from '../bridge.fake.ts';
import { sessionStore } from '../state/session-store.ts';
import { viewStore } from '../state/view-store.ts';
import { BypassBar, BypassFrame } from './BypassBar.tsx';
import { bypassStore, changeMode, chooseMode } from './choose-mode.ts';
import { MODES, modeSentence, nextMode } from './mode-words.ts';

const sessionId = SessionId.parse('made-up');
const show = (mode: PermissionMode, events: readonly Partial<SessionEvent>[] = []): void => {
  const state = new SessionScript({ settings: { mode } }).state();
  const open = { phase: 'open', sessionId, state, version: 1, receivedAt: 0 } as const;
  sessionStore.setState({ ...open, events: events as readonly SessionEvent[] }, true);
};

let bridge: FakeBridge;
beforeEach(() => {
  bridge = installFakeBridge({ 'session.set-mode': () => undefined });
  bypassStore.setState({ asking: undefined });
  viewStore.setState({ announcement: '' });
});
afterEach(cleanup);
const modesSet = () => bridge.inputsOf('session.set-mode').map(({ mode }) => mode);

test('every mode is in the menu, has its sentence, and those that ask nothing are not in the round', () => {
  expect(MODES).toHaveLength(6);
  expect(modeSentence('auto')).toBe(
    'Auto mode: edits run, a classifier looks at the rest and asks where it is not sure.',
  );
  expect(MODES.map(nextMode)).not.toContain('bypassPermissions');
  expect(MODES.map(nextMode)).not.toContain('dontAsk');
});

test('before the first time that nothing is asked, this is asked; a no changes nothing', async () => {
  show('default');
  const { container } = render(<BypassBar />);
  await act(() => chooseMode('bypassPermissions'));
  expect(modesSet()).toEqual([]);
  const question = screen.getByRole('region', { name: 'Mode without permissions' });
  expect(document.activeElement).toBe(question);
  expect((await axe.run(container, { rules: { 'color-contrast': { enabled: false } } })).violations).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Keep asking' }));
  expect([screen.queryByRole('region'), modesSet()]).toEqual([null, []]);
  expect(viewStore.getState().announcement).toBe('The mode was not changed.');
});

test('Escape is a no', async () => {
  show('default');
  render(<BypassBar />);
  await act(() => chooseMode('bypassPermissions'));
  await userEvent.keyboard('{Escape}');
  expect([screen.queryByRole('region'), modesSet()]).toEqual([null, []]);
});

test('a yes goes into the mode, and in this session it is not asked again', async () => {
  show('default');
  render(<BypassBar />);
  await act(() => chooseMode('bypassPermissions'));
  await userEvent.click(screen.getByRole('button', { name: 'Ask nothing in this session' }));
  expect(modesSet()).toEqual(['bypassPermissions']);
  act(() => show('default', [{ type: 'mode-changed', mode: 'bypassPermissions' }]));
  await act(() => chooseMode('bypassPermissions'));
  expect(modesSet()).toEqual(['bypassPermissions', 'bypassPermissions']);
  expect(screen.queryByRole('region')).toBeNull();
});

test('whoever looks at another session has not answered', async () => {
  show('default');
  render(<BypassBar />);
  await act(() => chooseMode('bypassPermissions'));
  act(() => sessionStore.setState({ phase: 'none' }, true));
  expect([screen.queryByRole('region'), bypassStore.getState().asking]).toEqual([null, undefined]);
});

test('the round never leads into a question', async () => {
  show('auto');
  await changeMode();
  expect(modesSet()).toEqual(['default']);
});

test('the window is framed while nothing is asked', () => {
  show('bypassPermissions');
  const { rerender } = render(<BypassFrame />);
  expect(screen.getByTestId('bypass-frame')).toBeTruthy();
  act(() => show('default'));
  rerender(<BypassFrame />);
  expect(screen.queryByTestId('bypass-frame')).toBeNull();
});
