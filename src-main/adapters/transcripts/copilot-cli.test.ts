import { expect, test } from 'vitest';
import { factsOf, openFixture, testFixtures } from './approve.ts';
import { brief } from './write-transcript.ts';

const PARALLEL = 'parallel-1.0/events.jsonl';

testFixtures('copilot-cli', [PARALLEL]);

test('starts and ends are as recorded, side by side', async () => {
  const { call } = await openFixture('copilot-cli', PARALLEL);
  expect(['c_view', 'c_grep', 'c_bash'].map((id) => brief(call(id)))).toEqual([
    'ok 2070–2200 lane 0',
    'ok 2072–2140 lane 1',
    'error 2075–7260 lane 2',
  ]);
  expect(call('c_bash')).toMatchObject({
    run: { timing: { certainty: 'measured' } },
    end: { timing: { certainty: 'measured' }, exit: { code: 3 } },
  });
});

test('the wait for an answer is a stage of its own', async () => {
  const { call } = await openFixture('copilot-cli', PARALLEL);
  expect(call('c_bash').stages).toMatchObject([{ stage: 'permission', from: 2080, until: 6080, verdict: 'allow' }]);
  expect(call('c_no')).toMatchObject({
    end: { outcome: 'rejected' },
    permission: { by: 'user', feedback: 'Leave the shed.' },
  });
});

test('a call that was asked for and never started is a mark', async () => {
  const { call, state } = await openFixture('copilot-cli', PARALLEL);
  expect(brief(call('c_never'))).toBe('interrupted never');
  expect(state.turns.findLast((turn) => turn.agentId === 'main')?.end?.reason).toBe('rejected');
});

test('a sub-agent hangs on its call, with its own calls', async () => {
  const opened = await openFixture('copilot-cli', PARALLEL);
  expect(factsOf(opened, 'agent-started')).toMatchObject([
    { agentId: 'c_task', parentCallId: 'c_task', name: 'Explore Agent', agentType: 'explore', depth: 1 },
  ]);
  expect(opened.call('c_sub').agentId).toBe('c_task');
});

test('hooks, the prompt and a command in the background are told', async () => {
  const opened = await openFixture('copilot-cli', PARALLEL);
  expect(factsOf(opened, 'hook-started')).toMatchObject([
    { hookEvent: 'UserPromptSubmit' },
    { hookEvent: 'PostToolUse' },
  ]);
  expect(factsOf(opened, 'hook-ended')).toMatchObject([
    { outcome: 'ok' },
    { outcome: 'error', stderr: 'The hook ended with 1' },
  ]);
  expect(factsOf(opened, 'prompt-prepared')).toHaveLength(1);
  expect(factsOf(opened, 'shell-ended')).toMatchObject([{ t: 12_760, end: { kind: 'exited', code: 0 } }]);
});
