// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest';
import { SessionId } from '../../src-shared/ids.ts';
import type { RequestOutput } from '../../src-shared/ipc/contract.ts';
import type { SessionEvent } from '../../src-shared/session/event.ts';
import { defaultSettings } from '../../src-shared/session/settings.ts';
import { instant, sessionTime } from '../../src-shared/units.ts';
import { type FakeBridge, failing, installFakeBridge } from '../bridge.fake.ts';
import { closeSession, openSession, sessionStore, startSessionStore, stopReading } from './session-store.ts';
import { selectCall, viewStore } from './view-store.ts';

const id = SessionId.parse('s1');
const stamp = (seq: number) => ({ seq, at: instant(1_000 + seq), t: sessionTime(seq) });
const started: SessionEvent = {
  type: 'session-started',
  ...stamp(0),
  sessionId: id,
  title: 'Fix the rounding',
  cwd: '/work/shop',
  origin: { kind: 'live', provider: 'scripted' },
  app: 'test',
  settings: defaultSettings(),
};
const title = (seq: number): SessionEvent => ({ type: 'title-changed', ...stamp(seq), title: `title ${seq}` });
const journal = (length: number): SessionEvent[] => [started, ...Array.from({ length }, (_, at) => title(at + 1))];

type Page = RequestOutput<'session.attach'>;
const paged =
  (events: readonly SessionEvent[], size: number) =>
  (input: { fromSeq: number }): Page => {
    const page = events.slice(input.fromSeq, input.fromSeq + size);
    return { events: page, more: input.fromSeq + size < events.length, total: events.length };
  };

const shown = () => {
  const view = sessionStore.getState();
  if (view.phase !== 'open') throw new Error(`the session is ${view.phase}`);
  return view;
};

const withJournal = (events: SessionEvent[], size = 2): FakeBridge => {
  const bridge = installFakeBridge({ 'session.attach': paged(events, size), 'session.detach': () => undefined });
  startSessionStore();
  return bridge;
};

beforeEach(() => sessionStore.setState({ phase: 'none' }, true));

test('a session is read page by page and then follows what is pushed', async () => {
  const bridge = withJournal(journal(4));
  await openSession(id);
  expect(shown().state.title).toBe('title 4');
  expect(bridge.inputsOf('session.attach').map((input) => input.fromSeq)).toEqual([0, 2, 4]);
  const before = shown().version;
  bridge.push('session.events', { sessionId: id, events: [title(5)] });
  expect(shown().state.title).toBe('title 5');
  expect(shown().version).toBe(before + 1);
});

test('events pushed while pages are on the way are neither lost nor applied twice', async () => {
  const bridge = withJournal(journal(4));
  const opening = openSession(id);
  bridge.push('session.events', { sessionId: id, events: [title(4), title(5)] });
  await opening;
  expect(shown().events.map((event) => event.seq)).toEqual([0, 1, 2, 3, 4, 5]);
});

test('a gap in the pushes is fetched', async () => {
  const events = journal(1);
  const bridge = withJournal(events);
  await openSession(id);
  events.push(title(2), title(3));
  const whole = new Promise<void>((resolve) => {
    const stop = sessionStore.subscribe((view) => {
      if (view.phase !== 'open' || view.state.nextSeq !== 4) return;
      stop();
      resolve();
    });
  });
  bridge.push('session.events', { sessionId: id, events: [title(3)] });
  await whole;
  expect(shown().events.map((event) => event.seq)).toEqual([0, 1, 2, 3]);
});

test('a page that was let behind fetches what it missed once, and what came meanwhile after that', async () => {
  const events = journal(3);
  const bridge = withJournal(events);
  await openSession(id);
  const asked = () => bridge.inputsOf('session.attach').length;
  const before = asked();
  for (let seq = events.length; seq < 9; seq++) events.push(title(seq));
  // Main keeps no more than it can send: only the newest event comes, three times over.
  for (const seq of [8, 8, 8]) bridge.push('session.events', { sessionId: id, events: [title(seq)] });
  events.push(title(9));
  bridge.push('session.events', { sessionId: id, events: [title(9)] });
  await vi.waitFor(() => expect(shown().state.nextSeq).toBe(10));
  expect(shown().events.map((event) => event.seq)).toEqual(Array.from({ length: 10 }, (_, seq) => seq));
  expect(asked() - before).toBeLessThanOrEqual(8);
});

test('reading that is stopped keeps what was read, says how much, and follows nothing', async () => {
  const bridge = withJournal(journal(9));
  const opening = openSession(id);
  stopReading();
  await opening;
  expect(shown().partial).toEqual({ read: 2, total: 10 });
  expect(bridge.inputsOf('session.detach')).toEqual([{ sessionId: id }]);
  bridge.push('session.events', { sessionId: id, events: [title(2)] });
  expect(shown().state.nextSeq).toBe(2);
});

test('a session that cannot be read says why and what to do', async () => {
  installFakeBridge({
    'session.attach': () => failing({ kind: 'not-readable', message: 'The journal is gone.', hint: 'Open another.' }),
  });
  await openSession(id);
  expect(sessionStore.getState()).toEqual({
    phase: 'failed',
    sessionId: id,
    message: 'The journal is gone.',
    hint: 'Open another.',
  });
});

test('another session starts with nothing selected, the same one keeps its selection', async () => {
  withJournal(journal(1));
  await openSession(id);
  selectCall('call-1' as Parameters<typeof selectCall>[0]);
  await openSession(id);
  expect(viewStore.getState().selectedCall).toBe('call-1');
  closeSession();
  expect(viewStore.getState().selectedCall).toBeUndefined();
});
