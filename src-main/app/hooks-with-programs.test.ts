import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { living } from '../../e2e/living.ts';
import type { CallId } from '../../src-shared/ids.ts';
import { millis } from '../../src-shared/units.ts';
import { decides, HookBench, program, says, specific } from '../adapters/hooks/testing/hook-bench.ts';
import { until } from '../adapters/process/until.fixture.ts';
import { type BenchOptions, ExecutorBench, quiet } from './testing/bench.ts';
import { begins, ends, uses } from './testing/hand-model.ts';
import { HandTools } from './testing/hand-tools.ts';
import { ran } from './testing/hook-words.ts';
import { SessionBench } from './testing/session-bench.ts';

/** The stages with hooks that are real programs, set as a settings file sets them. The tools are the test's. */

let hooks: HookBench;
beforeEach(() => {
  hooks = new HookBench();
});
afterEach(() => hooks.close());

const executor = (options: BenchOptions = {}): ExecutorBench => new ExecutorBench({ ...options, hooks: hooks.runner });
const askingBash = () =>
  new HandTools([
    new HandTools().tool('Bash', {
      isConcurrencySafe: ({ command }) => command.startsWith('ls'),
      cascadeKind: () => 'bash-mutating',
    }),
  ]);

const ended = (on: ExecutorBench, id: string): Promise<string> =>
  until(`the end of ${id}`, () => on.outcome(id)) as Promise<string>;
const started = (on: ExecutorBench, id: string): Promise<boolean> =>
  until(`the start of ${id}`, () => on.tools.calls.has(id));
const hookEnds = (on: ExecutorBench) => on.all('hook-ended').map(({ outcome, exitCode }) => [outcome, exitCode]);

describe('deny', () => {
  test('by exit code 2: its words are the result, and a Bash call cancels its siblings', async () => {
    hooks.setMatching('PreToolUse', 'Bash', says('', 'no deletions here\n', 2));
    const on = executor();
    await on.add('reads', 'Look');
    await on.add('a', 'Bash', 'ls -R build');
    expect(await ended(on, 'a')).toBe('denied');
    expect(on.result('a')).toBe('no deletions here');
    on.tools.call('reads').throw(new DOMException('stopped', 'AbortError'));
    expect(await ended(on, 'reads')).toBe('cancelled');
    expect(on.result('reads')).toBe(
      '<tool_use_error>Cancelled: parallel tool call Bash(ls -R build) errored</tool_use_error>',
    );
    expect(hookEnds(on)).toEqual([['deny', 2]]);
  });

  test('by JSON, beside another hook that allows', async () => {
    hooks.set('PreToolUse', says(decides('allow')), says(decides('deny', { permissionDecisionReason: 'never' })));
    const on = executor({ mode: 'bypassPermissions' });
    await on.add('a', 'Bash', 'rm x');
    expect(await ended(on, 'a')).toBe('denied');
    expect(on.result('a')).toBe('never');
    expect(on.all('permission-settled')[0]?.trace[0]?.detail).toContain('never');
    expect(on.all('hook-started')).toHaveLength(2);
  });
});

test('allow spares a question, and lifts no deny rule', async () => {
  hooks.set('PreToolUse', says(decides('allow')));
  const on = executor({ tools: askingBash() });
  await on.add('a', 'Bash', 'npm test');
  await until('a to run', () => ran(on, 'a'));
  expect(on.all('permission-settled')).toMatchObject([{ verdict: 'allow', by: 'hook' }]);
  const strict = executor({ tools: askingBash(), rules: { deny: [{ text: 'Bash(npm:*)', scope: 'user' }] } });
  await strict.add('a', 'Bash', 'npm test');
  expect(await ended(strict, 'a')).toBe('denied');
  expect(strict.all('permission-settled')).toMatchObject([{ verdict: 'deny', by: 'rule' }]);
});

test('ask has a person asked about a call that needs no question', async () => {
  hooks.set('PreToolUse', says(decides('ask', { permissionDecisionReason: 'look at this' })));
  const on = executor({ mode: 'bypassPermissions' });
  await on.add('a', 'Change');
  const asked = await until('the question', () => on.all('permission-asked')[0]);
  expect(asked.trace[0]?.detail).toContain('look at this');
  on.board.answer('a' as CallId, on.askIdOf('a'), { kind: 'deny-with-feedback', feedback: 'No.' });
  expect(await ended(on, 'a')).toBe('rejected');
});

test('updatedInput runs in place of the model’s input', async () => {
  hooks.set('PreToolUse', says(specific('PreToolUse', { updatedInput: { command: 'ls src' } })));
  const on = executor();
  await on.add('a', 'Bash', 'ls -R src');
  await started(on, 'a');
  expect(on.tools.call('a').input).toEqual({ command: 'ls src' });
  expect(on.all('hook-ended')[0]?.effects).toEqual(['changed the input']);
});

