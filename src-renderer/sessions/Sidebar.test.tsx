// @vitest-environment happy-dom
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SessionId } from '../../src-shared/ids.ts';
import type { SessionSummary } from '../../src-shared/session/summary.ts';
import { instant } from '../../src-shared/units.ts';
import { type FakeBridge, installFakeBridge } from '../bridge.fake.ts';
import { sessionStore } from '../state/session-store.ts';
import { sessionsStore } from '../state/sessions-store.ts';
import { viewStore } from '../state/view-store.ts';
import { Sidebar } from './Sidebar.tsx';

const summary = (id: string, title: string, facts: Partial<SessionSummary> = {}): SessionSummary => ({
  sessionId: SessionId.parse(id),
  title,
  cwd: '/work/shop',
  kind: 'live',
  status: 'ended',
  lastTurn: 'ok',
  format: 'gantry',
  startedAt: instant(Date.now() - 60_000),
  durationMs: 60_000,
  calls: 3,
  openCalls: 0,
  asks: 0,
  findings: 0,
  path: `/j/${id}`,
  ...facts,
});

const SESSIONS = [
  summary('a', 'Fix the rounding', { status: 'running', openCalls: 2 }),
  summary('b', 'Release notes'),
  summary('c', 'cascade-stream', { kind: 'imported', format: 'claude-code' }),
];

let bridge: FakeBridge;
beforeEach(() => {
  bridge = installFakeBridge({
    'session.attach': () => ({ events: [], more: false, total: 0 }),
    'session.detach': () => undefined,
    'session.remove': () => undefined,
    'session.rename': () => undefined,
  });
  sessionStore.setState({ phase: 'none' }, true);
  sessionsStore.setState({ sessions: SESSIONS, scenarios: [], loaded: true, problem: undefined });
});
afterEach(cleanup);

const row = (name: RegExp): HTMLElement => screen.getByRole('button', { name });

test('sessions stand in their groups, each with a name that says how it stands', () => {
  render(<Sidebar />);
  const imported = screen.getByRole('region', { name: 'Imported' });
  expect(
    within(imported).getByRole('button', { name: /^cascade-stream, imported, Claude Code · 3 calls/ }),
  ).toBeTruthy();
  expect(row(/^Fix the rounding, running, 2 calls open/)).toBeTruthy();
});

test('a click opens the session and marks its row', async () => {
  render(<Sidebar />);
  await userEvent.click(row(/^Release notes/));
  expect(bridge.inputsOf('session.attach')[0]).toEqual({ sessionId: 'b', fromSeq: 0 });
  await waitFor(() => expect(row(/^Release notes/).getAttribute('aria-current')).toBe('true'));
});

test('one row is reached with Tab, the arrow keys go to the others', async () => {
  render(<Sidebar />);
  const user = userEvent.setup();
  await user.tab();
  await user.tab();
  expect(document.activeElement).toBe(row(/^Fix the rounding/));
  await user.keyboard('{ArrowDown}{ArrowDown}');
  expect(document.activeElement).toBe(row(/^cascade-stream/));
  await user.keyboard('{End}');
  expect(document.activeElement).toBe(row(/^Permission ledger/));
  await user.keyboard('{Home}');
  expect(document.activeElement).toBe(row(/^Fix the rounding/));
});

test('Delete takes an imported session off the list and says that its file stays; others are not touched', async () => {
  render(<Sidebar />);
  row(/^Release notes/).focus();
  await userEvent.keyboard('{Delete}');
  expect(bridge.inputsOf('session.remove')).toEqual([]);
  row(/^cascade-stream/).focus();
  await userEvent.keyboard('{Delete}');
  expect(bridge.inputsOf('session.remove')).toEqual([{ sessionId: 'c' }]);
  await waitFor(() =>
    expect(viewStore.getState().announcement).toBe('Removed cascade-stream from the list. Its file was not changed.'),
  );
});

test('a search that finds nothing says so and can be cleared', async () => {
  render(<Sidebar />);
  const field = screen.getByRole('textbox', { name: 'Search sessions' });
  await userEvent.type(field, 'zzz');
  expect(screen.getByText(/^0 of 3 sessions match/)).toBeTruthy();
  await userEvent.keyboard('{Escape}');
  expect(row(/^Release notes/)).toBeTruthy();
});

test('an empty list says what would fill it', () => {
  sessionsStore.setState({ sessions: [] });
  render(<Sidebar />);
  expect(screen.getByText('No sessions yet. Try a scenario, or open a transcript.')).toBeTruthy();
});

test('a session is renamed in its row; Escape leaves its title', async () => {
  const user = userEvent.setup();
  render(<Sidebar />);
  row(/^Release notes/).focus();
  await user.keyboard('{F2}');
  const field = () => screen.getByRole('textbox', { name: 'Title of Release notes' });
  await user.clear(field());
  await user.type(field(), 'Notes for 2.4{Enter}');
  expect(bridge.inputsOf('session.rename')).toEqual([{ sessionId: 'b', title: 'Notes for 2.4' }]);
  row(/^Release notes/).focus();
  await user.keyboard('{F2}');
  await user.type(field(), ' and more{Escape}');
  expect(bridge.inputsOf('session.rename')).toHaveLength(1);
  expect(row(/^Release notes/)).toBeTruthy();
});

test('an imported session has the title of its file', async () => {
  const user = userEvent.setup();
  render(<Sidebar />);
  row(/^cascade-stream/).focus();
  await user.keyboard('{F2}');
  expect(screen.queryByRole('textbox', { name: /^Title of/ })).toBeNull();
});
