import { expect, test } from 'vitest';
import { factsOf, openFixture, testFixtures } from './approve.ts';
import { brief } from './write-transcript.ts';

const TREE = 'tree-v3/2026-02-11T09-30-00-000Z_019d0000-0000-7000-8000-00000000e001.jsonl';
const STREAM = 'stream/output.jsonl';

testFixtures('pi', [TREE, STREAM]);

test('calls whose results were written together ran side by side, and their ends are guesses', async () => {
  const { call } = await openFixture('pi', TREE);
  expect(['w1', 'w2', 'w3'].map((id) => brief(call(id)))).toEqual([
    'ok 2092–4191 lane 0',
    'ok 2092–4193 lane 1',
    'error 2092–4195 lane 2',
  ]);
  expect(call('w2')).toMatchObject({ end: { timing: { source: 'line-time', earliest: 2092, latest: 4193 } } });
});

test('answers on a branch that was left are marked', async () => {
  const opened = await openFixture('pi', TREE);
  expect(factsOf(opened, 'attempt-discarded')).toHaveLength(2);
  expect(opened.state.title).toBe('Anchors');
});

test('an answer that was stopped leaves a mark for its call, an error ends its turn', async () => {
  const { call, state } = await openFixture('pi', TREE);
  expect(brief(call('w5'))).toBe('interrupted never');
  expect(state.turns.map((turn) => turn.end?.reason)).toEqual(['completed', 'completed', 'interrupted', 'error']);
});

test('the cost of an answer is its own', async () => {
  const [first] = factsOf(await openFixture('pi', TREE), 'message-completed');
  expect(first).toMatchObject({
    usage: { inputTokens: 400, outputTokens: 60, cacheReadTokens: 100, cacheCreationTokens: 0, costUsd: 0.003 },
  });
});
