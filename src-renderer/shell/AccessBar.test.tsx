// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SessionId } from '../../src-shared/ids.ts';
import { type FakeBridge, failing, installFakeBridge } from '../bridge.fake.ts';
import { asksStory } from '../conversation/samples.ts';
import { PermissionBoard } from '../permissions/PermissionBoard.tsx';
import { accessStore, startAccessStore } from '../state/access-store.ts';
import { sessionStore } from '../state/session-store.ts';
import { AccessBar } from './AccessBar.tsx';

const sessionId = asksStory().state().sessionId as SessionId;
const why = 'Another window of Gantry works in this session. It is shown here read-only.';
let bridge: FakeBridge;
let stop: () => void;

beforeEach(() => {
  accessStore.setState({}, true);
  bridge = installFakeBridge({ 'session.take-over': () => undefined });
  stop = startAccessStore();
  const story = asksStory();
  sessionStore.setState(
    { phase: 'open', sessionId, state: story.state(), events: story.events, version: 1, receivedAt: 0 },
    true,
  );
  render(
    <>
      <AccessBar />
      <PermissionBoard />
    </>,
  );
});
afterEach(() => {
  stop();
  cleanup();
});

const access = (kind: 'owner' | 'reader', takeOver = true) =>
  act(() =>
    bridge.push('session.access', { sessionId, access: kind === 'owner' ? { kind } : { kind, why, takeOver } }),
  );
const bar = () => screen.queryByRole('region', { name: 'Read-only' });
const board = () => screen.queryByRole('region', { name: 'Permission board' });

test('a session of the window’s own says nothing', () => {
  expect([bar(), board() === null]).toEqual([null, false]);
});

test('one that another window works in says why, how many wait there, and offers no answers', () => {
  access('reader');
  expect(bar()?.textContent).toContain(`${why} 3 calls wait for an answer there.`);
  expect(board()).toBeNull();
  access('owner');
  expect([bar(), board() === null]).toEqual([null, false]);
});

test('it can be taken over; a refusal is told', async () => {
  access('reader');
  fireEvent.click(screen.getByRole('button', { name: 'Take over' }));
  expect(bridge.inputsOf('session.take-over')).toEqual([{ sessionId }]);
  stop();
  bridge = installFakeBridge({ 'session.take-over': () => failing({ kind: 'locked', message: 'It cannot be had.' }) });
  fireEvent.click(screen.getByRole('button', { name: 'Take over' }));
  await act(async () => {});
  expect(screen.getByRole('alert').textContent).toBe('It cannot be had.');
});

test('one of another process can only be tried again', () => {
  access('reader', false);
  expect(screen.queryByRole('button', { name: 'Take over' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
});
