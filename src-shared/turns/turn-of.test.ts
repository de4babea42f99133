import { expect, test } from 'vitest';
import type { CallId } from '../ids.ts';
import { emptySession } from '../session/state.ts';
import { SessionScript } from '../timeline/session-script.ts';
import { sessionTime } from '../units.ts';
import { endOfTurn, mainTurns, turnOf } from './turn-of.ts';

/** Two turns of the main agent; a sub-agent works in a turn of its own while the second goes on. */
const script = () =>
  new SessionScript()
    .turn('turn-1', 0, 100)
    .request('r1', 0, [10], 50, { turn: 'turn-1', message: 'm1' })
    .call({ id: 'a', tool: 'Read', queued: 10, start: 10, end: 40, message: 'm1' })
    .turn('turn-2', 200)
    .request('r2', 200, [210], 250, { turn: 'turn-2', message: 'm2' })
    .call({ id: 'b', tool: 'Agent', queued: 210, start: 210, end: 400, message: 'm2' })
    .agent('explore', 'Explore', 220, { until: 390, parent: 'b' })
    .turn('turn-3', 220, 390, 'explore')
    .request('r3', 220, [230], 240, { turn: 'turn-3', message: 'm3', agent: 'explore' })
    .call({ id: 'c', tool: 'Read', queued: 230, start: 230, end: 300, message: 'm3', agent: 'explore' });

const call = (callId: string) => ({ callId: callId as CallId });
const at = (t: number) => ({ t: sessionTime(t) });

test('a call belongs to the turn of the request that asked for it, a sub-agent’s to the sub-agent’s turn', () => {
  const state = script().state();
  expect(turnOf(state, call('a'))?.turnId).toBe('turn-1');
  expect(turnOf(state, call('b'))?.turnId).toBe('turn-2');
  expect(turnOf(state, call('c'))?.turnId).toBe('turn-3');
});

test('where no request is told, a call belongs to its agent’s turn at the time', () => {
  const state = script().call({ id: 'late', tool: 'Read', queued: 150, start: 150, end: 160, message: 'none' }).state();
  expect(turnOf(state, call('late'))?.turnId).toBe('turn-1');
});

test('a time belongs to the main agent’s turn that had begun by then', () => {
  const state = script().state();
  expect(turnOf(state, at(-5))?.turnId).toBe('turn-1');
  expect(turnOf(state, at(199))?.turnId).toBe('turn-1');
  expect(turnOf(state, at(230))?.turnId).toBe('turn-2');
});

test('without a call that is known and without a time it is the newest', () => {
  const state = script().state();
  expect(turnOf(state, {})?.turnId).toBe('turn-2');
  expect(turnOf(state, call('nobody'))?.turnId).toBe('turn-2');
  expect(turnOf(emptySession(), {})).toBeUndefined();
});

test('a file of a sub-agent alone has its turn', () => {
  const state = new SessionScript().turn('turn-1', 0, 10, 'explore').state();
  expect(turnOf(state, {})?.turnId).toBe('turn-1');
});

test('a turn ends when it says so, when the next begins, or where the recording does', () => {
  const state = new SessionScript().turn('turn-1', 0).turn('turn-2', 200, 300).turn('turn-3', 400).state();
  expect(mainTurns(state).map((turn) => endOfTurn(state, turn))).toEqual([200, 300, 400]);
});
