import { expect, test } from 'vitest';
import type { CallId } from '../../src-shared/ids.ts';
import type { Answer } from '../../src-shared/permission/event.ts';
import type { Tool } from '../ports/tool.ts';
import { fixedAsker } from './ask-board.ts';
import { type BenchOptions, ExecutorBench, quiet } from './testing/bench.ts';
import { type HandInput, HandTools } from './testing/hand-tools.ts';

/** `Bash` of the hand tools needs no question; this one does, and its rules are the real ones. */
const askingBash = (more: Partial<Tool<HandInput, string>> = {}) =>
  new HandTools([
    new HandTools().tool('Bash', {
      isConcurrencySafe: ({ command }) => command.startsWith('ls'),
      cascadeKind: () => 'bash-mutating',
      checkPermissions: async () => ({ verdict: 'pass', because: 'Not read-only' }),
      ...more,
    }),
  ]);

const bench = (options: BenchOptions = {}, more: Partial<Tool<HandInput, string>> = {}) =>
  new ExecutorBench({ ...options, tools: askingBash(more) });

async function answer(on: ExecutorBench, id: string, given: Answer): Promise<boolean> {
  const accepted = on.board.answer(id as CallId, on.askIdOf(id), given);
  await quiet();
  return accepted;
}

const settled = (on: ExecutorBench) =>
  on.all('permission-settled').map(({ callId, verdict, by }) => `${callId} ${verdict} by ${by}`);

const ran = (on: ExecutorBench, id: string): boolean =>
  on.all('stage-started').some(({ callId, stage }) => callId === id && stage === 'run');

test('what is allowed once runs, and the event holds the whole trace', async () => {
  const on = bench();
  await on.add('a', 'Bash', 'npm test');
  expect(ran(on, 'a')).toBe(false);
  expect(await answer(on, 'a', { kind: 'allow-once' })).toBe(true);
  expect(ran(on, 'a')).toBe(true);
  expect(settled(on)).toEqual(['a allow by user']);
  expect(on.all('permission-settled')[0]).toMatchObject({ askId: on.askIdOf('a') });
  expect(on.all('permission-settled')[0]?.trace.map(({ step }) => step)).toEqual([
    'hook',
    'deny-rules',
    'ask-rules',
    'tool',
    'mode',
    'allow-rules',
    'fallback',
    'user',
  ]);
});

