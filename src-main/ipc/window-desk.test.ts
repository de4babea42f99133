import { beforeEach, describe, expect, test } from 'vitest';
import { type Failure, FailureError } from '../../src-shared/failure.ts';
import type { SessionId } from '../../src-shared/ids.ts';
import { contract, type Handlers, type RequestName } from '../../src-shared/ipc/contract.ts';
import type { LiveSession } from '../app/live-session.ts';
import { SessionOwners } from '../app/session-owners.ts';
import { ManualClock } from '../ports/clock.fake.ts';
import { EventFeed } from './event-feed.ts';
import { WindowDesk } from './window-desk.ts';

const S = 's' as SessionId;
let locked: Failure | undefined;
let lastLineAt: number | undefined;
let read: () => Promise<{ events: []; more: boolean; total: number }>;
let pushed: string[];
let told: string[];
let denied: SessionId[];
/** What the library is told of who looks. */
let looks: string[];
let owners: SessionOwners;
let desk: WindowDesk;
let feeds: EventFeed[];

beforeEach(() => {
  locked = undefined;
  lastLineAt = undefined;
  read = async () => ({ events: [], more: false, total: 0 });
  pushed = [];
  told = [];
  denied = [];
  looks = [];
  owners = new SessionOwners();
  feeds = [0, 1, 2].map(() => new EventFeed({ clock: new ManualClock(), send: () => undefined }));
  desk = new WindowDesk({
    library: {
      eventsFrom: () => read(),
      isLive: () => locked === undefined,
      lockedBecause: () => locked,
      live: async () => ({ tell: ({ text }: { text: string }) => told.push(text) }) as unknown as LiveSession,
      denyWaiting: (sessionId) => void denied.push(sessionId),
      seen: () => void looks.push('seen'),
      left: () => void looks.push('left'),
      lastLineAt: () => lastLineAt,
    },
    now: () => 10_000,
    owners,
    push: (window, name, payload) => {
      const access = name === 'session.access' ? (payload as { access: { kind: string } }).access.kind : '';
      if (name === 'session.following') told.push(JSON.stringify(payload));
      pushed.push(`${window} ${name} ${access}`);
    },
  });
});

const attach = (window: number) => desk.attach(window, feeds[window] as EventFeed, { sessionId: S, fromSeq: 0 });
const detach = (window: number) => desk.detach(window, feeds[window] as EventFeed, S);

describe('attaching', () => {
  test('follows before it reads, so that no event falls between the two', async () => {
    let followed = false;
    const feed = feeds[1] as EventFeed;
    read = async () => {
      const before = feed.waiting;
      feed.take(S, [{ seq: 0 } as never]);
      followed = feed.waiting > before;
      return { events: [], more: false, total: 0 };
    };
    expect(await attach(1)).toEqual({ events: [], more: false, total: 0 });
    expect(followed).toBe(true);
  });

  test('to a session that is not there follows nothing', async () => {
    read = () => Promise.reject(new FailureError({ kind: 'not-found', message: 'There is no such session.' }));
    await expect(attach(1)).rejects.toThrow('There is no such session.');
    feeds[1]?.take(S, [{ seq: 0 } as never]);
    expect(feeds[1]?.waiting).toBe(0);
    expect(owners.ownerOf(S)).toBeUndefined();
  });

  test('tells every window that shows the session what it may do', async () => {
    await attach(1);
    expect(pushed).toEqual(['1 session.access owner']);
    await attach(2);
    expect(pushed.slice(1)).toEqual(['1 session.access owner', '2 session.access reader']);
  });

  test('to a session that another process works in says so, and owns nothing', async () => {
    locked = { kind: 'locked', message: 'It is open elsewhere.' };
    await attach(1);
    expect([pushed, owners.ownerOf(S)]).toEqual([['1 session.access reader'], undefined]);
  });
});

