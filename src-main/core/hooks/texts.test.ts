import { expect, test } from 'vitest';
import type { CallId, HookRunId } from '../../../src-shared/ids.ts';
import { SessionEvent } from '../../../src-shared/session/event.ts';
import { collectHooks } from './settings.ts';
import { hookEnded, hookStarted, MOST_HOOK_CHARACTERS, recordedText } from './texts.ts';
import { timeoutOf } from './timeouts.ts';

const hooksOf = (event: string, ...timeouts: readonly (number | undefined)[]) =>
  collectHooks({
    files: [
      {
        scope: 'user',
        file: '/home/me/.claude/settings.json',
        settings: {
          hooks: {
            [event]: [{ hooks: timeouts.map((timeout, i) => ({ type: 'command', command: `x${i}`, timeout })) }],
          },
        },
      },
    ],
    trusted: true,
  }).hooks;

test('a run is recorded as events of the journal', () => {
  const hook = hooksOf('PreToolUse', undefined)[0]!;
  const start = { runId: 'run-1' as HookRunId, hook, name: 'PreToolUse:Bash' };
  const stamp = { seq: 0, at: 0, t: 0 };
  const started = hookStarted(start, 'toolu_1' as CallId);
  expect(SessionEvent.parse({ ...started, ...stamp })).toMatchObject({
    command: 'x0',
    callId: 'toolu_1',
    source: hook.file,
  });
  const report = {
    ...start,
    exitCode: 2,
    durationMs: 5,
    stdout: '',
    stderr: 'no',
    outcome: 'deny',
    effects: ['denied the call'],
    notice: undefined,
  } as const;
  const ended = hookEnded(report);
  expect(SessionEvent.parse({ ...ended, ...stamp })).toEqual({ ...ended, ...stamp });
  expect(ended).not.toHaveProperty('notice');
  expect(hookEnded({ ...report, exitCode: undefined, notice: 'broken' })).toMatchObject({ notice: 'broken' });
});

test('a stream is recorded up to a bound, and says when there was more', () => {
  const text = 'x'.repeat(MOST_HOOK_CHARACTERS + 1);
  expect(recordedText({ text: 'short', bytes: 5, cut: false })).toBe('short');
  expect(recordedText({ text, bytes: 12_345, cut: false })).toBe(`${text.slice(1)}\n[cut: 12345 bytes in all]`);
});

test.each([
  ['PreToolUse', [undefined], 0, 600_000],
  ['PreToolUse', [2], 0, 2_000],
  ['PreToolUse', [1e9], 0, 2 ** 31 - 1],
  ['UserPromptSubmit', [undefined], 0, 30_000],
  ['UserPromptSubmit', [90], 0, 90_000],
  ['SessionEnd', [undefined], 0, 1_500],
  ['SessionEnd', [0.5], 0, 500],
  ['SessionEnd', [undefined, 20], 0, 20_000],
  ['SessionEnd', [600, undefined], 1, 60_000],
])('%s with limits %j: hook %i may run %i ms', (event, timeouts, index, expected) => {
  const hooks = hooksOf(event, ...timeouts);
  expect(timeoutOf(hooks[index]!, hooks)).toBe(expected);
});