test('a refusal without a word ends the turn; one with words goes on', async () => {
  const on = bench();
  await on.add('a', 'Bash', 'npm test');
  await answer(on, 'a', { kind: 'deny-with-feedback', feedback: 'Use pnpm.' });
  expect(on.outcome('a')).toBe('rejected');
  expect(on.result('a')).toMatch(/^The user doesn't want to proceed .* the user said:\nUse pnpm\.$/s);
  expect(on.turnRefused).toBe(0);
  await on.add('b', 'Bash', 'npm test');
  await answer(on, 'b', { kind: 'deny' });
  expect(on.result('b')).toMatch(/STOP what you are doing and wait for the user to tell you how to proceed\.$/);
  expect(on.turnRefused).toBe(1);
});

test('while one call asks, others go on', async () => {
  const on = bench();
  await on.add('ls', 'Bash', 'lsx');
  await on.add('look', 'Look');
  expect(on.inPhase('executing')).toEqual(['ls', 'look']);
  on.board.close();
  await quiet();
  expect(settled(on)).toContain('ls deny by closed');
});

test('an edited input is checked anew, by schema and by the tool', async () => {
  const on = bench(
    {},
    {
      validateInput: async ({ command }) =>
        command.includes('bad') ? { ok: false, message: 'That is a bad one.' } : { ok: true },
    },
  );
  await on.add('a', 'Bash', 'npm test');
  await answer(on, 'a', { kind: 'allow-edited', input: { command: 'a bad one' } });
  expect(on.result('a')).toBe('That is a bad one.');
  await on.add('b', 'Bash', 'npm test');
  await answer(on, 'b', { kind: 'allow-edited', input: { cmd: 'x' } });
  expect(on.result('b')).toContain('The required parameter `command` is missing');
  await on.add('c', 'Bash', 'npm test');
  await answer(on, 'c', { kind: 'allow-edited', input: { command: 'npm run lint' } });
  expect(ran(on, 'c')).toBe(true);
  expect(on.all('call-input-changed').at(-1)).toMatchObject({ by: 'user', input: { command: 'npm run lint' } });
  // Each question has one end, also where the edit was no good.
  expect(settled(on)).toEqual(['a deny by user', 'b deny by user', 'c allow by user']);
});

test('an edited input that is no JSON is refused, and does not reach the journal', async () => {
  const on = bench();
  await on.add('a', 'Bash', 'npm test');
  await answer(on, 'a', { kind: 'allow-edited', input: { command: 1n } });
  expect(on.outcome('a')).toBe('denied');
  expect(on.all('call-input-changed')).toEqual([]);
});

test('a deny rule still denies an edited input, and the edit hides nothing of the model’s own', async () => {
  const on = bench({ rules: { deny: [{ text: 'Bash(rm:*)', scope: 'project' }] } });
  await on.add('a', 'Bash', 'npm test');
  await answer(on, 'a', { kind: 'allow-edited', input: { command: 'rm -rf build' } });
  expect(on.result('a')).toBe(
    'Permission to use Bash with the edited input has been denied. A deny rule matches (Bash(rm:*) · project).',
  );
  expect(ran(on, 'a')).toBe(false);
});

test('a safe call may not be edited into one that may not run beside others', async () => {
  const on = bench();
  await on.add('a', 'Bash', 'lsx');
  await on.add('look', 'Look');
  await answer(on, 'a', { kind: 'allow-edited', input: { command: 'rm x' } });
  expect(on.outcome('a')).toBe('denied');
  expect(on.result('a')).toContain('may not run beside the calls that run now');
  expect(ran(on, 'a')).toBe(false);
});

test('a rule that is added lets this call run and visibly answers the other questions it covers', async () => {
  const on = bench({}, { isConcurrencySafe: () => true });
  await on.add('a', 'Bash', 'npm test');
  await on.add('b', 'Bash', 'npm test -- --watch');
  await on.add('c', 'Bash', 'npm publish');
  await answer(on, 'a', { kind: 'allow-and-add-rule', rule: 'Bash(npm test:*)', scope: 'session' });
  expect(settled(on)).toEqual(['a allow by user', 'b allow by new-rule']);
  expect(on.all('permission-settled')[0]).toMatchObject({ rule: { text: 'Bash(npm test:*)', scope: 'session' } });
  expect(on.phase('c')).toBe('executing');
  expect(ran(on, 'c')).toBe(false);
  await on.add('d', 'Bash', 'npm test');
  expect(settled(on)).toContain('d allow by rule');
});

test('a rule that is added answers no question that an ask rule or a protected path asks', async () => {
  const rules = { ask: [{ text: 'Bash(git push:*)', scope: 'project' as const }] };
  const on = bench({ rules }, { isConcurrencySafe: () => true });
  await on.add('a', 'Bash', 'git push');
  await on.add('b', 'Bash', 'git push --force');
  await answer(on, 'a', { kind: 'allow-and-add-rule', rule: 'Bash(git push:*)', scope: 'session' });
  expect(settled(on)).toEqual(['a allow by user']);
  const guarded = bench({}, { isConcurrencySafe: () => true, editTarget: async () => 'protected' });
  await guarded.add('a', 'Bash', 'npm test');
  await guarded.add('b', 'Bash', 'npm test');
  await answer(guarded, 'a', { kind: 'allow-and-add-rule', rule: 'Bash', scope: 'session' });
  expect(settled(guarded)).toEqual(['a allow by user']);
});

test('a deny rule denies without a question, with the rule and its source', async () => {
  const on = bench({ rules: { deny: [{ text: 'Bash(npm publish:*)', scope: 'user' }] } });
  await on.add('a', 'Bash', 'cd x && npm publish');
  expect(on.outcome('a')).toBe('denied');
  expect(on.result('a')).toContain('Bash(npm publish:*) · user');
  expect(on.all('permission-asked')).toEqual([]);
});

test('in mode dontAsk a question is a deny, and one that a rule allows runs', async () => {
  const rules = { allow: [{ text: 'Bash(npm test)', scope: 'session' as const }] };
  const on = bench({ mode: 'dontAsk', rules });
  await on.add('b', 'Bash', 'npm test');
  expect(ran(on, 'b')).toBe(true);
  const none = bench({ mode: 'dontAsk', rules });
  await none.add('a', 'Bash', 'npm publish');
  expect(settled(none)).toEqual(['a deny by mode']);
  expect(none.all('permission-asked')).toEqual([]);
});

test('without a user a question is a deny that says so', async () => {
  const on = bench({ asker: fixedAsker('no-user') });
  await on.add('a', 'Bash', 'npm test');
  expect(settled(on)).toEqual(['a deny by no-user']);
  expect(on.result('a')).toBe(
    'Permission to use Bash was not given: this run has nobody to ask. Allow it by a rule or a mode.',
  );
});

test('closing denies what waits', async () => {
  const on = bench();
  await on.add('a', 'Bash', 'npm test');
  on.board.close();
  await quiet();
  expect(settled(on)).toEqual(['a deny by closed']);
  expect(on.outcome('a')).toBe('denied');
});

test('a call that is cancelled while it asks ends as cancelled, and its question is closed', async () => {
  const on = bench();
  await on.add('a', 'Bash', 'npm test');
  on.executor.interrupt('escape');
  await on.messageEnds('cut-off');
  expect(settled(on)).toEqual(['a deny by cancelled']);
  expect(on.outcome('a')).toBe('interrupted');
  expect(on.finished).toHaveLength(1);
});

test('a tool that cannot describe its question is asked about with care', async () => {
  const on = bench({}, { describeQuestion: () => Promise.reject(new Error('the file has gone')) });
  await on.add('a', 'Bash', 'npm test');
  expect(on.all('permission-asked')[0]?.question).toEqual({
    title: 'Run Bash?',
    reason: 'What it will do could not be worked out: the file has gone',
    risk: 'unknown',
    dangerous: true,
  });
});

test('the proposed rule is the tool’s own', async () => {
  const on = bench({}, { suggestRule: () => 'Bash(npm test:*)' });
  await on.add('a', 'Bash', 'npm test');
  expect(on.all('permission-asked')[0]?.question.proposedRule).toBe('Bash(npm test:*)');
});
