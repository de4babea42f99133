// @vitest-environment happy-dom
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SessionId } from '../../src-shared/ids.ts';
import { type FakeBridge, installFakeBridge } from '../bridge.fake.ts';
import { sessionStore } from '../state/session-store.ts';
import { sessionsStore } from '../state/sessions-store.ts';
import { viewStore } from '../state/view-store.ts';
import { CommandPalette } from './CommandPalette.tsx';

let bridge: FakeBridge;
beforeEach(() => {
  bridge = installFakeBridge({
    'scenario.start': () => ({ sessionId: SessionId.parse('new') }),
    'transcript.choose': () => ({}),
    'session.attach': () => ({ events: [], more: false, total: 0 }),
  });
  sessionStore.setState({ phase: 'none' }, true);
  sessionsStore.setState({
    scenarios: [{ name: 'cascade', title: 'Cascade', description: 'One command fails.', calls: 5, picture: 'cascade' }],
    sessions: [],
    loaded: true,
  });
  viewStore.setState({ paletteOpen: true });
});
afterEach(cleanup);

const titles = (): (string | null)[] =>
  screen.getAllByRole('option').map((option) => option.querySelector('span')?.textContent ?? null);

test('lists what can be done now, and scenarios; the cursor is in its field', async () => {
  render(<CommandPalette />);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('combobox')));
  expect(titles()).toContain('Open a transcript');
  expect(titles()).toContain('Try Cascade');
  expect(titles()).not.toContain('Stop the running turn');
});

test('a few letters and Enter run the best match, and the palette closes', async () => {
  render(<CommandPalette />);
  await userEvent.type(screen.getByRole('combobox'), 'casc');
  expect(titles()).toEqual(['Try Cascade']);
  await userEvent.keyboard('{Enter}');
  expect(viewStore.getState().paletteOpen).toBe(false);
  await waitFor(() => expect(bridge.inputsOf('scenario.start')).toEqual([{ name: 'cascade' }]));
});

test('what nothing is called like says so', async () => {
  render(<CommandPalette />);
  await userEvent.type(screen.getByRole('combobox'), 'qqq');
  expect(screen.getByText('Nothing is called like this.')).toBeTruthy();
});

test('Escape closes it and nothing else', async () => {
  render(<CommandPalette />);
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull());
  expect(bridge.asked).toEqual([]);
});
