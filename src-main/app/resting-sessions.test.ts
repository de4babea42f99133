import { expect, test } from 'vitest';
import type { SessionId } from '../../src-shared/ids.ts';
import { RestingSessions } from './resting-sessions.ts';

const id = (name: string): SessionId => name as SessionId;

function setUp(most: number) {
  const busy = new Set<SessionId>();
  const rested: SessionId[] = [];
  const sessions = new RestingSessions({
    most,
    mayRest: (sessionId) => !busy.has(sessionId),
    rest: async (sessionId) => void rested.push(sessionId),
  });
  return { busy, rested, sessions };
}

test('of the sessions that nobody looks at the first that were left are let go', () => {
  const { rested, sessions } = setUp(2);
  for (const name of ['a', 'b', 'c', 'd']) sessions.left(id(name));
  expect(rested).toEqual(['a', 'b']);
});

test('one that a window shows again is left last', () => {
  const { rested, sessions } = setUp(2);
  for (const name of ['a', 'b']) sessions.left(id(name));
  sessions.wanted(id('a'));
  sessions.left(id('a'));
  sessions.left(id('c'));
  expect(rested).toEqual(['b']);
});

test('one in which something goes on stays, and is let go when that has ended', () => {
  const { busy, rested, sessions } = setUp(1);
  busy.add(id('a')).add(id('b'));
  for (const name of ['a', 'b']) sessions.left(id(name));
  expect(rested).toEqual([]);
  busy.clear();
  sessions.look();
  expect(rested).toEqual(['a']);
  sessions.look();
  expect(rested).toEqual(['a']);
});

test('whoever wants one that is being closed can wait for it, even when that goes wrong', async () => {
  let fail = (_: Error): void => undefined;
  const sessions = new RestingSessions({
    most: 0,
    mayRest: () => true,
    rest: () =>
      new Promise((_, reject) => {
        fail = reject;
      }),
  });
  sessions.left(id('a'));
  const closing = sessions.closing(id('a'));
  expect(closing).toBeDefined();
  fail(new Error('the disk is gone'));
  await closing;
  await sessions.closed();
  expect(sessions.closing(id('a'))).toBeUndefined();
});
