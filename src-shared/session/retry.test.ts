import { expect, test } from 'vitest';
import { type AgentId, MAIN_AGENT } from '../ids.ts';
import { SessionScript } from '../timeline/session-script.ts';
import { retryWaitOf } from './retry.ts';

const failed = () => new SessionScript().turn('turn-1', 0).request('r', 10, [], 500, { failed: 'Overloaded.' });

test('between two tries an agent waits, until the next one', () => {
  const state = failed().state();
  expect(retryWaitOf(state, MAIN_AGENT)).toEqual({ from: 500, until: 1500, attempt: 2, message: 'Overloaded.' });
  expect(retryWaitOf(state, 'other' as AgentId)).toBeUndefined();
  expect(retryWaitOf(failed().request('r2', 1500, [], undefined, { attempt: 2 }).state(), MAIN_AGENT)).toBeUndefined();
});

test('a turn that was stopped, and a session that has ended, wait for nothing', () => {
  const stopped = new SessionScript().turn('turn-1', 0, 700).request('r', 10, [], 500, { failed: 'Overloaded.' });
  expect(retryWaitOf(stopped.state(), MAIN_AGENT)).toBeUndefined();
  const ended = failed().at(900, { type: 'session-ended', reason: 'closed' });
  expect(retryWaitOf(ended.state(), MAIN_AGENT)).toBeUndefined();
});
