// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest';
import { SessionId } from '../../src-shared/ids.ts';
import type { RequestOutput } from '../../src-shared/ipc/contract.ts';
import { busySession } from '../../src-shared/replay/samples.ts';
import type { SessionEvent } from '../../src-shared/session/event.ts';
import { foldSession } from '../../src-shared/session/state.ts';
import { type FakeBridge, installFakeBridge } from '../bridge.fake.ts';
import { isQuiet } from './idle.ts';
import { closeSession, openSession, sessionStore, startSessionStore } from './session-store.ts';
import { wholeNow } from './use-live-now.ts';

const id = SessionId.parse('s1');
const all: readonly SessionEvent[] = busySession(300, 4).map((event) =>
  event.type === 'session-started'
    ? { ...event, origin: { kind: 'imported', format: 'claude-code', path: '/x.jsonl', clock: 'recorded' } }
    : event,
);
/** In the middle of a call. */
const MIDDLE = all.findIndex((event) => event.type === 'call-started') + 1;

let bridge: FakeBridge;
let known: { readonly events: readonly SessionEvent[]; readonly revision: number };

beforeEach(async () => {
  closeSession();
  known = { events: all.slice(0, MIDDLE), revision: 0 };
  const page = ({ fromSeq }: { readonly fromSeq: number }): RequestOutput<'session.attach'> => {
    const { events, revision } = known;
    return { events: events.slice(fromSeq), more: false, total: events.length, revision };
  };
  bridge = installFakeBridge({ 'session.attach': page, 'session.detach': () => undefined });
  startSessionStore();
  await openSession(id);
});

const shown = () => {
  const view = sessionStore.getState();
  if (view.phase !== 'open') throw new Error(`the session is ${view.phase}`);
  return view;
};
const follows = (quietMs?: number) =>
  bridge.push('session.following', { sessionId: id, ...(quietMs === undefined ? {} : { quietMs }) });
const revised = (keep: number, more: { readonly amended?: SessionEvent[]; readonly total: number }) =>
  bridge.push('session.revised', { sessionId: id, revision: 1, keep, amended: [], ...more });

test('a recording is quiet, a session that is followed is not while a call runs, and is again when it is over', () => {
  expect(isQuiet(shown())).toBe(true);
  follows(0);
  expect(isQuiet(shown())).toBe(false);
  expect(shown().lastLineAt).toBeDefined();
  follows();
  expect(isQuiet(shown())).toBe(true);
  expect(shown().lastLineAt).toBeUndefined();
});

test('time goes on from the last line while something runs, and stands while nothing does', () => {
  vi.spyOn(performance, 'now').mockReturnValue(50_000);
  follows(12_000);
  expect(wholeNow() - shown().state.now).toBe(12_000);
  bridge.push('session.events', { sessionId: id, events: all.slice(MIDDLE) });
  const ends = all.length;
  const at = all[ends - 1] as SessionEvent;
  bridge.push('session.events', {
    sessionId: id,
    events: [
      {
        seq: ends,
        at: at.at,
        t: at.t,
        type: 'turn-ended',
        turnId: 'turn-1' as never,
        agentId: 'main' as never,
        reason: 'completed',
      },
    ],
  });
  expect(wholeNow()).toBe(shown().state.now);
  vi.restoreAllMocks();
});

test('what is taken back stays on screen until what is true comes', () => {
  follows(0);
  const before = shown();
  const other = { ...(all[MIDDLE - 1] as SessionEvent & { readonly type: 'call-started' }), lane: 7 };
  revised(MIDDLE - 1, { total: MIDDLE });
  expect(shown().state).toBe(before.state);
  bridge.push('session.events', { sessionId: id, events: [other] });
  const events = [...all.slice(0, MIDDLE - 1), other];
  expect(shown().events).toEqual(events);
  expect(shown().state).toEqual({ ...foldSession(events), followed: true });
});

test('a session that has become shorter is shown shorter at once', () => {
  revised(MIDDLE - 2, { total: MIDDLE - 2 });
  expect(shown().events).toHaveLength(MIDDLE - 2);
  expect(shown().state.nextSeq).toBe(MIDDLE - 2);
});

test('a start that is known better is told better, and nothing else changes', () => {
  const started = all[MIDDLE - 1] as SessionEvent & { readonly type: 'call-started' };
  const timing = { certainty: 'inferred', source: 'line-time', earliest: started.t, latest: started.t } as const;
  const { state } = shown();
  revised(MIDDLE, { amended: [{ ...started, timing }], total: MIDDLE });
  expect(shown().state).toBe(state);
  expect(shown().events[MIDDLE - 1]).toMatchObject({ timing });
  expect(state.calls.find(({ callId }) => callId === started.callId)).toMatchObject({ run: { timing } });
});

test('a page of another telling is not taken for one of this', async () => {
  known = { events: all.slice(0, MIDDLE + 20), revision: 2 };
  // A gap: what is missing is fetched, but main has told the session anew meanwhile, and will say so.
  bridge.push('session.events', { sessionId: id, events: all.slice(MIDDLE + 4, MIDDLE + 5) });
  await vi.waitFor(() => expect(bridge.inputsOf('session.attach')).toHaveLength(2));
  expect(shown().events).toHaveLength(MIDDLE);
  bridge.push('session.revised', { sessionId: id, revision: 2, keep: MIDDLE - 3, amended: [], total: MIDDLE + 20 });
  bridge.push('session.events', { sessionId: id, events: all.slice(MIDDLE - 3, MIDDLE + 20) });
  expect(shown().events).toEqual(all.slice(0, MIDDLE + 20));
});
