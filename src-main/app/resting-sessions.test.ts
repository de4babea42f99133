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
    rest: (sessionId) => rested.push(sessionId),
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
