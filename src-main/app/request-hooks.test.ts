import { expect, test } from 'vitest';
import type { CallId } from '../../src-shared/ids.ts';
import type { HookInput } from '../core/hooks/hook-input.ts';
import type { MergedHooks } from '../core/hooks/merge.ts';
import { fixedAsker } from './ask-board.ts';
import { type BenchOptions, type ExecutorBench, quiet } from './testing/bench.ts';
import { HandTools } from './testing/hand-tools.ts';
import { hookBench, ran, verdict } from './testing/hook-words.ts';

const asking = () =>
  new HandTools([new HandTools().tool('Bash', { isConcurrencySafe: ({ command }) => command === 'ls' })]);

type Request = NonNullable<MergedHooks['request']>;
const bench = (request: Request | undefined, options: BenchOptions = {}) =>
  hookBench((input) => (input.event === 'PermissionRequest' ? { request } : undefined), {
    tools: asking(),
    ...options,
  });

const settled = (on: ExecutorBench) => on.all('permission-settled').map(({ verdict, by }) => `${verdict} by ${by}`);
const asked = (on: ExecutorBench) => on.all('permission-asked').length;
const events = (on: { readonly hooks: { readonly inputs: readonly HookInput[] } }) =>
  on.hooks.inputs.map(({ event }) => event);

test('hooks may say yes in a person’s place', async () => {
  const on = bench({ behavior: 'allow' });
  await on.add('a', 'Bash', 'npm test');
  expect(asked(on)).toBe(0);
  expect(ran(on, 'a')).toBe(true);
  expect(settled(on)).toEqual(['allow by hook']);
  expect(on.hooks.inputs.find(({ event }) => event === 'PermissionRequest')).toMatchObject({
    toolName: 'Bash',
    toolInput: { command: 'npm test' },
  });
});

test('hooks may say no, and end the turn by it', async () => {
  const on = bench({ behavior: 'deny', message: 'not on a Friday' });
  await on.add('a', 'Bash', 'npm test');
  expect(on.outcome('a')).toBe('denied');
  expect(on.result('a')).toBe('not on a Friday');
  expect(settled(on)).toEqual(['deny by hook']);
  expect(on.turnRefused).toBe(0);
  const ended = bench({ behavior: 'deny', interrupt: true });
  await ended.add('a', 'Bash', 'npm test');
  expect(ended.turnRefused).toBe(1);
});

test('hooks that leave it open leave it to the person, who is called', async () => {
  const on = bench(undefined);
  await on.add('a', 'Bash', 'npm test');
  expect(asked(on)).toBe(1);
  expect(events(on)).toEqual(['PreToolUse', 'PermissionRequest', 'Notification']);
  on.board.answer('a' as CallId, on.askIdOf('a'), { kind: 'allow-once' });
  await quiet();
  expect(settled(on)).toEqual(['allow by user']);
});

test('a yes skips no ask rule, lifts no deny rule, and does not answer for a person whom a hook wanted', async () => {
  const rule = [{ text: 'Bash(npm:*)', scope: 'user' as const }];
  const byRule = bench({ behavior: 'allow' }, { rules: { ask: rule } });
  await byRule.add('a', 'Bash', 'npm test');
  expect(asked(byRule)).toBe(1);
  const denied = bench({ behavior: 'allow', updatedInput: { command: 'npm test' } }, { rules: { deny: rule } });
  await denied.add('a', 'Bash', 'make');
  expect(ran(denied, 'a')).toBe(false);
  expect(settled(denied)).toEqual(['deny by rule']);
  const wanted = hookBench(
    (input) => (input.event === 'PreToolUse' ? verdict('ask') : { request: { behavior: 'allow' } }),
    { tools: asking() },
  );
  await wanted.add('a', 'Bash', 'npm test');
  expect(asked(wanted)).toBe(1);
  expect(events(wanted)).not.toContain('PermissionRequest');
});

test('a yes to a changed input has that run; it is checked like a new one', async () => {
  const on = bench({ behavior: 'allow', updatedInput: { command: 'make check' } });
  await on.add('a', 'Bash', 'make');
  expect(on.all('call-input-changed')).toMatchObject([{ by: 'hook', input: { command: 'make check' } }]);
  expect(ran(on, 'a')).toBe(true);
  const wrong = bench({ behavior: 'allow', updatedInput: { order: 'make' } });
  await wrong.add('a', 'Bash', 'make');
  expect(wrong.outcome('a')).toBe('error');
  expect(wrong.result('a')).toContain('as a PermissionRequest hook changed it');
});

test('permissions that hooks want to add are not added, and that is said', async () => {
  const on = bench({ behavior: 'allow', updatedPermissions: [{ type: 'addRules' }] });
  await on.add('a', 'Bash', 'make');
  expect(ran(on, 'a')).toBe(true);
  expect(on.rules.allow).toEqual([]);
  expect(on.all('notice-given')).toMatchObject([{ text: expect.stringContaining('adds none for hooks') }]);
});

test('without a person nobody is called and no hook answers for one', async () => {
  const on = bench({ behavior: 'allow' }, { asker: fixedAsker('no-user') });
  await on.add('a', 'Bash', 'make');
  expect(on.outcome('a')).toBe('denied');
  expect(events(on)).toEqual(['PreToolUse']);
});

test('an abort while they run ends the call with the text of its cancellation', async () => {
  const never = new Promise<never>(() => undefined);
  const on = hookBench((input) => (input.event === 'PermissionRequest' ? never : undefined), { tools: asking() });
  await on.add('a', 'Bash', 'make');
  on.executor.interrupt('escape');
  await quiet();
  expect(on.outcome('a')).toBe('interrupted');
  expect(settled(on)).toEqual(['deny by cancelled']);
});
