import { expect, test } from 'vitest';
import type { SessionId } from '../../src-shared/ids.ts';
import type { SessionState } from '../../src-shared/session/state.ts';
import { SessionScript } from '../../src-shared/timeline/session-script.ts';
import { summarise } from './session-summary.ts';

const where = { sessionId: 'made-up' as SessionId, path: '/sessions/x/journal.jsonl', findings: 2 };
const of = (script: { state(): SessionState }) => summarise(script.state(), where);

test('a running session tells its calls, and which are open', () => {
  const summary = of(
    new SessionScript({ title: 'Fix it' })
      .turn('t', 0)
      .call({ id: 'a', tool: 'Read', queued: 10, start: 10, end: 40, outcome: 'ok', yielded: 40 })
      .call({ id: 'b', tool: 'Bash', queued: 20, start: 20 })
      .call({ id: 'c', tool: 'Edit', queued: 30 }),
  );
  expect(summary).toMatchObject({
    ...where,
    title: 'Fix it',
    cwd: '/work/shop',
    kind: 'live',
    format: 'gantry',
    status: 'running',
    lastTurn: 'none',
    calls: 3,
    openCalls: 2,
    asks: 0,
    durationMs: 40,
  });
});

test('one that asks waits for a person, whatever else runs', () => {
  const script = new SessionScript().turn('t', 0).call({ id: 'a', tool: 'Bash', queued: 10, start: 10, ask: [12] });
  expect(of(script)).toMatchObject({ status: 'waiting', asks: 1 });
});

test('one that answered its questions does not', () => {
  const script = new SessionScript()
    .turn('t', 0)
    .call({ id: 'a', tool: 'Bash', queued: 10, start: 10, ask: [12, 20], answer: 'allow' });
  expect(of(script)).toMatchObject({ status: 'running', asks: 0 });
});

test('between turns it is idle, and the last turn is told', () => {
  expect(of(new SessionScript().turn('t', 0, 50))).toMatchObject({ status: 'idle', lastTurn: 'ok' });
});

test.each([
  ['completed', 'ok'],
  ['stopped-by-hook', 'ok'],
  ['interrupted', 'interrupted'],
  ['rejected', 'interrupted'],
  ['unknown', 'interrupted'],
  ['error', 'error'],
  ['limit', 'error'],
] as const)('a turn that ended as %s shows as %s', (reason, expected) => {
  const script = new SessionScript()
    .turn('t', 0)
    .at(50, { type: 'turn-ended', turnId: 't' as never, agentId: 'main' as never, reason });
  expect(of(script).lastTurn).toBe(expected);
});

test('the turns of sub-agents are not the session’s', () => {
  expect(of(new SessionScript().turn('t', 0, 50).turn('u', 10, undefined, 'agent-2'))).toMatchObject({
    status: 'idle',
  });
});

test('a transcript is always ended', () => {
  const origin = { kind: 'imported', format: 'claude-code', path: '/x', clock: 'recorded' } as const;
  expect(of(new SessionScript({ origin }).turn('t', 0))).toMatchObject({
    kind: 'imported',
    status: 'ended',
    format: 'claude-code',
  });
});

test('a transcript without times has no length', () => {
  const origin = { kind: 'imported', format: 'atif', path: '/x', clock: 'order-only' } as const;
  expect(of(new SessionScript({ origin }).turn('t', 0, 500)).durationMs).toBe(0);
});

test('an ended session is ended', () => {
  expect(of(new SessionScript().turn('t', 0, 5).at(9, { type: 'session-ended', reason: 'quit' }))).toMatchObject({
    status: 'ended',
  });
});