describe('ownership', () => {
  beforeEach(async () => {
    await attach(1);
    await attach(2);
    pushed = [];
  });

  test('passes when the owner turns away', () => {
    detach(1);
    expect(pushed).toEqual(['2 session.access owner']);
  });

  test('passes when the owner closes, and nothing is denied while somebody is left', () => {
    desk.closed(1, feeds[1] as EventFeed, false);
    expect([pushed, denied]).toEqual([['2 session.access owner'], []]);
    desk.closed(2, feeds[2] as EventFeed, false);
    expect(denied).toEqual([S]);
  });

  test('is taken over when that is asked for, and recorded', async () => {
    await desk.takeOver(2, S);
    expect(pushed).toEqual(['1 session.access reader', '2 session.access owner']);
    expect(told).toEqual(['Window 2 of Gantry has taken this session over. Other windows show it read-only.']);
    await desk.takeOver(2, S);
    expect(told).toHaveLength(1);
  });

  test('stays while the page is loaded again', async () => {
    desk.reloaded(1, feeds[1] as EventFeed);
    await attach(1);
    expect(owners.ownerOf(S)).toBe(1);
  });

  test('nobody looks at it when the last window has turned away or closed', async () => {
    looks = [];
    detach(1);
    expect(looks).toEqual([]);
    detach(2);
    expect(looks).toEqual(['left']);
    await attach(1);
    expect(looks.at(-1)).toBe('seen');
    desk.closed(1, feeds[1] as EventFeed, false);
    expect(looks.at(-1)).toBe('left');
  });

  test('when the last window closes the app ends and denies by itself', () => {
    desk.closed(1, feeds[1] as EventFeed, false);
    desk.closed(2, feeds[2] as EventFeed, true);
    expect(denied).toEqual([]);
  });
});

describe('commands of a window', () => {
  const names = Object.keys(contract.requests) as RequestName[];
  const namesASession = (name: RequestName): boolean => {
    const input: unknown = contract.requests[name].input;
    return typeof input === 'object' && input !== null && 'shape' in input && 'sessionId' in (input.shape as object);
  };
  const READS = [
    'session.attach',
    'session.detach',
    'session.take-over',
    'session.findings',
    'output.read',
    'output.search',
    'output.reveal',
    'trust.state',
    'trust.set',
  ];

  const COMMANDS = [
    'session.send',
    'session.unqueue',
    'session.interrupt',
    'session.set-mode',
    'session.set-settings',
    'session.remove',
    'permission.answer',
    'permission.answer-all',
  ];

  test('that only reads are refused in main, whatever its page thinks', async () => {
    await attach(1);
    await attach(2);
    const done: string[] = [];
    const all = Object.fromEntries(names.map((name) => [name, async () => void done.push(name)]));
    const reader = desk.guarded(2, all as unknown as Handlers);
    const refused: string[] = [];
    for (const name of names.filter(namesASession)) {
      await (reader[name] as (input: unknown) => Promise<unknown>)({ sessionId: S }).catch((error: FailureError) => {
        expect(error.failure.kind).toBe('locked');
        refused.push(name);
      });
    }
    expect(done).toEqual(expect.arrayContaining(READS));
    expect(refused).toEqual(expect.arrayContaining(COMMANDS));
    const owner = desk.guarded(1, all as unknown as Handlers);
    for (const name of refused)
      await (owner[name as RequestName] as (input: unknown) => Promise<unknown>)({ sessionId: S });
  });

  test('about no session, or one that nobody shows, are everybody’s', async () => {
    await attach(1);
    const all = Object.fromEntries(names.map((name) => [name, async () => 'done'])) as unknown as Handlers;
    const handlers = desk.guarded(2, all);
    expect(await handlers['sessions.list'](undefined)).toBe('done');
    expect(await handlers['session.remove']({ sessionId: 'other' as SessionId })).toBe('done');
  });
});

test('a window is told how long nothing has come of a session that another program writes, and when it counts as over', async () => {
  locked = { kind: 'locked', message: 'not ours' };
  await attach(0);
  lastLineAt = 9_000;
  desk.tellFollowing(0, S);
  lastLineAt = undefined;
  desk.tellFollowing(0, S);
  desk.tellFollowing(0, S);
  expect(told).toEqual([JSON.stringify({ sessionId: S, quietMs: 1_000 }), JSON.stringify({ sessionId: S })]);
});
