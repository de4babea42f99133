import { expect, test } from 'vitest';
import type { AgentId, AskId, CallId } from '../../src-shared/ids.ts';
import { ManualClock } from '../ports/clock.fake.ts';
import { AskBoard, type AskEnd, fixedAsker } from './ask-board.ts';
import { SessionLog } from './session-log.ts';
import { countingIds, eventsOf, MoodyStore, quiet } from './testing/bench.ts';

const QUESTION = { title: 'Run this?', reason: 'It is a test.', risk: 'none', dangerous: false };

function setUp() {
  const log = new SessionLog({ store: new MoodyStore(), clock: new ManualClock() });
  const newId = countingIds();
  const board = new AskBoard({ log, newAskId: () => newId('ask') as AskId });
  const ends = new Map<string, AskEnd>();
  const allowed = new Set<string>();
  const ask = (id: string) => {
    const controller = new AbortController();
    const request = {
      callId: id as CallId,
      agentId: 'main' as AgentId,
      question: QUESTION,
      trace: [],
      signal: controller.signal,
      isAllowedNow: () => allowed.has(id),
    };
    void board.ask(request).then((end) => ends.set(id, end));
    return controller;
  };
  return { log, board, ends, ask, allowed };
}

test('a question is written with its call and a fresh id', async () => {
  const { log, ask } = setUp();
  ask('a');
  ask('b');
  await quiet();
  expect(eventsOf(log, 'permission-asked').map(({ callId, askId }) => [callId, askId])).toEqual([
    ['a', 'ask-1'],
    ['b', 'ask-2'],
  ]);
});

test('an answer is applied to the question of its call and id, once', async () => {
  const { board, ends, ask } = setUp();
  ask('a');
  expect(board.answer('a' as CallId, 'ask-1' as AskId, { kind: 'allow-once' })).toBe(true);
  expect(board.answer('a' as CallId, 'ask-1' as AskId, { kind: 'deny' })).toBe(false);
  await quiet();
  expect(ends.get('a')).toEqual({ kind: 'allow-once' });
});

test('an answer with a foreign call or a foreign id is refused', async () => {
  const { board, ends, ask } = setUp();
  ask('a');
  ask('b');
  expect(board.answer('b' as CallId, 'ask-1' as AskId, { kind: 'allow-once' })).toBe(false);
  expect(board.answer('a' as CallId, 'ask-9' as AskId, { kind: 'allow-once' })).toBe(false);
  expect(board.answer('a' as CallId, '__proto__' as AskId, { kind: 'allow-once' })).toBe(false);
  await quiet();
  expect(ends.size).toBe(0);
  expect(board.size).toBe(2);
});

test('an answer for a call that was cancelled comes too late', async () => {
  const { board, ends, ask } = setUp();
  ask('a').abort('escape');
  expect(board.answer('a' as CallId, 'ask-1' as AskId, { kind: 'allow-once' })).toBe(false);
  await quiet();
  expect(ends.get('a')).toEqual({ kind: 'cancelled' });
});

test('a call that was cancelled already asks nothing', async () => {
  const { log, board } = setUp();
  const end = await board.ask({
    callId: 'a' as CallId,
    agentId: 'main' as AgentId,
    question: QUESTION,
    trace: [],
    signal: AbortSignal.abort('escape'),
    isAllowedNow: () => false,
  });
  expect(end).toEqual({ kind: 'cancelled' });
  expect(eventsOf(log, 'permission-asked')).toEqual([]);
});

test('a new rule answers the questions that it lets through, and no others', async () => {
  const { board, ends, ask, allowed } = setUp();
  ask('a');
  ask('b');
  allowed.add('b');
  board.ruleAdded('Bash(npm test:*)');
  await quiet();
  expect([...ends]).toEqual([['b', { kind: 'covered', rule: 'Bash(npm test:*)' }]]);
});

test('closing denies what waits, and whoever asks later', async () => {
  const { board, ends, ask } = setUp();
  ask('a');
  board.close();
  ask('b');
  await quiet();
  expect([...ends]).toEqual([
    ['a', { kind: 'closed' }],
    ['b', { kind: 'closed' }],
  ]);
  expect(board.answer('a' as CallId, 'ask-1' as AskId, { kind: 'allow-once' })).toBe(false);
});

test('without a person the answer is fixed, and no answer is a deny of its own kind', async () => {
  const request = {
    callId: 'a' as CallId,
    agentId: 'main' as AgentId,
    question: QUESTION,
    trace: [],
    signal: new AbortController().signal,
    isAllowedNow: () => false,
  };
  const kinds = (['allow', 'deny', 'no-user'] as const).map((kind) => fixedAsker(kind).ask(request));
  expect((await Promise.all(kinds)).map(({ kind }) => kind)).toEqual(['allow-once', 'deny', 'no-user']);
});