test('additionalContext from before and after stands behind the result', async () => {
  hooks.settings({
    hooks: {
      PreToolUse: [
        { hooks: [{ type: 'command', command: says(specific('PreToolUse', { additionalContext: 'one' })) }] },
      ],
      PostToolUse: [
        { hooks: [{ type: 'command', command: says(specific('PostToolUse', { additionalContext: 'two' })) }] },
      ],
    },
  });
  const on = executor();
  await on.add('a', 'Look');
  await started(on, 'a');
  on.tools.call('a').end('seen');
  expect(await ended(on, 'a')).toBe('ok');
  expect(on.all('call-completed')[0]?.result.content).toMatchObject([
    { text: 'seen' },
    { text: expect.stringContaining('PreToolUse:Look hook additional context: one') },
    { text: expect.stringContaining('PostToolUse:Look hook additional context: two') },
  ]);
});

describe('continue: false', () => {
  test.each(['PreToolUse', 'PostToolUse'] as const)('of %s ends the turn once the call has ended', async (event) => {
    hooks.set(event, says({ continue: false, stopReason: 'enough for today' }));
    const on = new SessionBench({ hooks: hooks.runner });
    await on.send('Hello');
    await on.model.now.send(begins('m1'), uses('a', 'Look'), ends('tool-use'));
    await until('the start of a', () => on.tools.calls.has('a'));
    on.tools.call('a').end('seen');
    await on.session.idle;
    expect(on.all('turn-ended')).toMatchObject([{ reason: 'stopped-by-hook', message: 'enough for today' }]);
    expect(on.all('call-completed')).toMatchObject([{ outcome: 'ok', result: { content: [{ text: 'seen' }] } }]);
    expect(on.all('continuation-stopped')).toMatchObject([{ callId: 'a' }]);
    expect(on.model.streams).toHaveLength(1);
  });
});

describe('a hook that does not work decides nothing, and that is told', () => {
  test('when it runs into its time limit', async () => {
    const command = program('ignores-term.sh', hooks.path('ready'));
    hooks.set('PreToolUse', { command, timeout: 5 });
    const on = executor();
    await on.add('a', 'Look');
    const pid = Number(await hooks.wait('ready'));
    expect(ran(on, 'a')).toBe(false);
    hooks.clock.advance(millis(5_000));
    await started(on, 'a');
    expect(hookEnds(on)).toEqual([['timed-out', undefined]]);
    expect(on.all('notice-given')[0]?.text).toContain('ran longer than 5 s');
    expect(living([pid])).toEqual([]);
  });

  test.each<[string, string, string]>([
    ['when it dies of a signal, whatever it said before', program('kills-itself.sh'), 'was ended by SIGKILL'],
    ['when it is not there', '/no/such/guard.sh', 'could not be run (exit code 127)'],
    ['when it fails', says('', 'cannot read the rules', 1), 'failed with exit code 1'],
  ])('%s', async (_when, command, words) => {
    hooks.set('PreToolUse', command);
    const on = executor({ tools: askingBash() });
    await on.add('a', 'Bash', 'npm test');
    // No yes came of it: the call is asked about as if there were no hook.
    await until('the question', () => on.all('permission-asked')[0]);
    expect(hookEnds(on).map(([outcome]) => outcome)).toEqual(['error']);
    expect(on.all('notice-given')[0]?.text).toContain(words);
  });
});

test('Esc while a hook runs ends its program and the call, which never runs', async () => {
  hooks.set('PreToolUse', program('starts-children.sh', hooks.path('ready')));
  const on = executor();
  await on.add('a', 'Look');
  const pids = (await hooks.wait('ready')).trim().split(' ').map(Number);
  on.executor.interrupt('escape');
  expect(await ended(on, 'a')).toBe('interrupted');
  expect(on.tools.calls.size).toBe(0);
  expect(hookEnds(on)).toEqual([['cancelled', undefined]]);
  expect(living(pids)).toEqual([]);
});

test('hooks of one call run side by side, and it waits for the slowest', async () => {
  const [first, second] = ['first', 'second'].map((name) =>
    program('waits-for.sh', hooks.path(`${name}-ready`), hooks.path(`${name}-go`), ''),
  );
  hooks.set('PreToolUse', first as string, second as string);
  const on = executor();
  await on.add('a', 'Look');
  await Promise.all([hooks.wait('first-ready'), hooks.wait('second-ready')]);
  hooks.write('first-go');
  await until('the end of the first', () => on.all('hook-ended')[0]);
  await quiet();
  expect(ran(on, 'a')).toBe(false);
  hooks.write('second-go');
  await started(on, 'a');
});

test('a hook of the prompt keeps a message back, and one of the end keeps the turn going', async () => {
  hooks.settings({
    hooks: {
      UserPromptSubmit: [{ hooks: [{ type: 'command', command: `grep -q secret && exit 2; exit 0` }] }],
    },
  });
  const on = new SessionBench({ hooks: hooks.runner });
  await on.send('a secret');
  await on.session.idle;
  expect(on.model.streams).toEqual([]);
  hooks.set('Stop', `grep -q '"stop_hook_active":false' && { echo 'run the tests' >&2; exit 2; }; exit 0`);
  await on.send('Hello');
  await until('the request', () => on.model.streams.length === 1);
  await on.model.now.send(begins('m1'), ends());
  await until('the second request', () => on.model.streams.length === 2);
  expect(JSON.stringify(on.model.now.request.messages)).toContain('Stop hook feedback:\\nrun the tests');
  await on.model.now.send(begins('m2'), ends());
  await on.session.idle;
  expect(on.all('turn-ended').at(-1)).toMatchObject({ reason: 'completed' });
});
