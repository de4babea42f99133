// @vitest-environment happy-dom
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { SessionId } from '../src-shared/ids.ts';
import type { SessionSummary } from '../src-shared/session/summary.ts';
import { SessionScript } from '../src-shared/timeline/session-script.ts';
import { App } from './App.tsx';
import { type FakeBridge, failing, installFakeBridge } from './bridge.fake.ts';
import { startKeyboard } from './commands/keyboard.ts';
import { appStore } from './state/app-store.ts';
import { closeSession, openSession, sessionStore, startSessionStore } from './state/session-store.ts';
import { sessionsStore } from './state/sessions-store.ts';
import { viewStore } from './state/view-store.ts';

// happy-dom has no canvas. What the chart draws is tested in its folder, the whole of it in the real window.
vi.mock('./timeline/Timeline.tsx', () => ({ Timeline: () => <section data-chart aria-label="Timeline" /> }));

const initial = viewStore.getState();
const id = SessionId.parse('made-up');
const summary: SessionSummary = {
  sessionId: id,
  title: 'Fix the rounding',
  cwd: '/work/shop',
  kind: 'live',
  status: 'running',
  lastTurn: 'none',
  format: 'gantry',
  startedAt: Date.now() as never,
  durationMs: 0,
  calls: 2,
  openCalls: 2,
  asks: 0,
  findings: 0,
  path: '/j',
};
const script = new SessionScript({ title: 'Fix the rounding' })
  .turn('turn-1', 0)
  .request('r1', 1, [2], 5)
  .call({ id: 'a', tool: 'Bash', summary: 'npm test', queued: 3, start: 4 })
  .call({ id: 'b', tool: 'Read', summary: '/w/a.ts', queued: 3, start: 4, lane: 1, end: 9 });

let bridge: FakeBridge;
let journal = script.events();
const stops: (() => void)[] = [];

const inWindow = async (width: number, height: number): Promise<void> => {
  vi.stubGlobal('innerWidth', width);
  vi.stubGlobal('innerHeight', height);
  window.dispatchEvent(new Event('resize'));
  render(<App />);
  await act(() => openSession(id));
};

beforeEach(() => {
  viewStore.setState(initial, true);
  journal = script.events();
  bridge = installFakeBridge({
    'session.attach': ({ fromSeq }) => ({ events: journal.slice(fromSeq), more: false, total: journal.length }),
    'session.detach': () => undefined,
    'session.interrupt': () => ({ interrupted: true }),
    'session.findings': () => [],
  });
  sessionStore.setState({ phase: 'none' }, true);
  sessionsStore.setState({ sessions: [summary], scenarios: [], loaded: true, problem: undefined });
  appStore.setState({ info: undefined, problem: undefined, openProblem: undefined });
  stops.push(startSessionStore(), startKeyboard());
});
afterEach(() => {
  cleanup();
  for (const stop of stops.splice(0)) stop();
  vi.unstubAllGlobals();
});

const landmarks = (): string[] =>
  ['navigation', 'main', 'complementary']
    .flatMap((role) => screen.queryAllByRole(role))
    .map((element) => element.getAttribute('aria-label') ?? '');

describe('regions', () => {
  test('a wide window shows sessions, session and inspector beside each other', async () => {
    await inWindow(1440, 900);
    expect(landmarks()).toEqual(['Sessions', 'Session', 'Inspector']);
    expect(screen.getByRole('region', { name: 'Conversation' })).toBeTruthy();
    expect(screen.getByRole('region', { name: 'Timeline' })).toBeTruthy();
  });

  test('below 1180 px the sessions are a rail, and the list opens over the content until Escape', async () => {
    await inWindow(1000, 800);
    expect(screen.queryByRole('textbox', { name: 'Search sessions' })).toBeNull();
    await userEvent.keyboard('{Control>}b{/Control}');
    expect(screen.getByRole('textbox', { name: 'Search sessions' })).toBeTruthy();
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('textbox', { name: 'Search sessions' })).toBeNull();
    expect(bridge.inputsOf('session.interrupt')).toEqual([]);
  });

  test('below 900 px the inspector opens over the timeline, and a click beside it closes it', async () => {
    await inWindow(800, 700);
    expect(landmarks()).not.toContain('Inspector');
    await userEvent.click(screen.getByRole('button', { name: 'Inspector' }));
    expect(landmarks()).toContain('Inspector');
    await userEvent.click(screen.getByTestId('beside-overlay'));
    expect(landmarks()).not.toContain('Inspector');
  });

  test('below 720 px there is one region at a time, and shortcuts lead to its tab and back', async () => {
    await inWindow(640, 700);
    const tabs = (): string[] =>
      screen.getAllByRole('tab').map((tab) => `${tab.textContent}${tab.ariaSelected === 'true' ? '*' : ''}`);
    const chosen = (): string | undefined =>
      within(screen.getByRole('tablist', { name: 'Parts of the window' })).getByRole('tab', { selected: true })
        .textContent ?? undefined;
    expect(tabs()).toHaveLength(5);
    expect(chosen()).toBe('Timeline');
    await userEvent.keyboard('{Control>}i{/Control}');
    expect(chosen()).toBe('Inspector');
    await userEvent.keyboard('{Control>}i{/Control}');
    expect(chosen()).toBe('Timeline');
    await userEvent.keyboard('{Control>}{Shift>}f{/Shift}{/Control}');
    expect(chosen()).toBe('Sessions');
  });

  test('in a low window the conversation is a tab beside the timeline', async () => {
    await inWindow(1440, 500);
    expect(screen.queryByRole('region', { name: 'Conversation' })).toBeNull();
    await userEvent.click(screen.getByRole('tab', { name: /^Conversation/ }));
    expect(screen.getByRole('region', { name: 'Conversation' })).toBeTruthy();
  });
});

describe('states of a session', () => {
  test('one that cannot be read says why, and is read again on demand', async () => {
    vi.stubGlobal('innerWidth', 1440);
    let broken = true;
    installFakeBridge({
      'session.attach': ({ fromSeq }) =>
        broken
          ? failing({ kind: 'locked', message: 'Another window writes this session.', hint: 'Close it there.' })
          : { events: journal.slice(fromSeq), more: false, total: journal.length },
      'session.detach': () => undefined,
      'session.findings': () => [],
    });
    render(<App />);
    await act(() => openSession(id));
    expect(screen.getByRole('alert').textContent).toBe('Another window writes this session.Close it there.');
    broken = false;
    await userEvent.click(screen.getByRole('button', { name: 'Read it again' }));
    await waitFor(() => expect(landmarks()).toContain('Session'));
  });

  test('closing a session leads back to the scenarios', async () => {
    await inWindow(1440, 900);
    act(closeSession);
    expect(landmarks()).toEqual(['Sessions', 'Start']);
    expect(document.title).toBe('Gantry');
  });
});

test('Escape stops the turn; status bar and screen readers are told what', async () => {
  await inWindow(1440, 900);
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('Stopped the turn: npm test.'));
  expect(screen.getByTestId('status-bar').textContent).toContain('Stopped the turn: npm test.');
});

test('a problem of the program stays until it is closed', async () => {
  render(<App />);
  act(() => appStore.setState({ problem: { message: 'The disk is full.', hint: 'Make room.' } }));
  expect(screen.getByRole('alert').textContent).toBe('The disk is full. Make room.');
  await userEvent.click(screen.getByRole('button', { name: 'Close this message' }));
  expect(screen.queryByRole('alert')).toBeNull();
});
