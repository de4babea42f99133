// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest';
import { SessionId } from '../../src-shared/ids.ts';
import { contract, type RequestName } from '../../src-shared/ipc/contract.ts';
import { busySession } from '../../src-shared/replay/samples.ts';
import { foldSession } from '../../src-shared/session/state.ts';
import { installFakeBridge } from '../bridge.fake.ts';
import { request } from '../bridge.ts';
import { readerOf } from '../state/access-store.ts';
import { sessionStore } from '../state/session-store.ts';
import { whyNotNow } from './past.ts';
import { leavePlayhead, seekToPosition } from './playhead-store.ts';

const sessionId = SessionId.parse('s1');

function open(): void {
  const events = busySession(200, 1);
  const state = foldSession(events);
  sessionStore.setState({ phase: 'open', sessionId, state, events, version: 1, receivedAt: 0 }, true);
}

afterEach(() => sessionStore.setState({ phase: 'none' }, true));

/** What only looks, leaves, keeps, or has nothing to do with what runs in the session on screen. */
const HARMLESS: ReadonlySet<string> = new Set<RequestName>([
  'session.start',
  'session.fork',
  'session.attach',
  'session.detach',
  'session.rename',
  'session.findings',
  'session.stop-reading',
  'session.remove',
]);

test('every request about a running session is refused while its past is shown', () => {
  open();
  seekToPosition(10);
  const acting = Object.keys(contract.requests).filter(
    (name) => /^(session|debug|mcp|shell|permission)\./.test(name) && !HARMLESS.has(name),
  );
  expect(acting).toContain('session.interrupt');
  expect(acting.filter((name) => whyNotNow(name as RequestName) === undefined)).toEqual([]);
  expect([...HARMLESS].filter((name) => whyNotNow(name as RequestName) !== undefined)).toEqual([]);
});

test('an answer to a past question never reaches main, and counts again when it is live', async () => {
  const bridge = installFakeBridge({ 'session.interrupt': () => ({ interrupted: true }) });
  open();
  seekToPosition(10);
  expect(readerOf({}, sessionId)).toMatchObject({ kind: 'reader' });
  await expect(request('session.interrupt', { sessionId, reason: 'escape' })).rejects.toThrow('the past');
  expect(bridge.asked).toEqual([]);
  leavePlayhead();
  expect(readerOf({}, sessionId)).toBeUndefined();
  expect(await request('session.interrupt', { sessionId, reason: 'escape' })).toEqual({ interrupted: true });
});
