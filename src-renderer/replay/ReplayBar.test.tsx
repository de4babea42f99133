// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import axe from 'axe-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SessionId } from '../../src-shared/ids.ts';
import { busySession } from '../../src-shared/replay/samples.ts';
import type { Origin, SessionEvent } from '../../src-shared/session/event.ts';
import { foldSession } from '../../src-shared/session/state.ts';
import { installFakeBridge } from '../bridge.fake.ts';
import { sessionStore } from '../state/session-store.ts';
import { PastQuestions } from './PastQuestions.tsx';
import { playheadStore, seekToPosition, setSpeed } from './playhead-store.ts';
import { ReplayBar } from './ReplayBar.tsx';

const IMPORTED: Origin = { kind: 'imported', format: 'claude-code', path: '/x.jsonl', clock: 'recorded' };

function open(origin?: Origin): readonly SessionEvent[] {
  const events = busySession(300, 4).map((event) =>
    event.type === 'session-started' && origin !== undefined ? { ...event, origin } : event,
  );
  const state = foldSession(events);
  const sessionId = SessionId.parse('s1');
  sessionStore.setState({ phase: 'open', sessionId, state, events, version: 1, receivedAt: 0 }, true);
  return events;
}

beforeEach(() => {
  installFakeBridge({});
  setSpeed(1);
});
afterEach(() => {
  cleanup();
  sessionStore.setState({ phase: 'none' }, true);
});

const button = (name: string): HTMLElement => screen.getByRole('button', { name });

test('a recording has the bar from the start: where it stands, steps, speed and jumps', async () => {
  const user = userEvent.setup();
  const events = open(IMPORTED);
  const { container } = render(<ReplayBar />);
  expect(screen.getByTestId('playhead').textContent).toContain(`event ${events.length} of ${events.length}`);
  expect(screen.queryByRole('button', { name: 'Back to live' })).toBeNull();
  await user.click(button('Next error'));
  const { position } = playheadStore.getState();
  expect(events[(position ?? 0) - 1]).toMatchObject({ type: 'call-completed', outcome: 'error' });
  await user.click(button('Previous event'));
  expect(playheadStore.getState().position).toBe((position ?? 0) - 1);
  await user.click(button('To the start'));
  expect(screen.getByTestId('playhead').textContent).toContain(`event 0 of ${events.length}`);
  expect(button('Next cascade').hasAttribute('disabled')).toBe(true);
  await user.click(button('Play'));
  expect(playheadStore.getState().playing).toBe(true);
  expect(button('Pause')).toBeTruthy();
  const { violations } = await axe.run(container);
  expect(violations).toEqual([]);
});

test('a live session has the bar only while its past is shown', () => {
  open();
  const { rerender } = render(<ReplayBar />);
  expect(screen.queryByRole('toolbar')).toBeNull();
  seekToPosition(10);
  rerender(<ReplayBar />);
  expect(button('Back to live')).toBeTruthy();
});

test('a question of then is told with what became of it, and has no answer buttons', () => {
  const events = open();
  const asked = events.findIndex(({ type }) => type === 'permission-asked');
  seekToPosition(asked + 1);
  render(<PastQuestions />);
  const region = screen.getByRole('region', { name: 'Questions at the playhead' });
  expect(region.textContent).toContain('past, not answerable');
  expect(region.textContent).toContain('It was allowed by user 15 ms after it was asked.');
  expect([...region.querySelectorAll('button')].map(({ textContent }) => textContent)).toEqual([
    'Run this?',
    'Go there',
  ]);
});
