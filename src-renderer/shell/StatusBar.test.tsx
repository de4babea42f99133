// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SessionId } from '../../src-shared/ids.ts';
import { SessionScript } from '../../src-shared/timeline/session-script.ts';
import { installFakeBridge } from '../bridge.fake.ts';
import { appStore } from '../state/app-store.ts';
import { type SessionView, sessionStore } from '../state/session-store.ts';
import { sessionsStore } from '../state/sessions-store.ts';
import { announce } from '../state/view-store.ts';
import { StatusBar } from './StatusBar.tsx';

const id = SessionId.parse('made-up');
const show = (script: SessionScript, more: Partial<Extract<SessionView, { phase: 'open' }>> = {}): void => {
  const state = script.state();
  const receivedAt = performance.now();
  sessionStore.setState({ phase: 'open', sessionId: id, state, events: [], version: 1, receivedAt, ...more }, true);
};
const text = (): string => screen.getByTestId('status-bar').textContent ?? '';

beforeEach(() => {
  sessionStore.setState({ phase: 'none' }, true);
  sessionsStore.setState({ sessions: [] });
  announce('');
});
afterEach(cleanup);

test('on the start page it points to the legend and tells the version', () => {
  appStore.setState({
    info: { version: '0.1.0', electron: '45', platform: 'linux', home: '/home/mira', gallery: false },
  });
  render(<StatusBar />);
  expect(text()).toBe('? shows how to read the chartGantry 0.1.0');
});

test('who runs, who waits for whom, what Esc would stop, and that the journal is on disk', () => {
  const script = new SessionScript()
    .turn('t', 0)
    .call({
      id: 'a',
      tool: 'Bash',
      summary: 'npm test',
      queued: 1,
      start: 2,
      processes: [{ pid: 9, command: 'npm', from: 3 }],
    })
    .call({
      id: 'e',
      tool: 'Edit',
      summary: '/w/a.ts',
      safe: false,
      queued: 4,
      waits: [{ why: 'lock', by: ['a'], at: 4 }],
    });
  show(script);
  render(<StatusBar />);
  expect(text()).toBe('1 running1 waits for npm testEsc stops npm test1 processjournal saved');
});

test('a request that failed is told of with the time until its next try, and why', () => {
  const script = new SessionScript().turn('turn-1', 0).request('r', 1, [], 500, { failed: 'It is overloaded (529).' });
  show(script, { receivedAt: performance.now() - 400 });
  render(<StatusBar />);
  expect(text()).toMatch(
    /^The model did not answer\. Trying again in (0\.[456] s|\d+ ms)\.Esc stops the turnjournal saved$/,
  );
  expect(screen.getByTestId('retry').title).toBe('It is overloaded (529).');
});

test('questions come first, with how long the oldest has waited', () => {
  const script = new SessionScript()
    .turn('t', 0)
    .call({ id: 'a', tool: 'Bash', summary: 'rm x', queued: 1, start: 2, ask: [3] });
  show(script, { receivedAt: performance.now() - 18_000 });
  render(<StatusBar />);
  expect(screen.getByRole('button', { name: /^1 waits for you/ }).textContent).toBe('1 waits for youlongest 18 s');
});

test('a file says where it is from; its findings are listed on demand', async () => {
  const finding = { file: 'x.jsonl', line: 17, kind: 'torn', message: 'The last line is cut off.' };
  installFakeBridge({ 'session.findings': () => [finding] });
  const origin = {
    kind: 'imported',
    format: 'claude-code',
    version: '2.1.92',
    path: '/x.jsonl',
    clock: 'recorded',
  } as const;
  sessionsStore.setState({ sessions: [{ sessionId: id, findings: 1 } as never] });
  show(new SessionScript({ origin }));
  render(<StatusBar />);
  expect(text()).toMatch(/^Claude Code 2\.1\.92/);
  await userEvent.click(screen.getByRole('button', { name: '1 finding' }));
  expect(await screen.findByText('x.jsonl:17')).toBeTruthy();
});

test('a session that was not read to its end says how much is there', () => {
  show(new SessionScript(), { partial: { read: 61_000, total: 100_000 } });
  render(<StatusBar />);
  expect(text()).toContain('61,000 of 100,000 events read');
});

test('an announcement stays for a while and then makes room', () => {
  vi.useFakeTimers();
  try {
    render(<StatusBar />);
    act(() => announce('Stopped the turn.'));
    expect(text()).toContain('Stopped the turn.');
    act(() => void vi.advanceTimersByTime(8_000));
    expect(text()).not.toContain('Stopped the turn.');
  } finally {
    vi.useRealTimers();
  }
});
