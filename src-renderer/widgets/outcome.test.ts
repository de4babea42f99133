import { expect, test } from 'vitest';
import { callById } from '../../src-shared/session/state.ts';
import { type ScriptedCall, SessionScript } from '../../src-shared/timeline/session-script.ts';
import type { ToolCall } from '../../src-shared/tool-call/state.ts';
import { outcomeWords } from './outcome.ts';

const call = (facts: Partial<ScriptedCall>): ToolCall => {
  const state = new SessionScript().call({ id: 'c', tool: 'Bash', queued: 10, ...facts }).state();
  return callById(state, 'c' as never) as ToolCall;
};
const ended = (outcome: NonNullable<ScriptedCall['outcome']>, facts: Partial<ScriptedCall> = {}): ToolCall =>
  call({ start: 20, end: 30, outcome, ...facts });
const never = { start: undefined } as unknown as Partial<ScriptedCall>;

test.each([
  [call({}), 'neutral', 'queued'],
  [call({ waits: [{ why: 'lock', at: 11 }] }), 'lock', 'queued'],
  [call({ start: 20 }), 'work', 'running'],
  [call({ start: 20, ask: [21] }), 'human', 'waits for you'],
  [call({ start: 20, ask: [21, 22] }), 'work', 'running'],
  [ended('ok'), 'ok', 'ok'],
  [ended('ok', { exit: { code: 0 } }), 'ok', 'ok, exit 0'],
  [ended('error'), 'error', 'error'],
  [ended('error', { exit: { code: 1 } }), 'error', 'error, exit 1'],
  [ended('error', { exit: { signal: 'SIGKILL' } }), 'error', 'error, SIGKILL'],
  [ended('rejected'), 'human', 'rejected'],
  [ended('denied'), 'neutral', 'denied'],
  [ended('cancelled'), 'cancelled', 'cancelled while running'],
  [ended('cancelled', never), 'cancelled', 'never started'],
  [ended('interrupted'), 'human', 'interrupted'],
  [ended('interrupted', never), 'human', 'interrupted before start'],
  [ended('interrupted', { cancelled: { at: 25, reason: 'shutdown' } }), 'neutral', 'interrupted'],
  [ended('discarded'), 'neutral', 'discarded'],
  [ended('unknown'), 'neutral', 'unknown'],
])('%#: a pill in the hue of %s says %s', (one, tone, label) => {
  expect(outcomeWords(one)).toMatchObject({ tone, label });
});

test('in a row that says the rest, the exit code is enough', () => {
  expect(outcomeWords(ended('error', { exit: { code: 1 } }), true).label).toBe('exit 1');
  expect(outcomeWords(ended('error'), true).label).toBe('error');
});
