import { expect, test } from 'vitest';
import type { CallId } from '../../src-shared/ids.ts';
import { callById, type SessionState } from '../../src-shared/session/state.ts';
import type { ToolCall } from '../../src-shared/tool-call/state.ts';
import { pricesStory } from '../conversation/samples.ts';
import { Story } from '../conversation/story.ts';
import {
  besideWords,
  CallEvents,
  cascadeStartedBy,
  endWords,
  ranBeside,
  sessionFacts,
  startWords,
  whereTheTimeWent,
} from './facts.ts';

const prices = pricesStory();
const state = prices.state();
const callOf = (id: string, from: SessionState = state): ToolCall => callById(from, id as CallId)!;
const times = (id: string, from = state) =>
  Object.fromEntries(
    whereTheTimeWent(callOf(id, from), from.now, true).lines.map((line) => [line.kind, line.note ?? line.ms]),
  );

test('a cascade counts its victims, and loses only what had run', () => {
  const cascade = cascadeStartedBy(state, 'test' as CallId);
  expect(cascade?.victims.map((victim) => victim.callId)).toEqual(['lint', 'invoice']);
  expect(cascade?.lostMs).toBe(4_000);
  expect(cascadeStartedBy(state, 'lint' as CallId)).toBeUndefined();
});

test('a victim that was cancelled after the cascade was told counts too', () => {
  const late = pricesStory().cancels('agent', 'test', true);
  expect(cascadeStartedBy(late.state(), 'test' as CallId)?.victims).toHaveLength(3);
});

test('the time of a call is cut as its bar is', () => {
  expect(times('test')).toEqual({ queued: 0, lock: 0, hooks: 300, permission: 'by rule', running: 3_692, saving: 8 });
  expect(times('edit')).toEqual({ queued: 0, lock: 1_600, hooks: 300, permission: 2_500, running: 200, saving: 0 });
  expect(times('invoice')).toMatchObject({ lock: 4_000, running: 0 });
});

test('the stretches lie within the whole', () => {
  for (const call of state.calls) {
    const { from, until, lines } = whereTheTimeWent(call, state.now, true);
    for (const span of lines.flatMap((line) => line.spans)) {
      expect(span.from).toBeGreaterThanOrEqual(from);
      expect(span.until).toBeLessThanOrEqual(until);
    }
  }
});

test('starts and ends are told with how they are known', () => {
  expect(startWords(callOf('test'))).toBe('15.20 s, as its block arrived');
  expect(startWords(callOf('edit'))).toBe('10.90 s, after 1.6 s in the queue');
  expect(startWords(callOf('invoice'))).toBe('never');
  expect(endWords(callOf('cart'))).toBe('not yet');
  const story = new Story().you('Go').request().call('r', 'Read', 'a');
  const timing = { certainty: 'inferred', source: 'block-time', earliest: 12_400, latest: 14_100 } as never;
  story.at(12_400).add({ type: 'call-started', callId: 'r' as CallId, lane: 0, batchId: 'b' as never, timing });
  expect(startWords(callOf('r', story.state()))).toBe('not recorded, between 12.4 s and 14.1 s, from block time');
});

test('calls of other agents and calls that only touch in time did not run beside', () => {
  expect(ranBeside(state, callOf('test')).map((call) => call.callId)).toEqual(['lint']);
  expect(besideWords(ranBeside(state, callOf('test')))).toBe('Bash(npm run lint)');
  expect(ranBeside(state, callOf('invoice'))).toEqual([]);
  expect(besideWords(ranBeside(state, callOf('grep')))).toBe('no other call');
});

test('the session is counted by outcome, and running calls count up to now', () => {
  const facts = sessionFacts(state);
  expect(facts.calls).toBe(8);
  expect(Object.fromEntries(facts.outcomes.map(({ outcome, count }) => [outcome, count]))).toEqual({
    ok: 3,
    error: 1,
    cancelled: 2,
    running: 2,
  });
  expect(facts.sumMs).toBe(1_900 + 3_000 + 4_000 + 4_000 + 1_000 + 1_000);
});

test('the events of a call hold those of its hooks, and later ones are added without looking again', () => {
  const finder = new CallEvents('test' as CallId);
  const half = finder.upTo(prices.events.slice(0, 30)).length;
  const all = finder.upTo(prices.events);
  expect(all.length).toBeGreaterThan(half);
  const types = new Set(all.map((event) => event.type));
  for (const type of [
    'block-arrived',
    'call-queued',
    'hook-started',
    'hook-ended',
    'cascade-triggered',
    'call-completed',
  ]) {
    expect(types).toContain(type);
  }
  expect(new CallEvents('test' as CallId).upTo(prices.events)).toEqual(all);
  expect(all.every((event) => !('callId' in event) || event.callId === 'test')).toBe(true);
});
