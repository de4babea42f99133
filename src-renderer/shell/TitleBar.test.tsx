// @vitest-environment happy-dom
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import axe from 'axe-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SessionId } from '../../src-shared/ids.ts';
import { SessionScript } from '../../src-shared/timeline/session-script.ts';
import { type FakeBridge, installFakeBridge } from '../bridge.fake.ts';
import { appStore } from '../state/app-store.ts';
import { sessionStore } from '../state/session-store.ts';
import { viewStore } from '../state/view-store.ts';
import { StatusBar } from './StatusBar.tsx';
import { TitleBar } from './TitleBar.tsx';

const show = (script: SessionScript): void => {
  const sessionId = SessionId.parse('made-up');
  sessionStore.setState(
    { phase: 'open', sessionId, state: script.state(), events: [], version: 1, receivedAt: performance.now() },
    true,
  );
};

let bridge: FakeBridge;
beforeEach(() => {
  bridge = installFakeBridge({ 'session.set-mode': () => undefined, 'session.set-settings': () => undefined });
  sessionStore.setState({ phase: 'none' }, true);
  appStore.setState({ info: { version: '0.1.0', electron: '45', platform: 'linux', home: '/work', gallery: false } });
  viewStore.setState({ theme: 'dark' });
});
afterEach(cleanup);

const button = (name: string | RegExp): HTMLElement => screen.getByRole('button', { name });

test('tells which session is shown, where it works and under which rules', () => {
  show(new SessionScript({ title: 'Fix the rounding' }));
  render(<TitleBar />);
  expect(screen.getByRole('heading', { name: 'Fix the rounding' })).toBeTruthy();
  expect(screen.getByText('~/shop')).toBeTruthy();
  expect(button('Strategy: streaming · 10 lanes')).toBeTruthy();
  expect(button('Cascade: bash')).toBeTruthy();
  expect(document.title).toBe('Fix the rounding – Gantry');
});

test('a file has no rules to change', () => {
  show(new SessionScript({ origin: { kind: 'imported', format: 'claude-code', path: '/x', clock: 'recorded' } }));
  render(<TitleBar />);
  expect(screen.getByText('Replay, read-only')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /Permission mode/ })).toBeNull();
});

test('the mode button leads to every mode', async () => {
  show(new SessionScript());
  render(<TitleBar />);
  await userEvent.click(button('Permission mode: default mode'));
  expect(await screen.findAllByRole('menuitemradio')).toHaveLength(6);
  await userEvent.click(screen.getByRole('menuitemradio', { name: /^auto mode/ }));
  expect(bridge.inputsOf('session.set-mode')).toEqual([{ sessionId: 'made-up', mode: 'auto' }]);
});

test('between turns another strategy can be chosen; the other settings stay', async () => {
  show(new SessionScript({ settings: { cascade: 'none' } }));
  render(<TitleBar />);
  await userEvent.click(button(/^Strategy/));
  await userEvent.click(await screen.findByRole('menuitemradio', { name: /^serial/ }));
  await waitFor(() => expect(bridge.inputsOf('session.set-settings')).toHaveLength(1));
  expect(bridge.inputsOf('session.set-settings')[0]?.settings).toMatchObject({
    strategy: 'serial',
    cascade: 'none',
    cap: 10,
  });
});

test('while a turn runs the settings say why they cannot be changed', async () => {
  show(new SessionScript().turn('t', 0));
  render(<TitleBar />);
  await userEvent.click(button(/^Cascade/));
  const choice = await screen.findByRole('menuitemradio', { name: /^none/ });
  expect(choice.getAttribute('aria-disabled')).toBe('true');
  expect(screen.getByText(/A turn is running/)).toBeTruthy();
});

test('the theme button says what it will do, and does it', async () => {
  render(<TitleBar />);
  document.documentElement.dataset.theme = 'dark';
  await userEvent.click(button('Use the light theme'));
  expect(viewStore.getState().theme).toBe('light');
  expect(button('Use the dark theme')).toBeTruthy();
});

test('nothing to inspect, nothing to open: the inspector’s button waits for a session', () => {
  render(<TitleBar />);
  expect((button('Inspector') as HTMLButtonElement).disabled).toBe(true);
});

test('title and status bar have no faults that axe knows of', async () => {
  show(
    new SessionScript().turn('t', 0).call({ id: 'a', tool: 'Bash', summary: 'rm x', queued: 1, start: 2, ask: [3] }),
  );
  const { container } = render(
    <>
      <TitleBar />
      <StatusBar />
    </>,
  );
  // Colours are checked where they are written (theme.test.ts); happy-dom computes none.
  const { violations } = await axe.run(container, { rules: { 'color-contrast': { enabled: false } } });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
});
