import { expect, test } from 'vitest';
import type { CallId, SessionId } from '../../src-shared/ids.ts';
import type { HookInput } from '../core/hooks/hook-input.ts';
import { FakeHookRunner } from './hook-runner.fake.ts';
import { silentHookRunner } from './hook-runner.ts';

const input: HookInput = {
  event: 'PreToolUse',
  session: { sessionId: 's' as SessionId, transcriptPath: '/t', cwd: '/w', permissionMode: 'default' },
  callId: 'c' as CallId,
  toolName: 'Bash',
  toolInput: {},
};

/** What the listener is told, as words. */
function listening() {
  const told: string[] = [];
  const on = { started: () => told.push('started'), ended: ({ outcome }: { outcome: string }) => told.push(outcome) };
  return { told, on };
}

test('the fake answers as it is told, and tells of a run', async () => {
  const runner = new FakeHookRunner(() => ({ verdict: { verdict: 'deny', reason: 'no' } }));
  const { told, on } = listening();
  const merged = await runner.run(input, new AbortController().signal, on);
  expect(merged).toMatchObject({ verdict: { verdict: 'deny' }, aborted: false, runs: [{ outcome: 'deny' }] });
  expect(told).toEqual(['started', 'deny']);
  expect(runner.inputs).toEqual([input]);
});

test('an answer that is kept back ends with the signal', async () => {
  const runner = new FakeHookRunner(() => new Promise(() => undefined));
  const { told, on } = listening();
  const controller = new AbortController();
  const running = runner.run(input, controller.signal, on);
  controller.abort('escape');
  expect(await running).toMatchObject({ aborted: true, verdict: { verdict: 'none' } });
  expect(told).toEqual(['started', 'cancelled']);
});

test('without an answer no hook is set; the silent runner never has one', async () => {
  for (const runner of [new FakeHookRunner(), silentHookRunner]) {
    const { told, on } = listening();
    expect(await runner.run(input, new AbortController().signal, on)).toMatchObject({ runs: [], aborted: false });
    expect(told).toEqual([]);
  }
});

test('what background hooks say is taken once', () => {
  const runner = new FakeHookRunner();
  runner.say({ text: 'tests pass', name: 'PostToolUse:Write', command: 'test.sh', wakes: false });
  expect(runner.takeBackgroundOutput()).toHaveLength(1);
  expect(runner.takeBackgroundOutput()).toEqual([]);
});
