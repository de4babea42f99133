import { expect, test } from 'vitest';
import type { CallId } from '../../src-shared/ids.ts';
import type { Answer, PermissionMode } from '../../src-shared/permission/event.ts';
import { askUserQuestionTool } from '../adapters/tools/ask-user-question.ts';
import { exitPlanModeTool } from '../adapters/tools/exit-plan-mode.ts';
import type { AnyTool, ToolRegistry } from '../ports/tool.ts';
import { fixedAsker } from './ask-board.ts';
import { type BenchOptions, ExecutorBench, quiet } from './testing/bench.ts';
import { hookBench } from './testing/hook-words.ts';

const only = (tool: AnyTool): ToolRegistry => ({
  all: [tool],
  find: (name) => (name === tool.name ? tool : undefined),
});

const QUESTION = {
  question: 'Which store?',
  header: 'Store',
  options: [{ label: 'SQLite' }, { label: 'A file', description: 'Nothing to install' }],
};
const INPUT = { questions: [QUESTION] };
const ANSWERED = { ...INPUT, answers: { 'Which store?': 'SQLite' } };

const tools = only(askUserQuestionTool);
const asking = (options: BenchOptions = {}) => new ExecutorBench({ ...options, tools });

async function answer(on: ExecutorBench, id: string, given: Answer): Promise<void> {
  on.board.answer(id as CallId, on.askIdOf(id), given);
  await quiet();
}

test('a question is put to the person with its choices, and the model hears the answers', async () => {
  const on = asking();
  await on.add('a', 'AskUserQuestion', INPUT);
  expect(on.all('permission-asked')[0]?.question).toMatchObject({
    title: 'A question to you',
    choices: [{ ...QUESTION, multiSelect: false, options: [{ label: 'SQLite', description: '' }, {}] }],
  });
  expect(on.all('permission-asked')[0]?.question).not.toHaveProperty('proposedRule');
  await answer(on, 'a', { kind: 'allow-edited', input: ANSWERED });
  expect(on.outcome('a')).toBe('ok');
  expect(on.result('a')).toBe('The person answered:\n- Which store? → SQLite');
});

const MODES: readonly PermissionMode[] = ['default', 'acceptEdits', 'plan', 'auto', 'bypassPermissions'];
test.each(MODES)('mode %s asks, and so does an allow rule', async (mode) => {
  const on = asking({ mode, rules: { allow: [{ text: 'AskUserQuestion', scope: 'user' }] } });
  await on.add('a', 'AskUserQuestion', INPUT);
  expect(on.all('permission-asked')).toHaveLength(1);
  expect(on.phase('a')).toBe('executing');
});

test('a hook’s bare yes does not answer, but its answers do', async () => {
  const yes = { verdict: 'allow', reason: 'fine' } as const;
  const bare = hookBench(({ event }) => (event === 'PreToolUse' ? { verdict: yes } : undefined), { tools });
  await bare.add('a', 'AskUserQuestion', INPUT);
  expect(bare.all('permission-asked')).toHaveLength(1);

  const answering = hookBench(
    ({ event }) => (event === 'PreToolUse' ? { verdict: yes, updatedInput: ANSWERED } : undefined),
    { tools },
  );
  await answering.add('a', 'AskUserQuestion', INPUT);
  expect(answering.all('permission-asked')).toEqual([]);
  expect(answering.result('a')).toBe('The person answered:\n- Which store? → SQLite');

  const inPlace = hookBench(
    ({ event }) =>
      event === 'PermissionRequest' ? { request: { behavior: 'allow', updatedInput: ANSWERED } } : undefined,
    { tools },
  );
  await inPlace.add('a', 'AskUserQuestion', INPUT);
  expect(inPlace.all('permission-asked')).toEqual([]);
  expect(inPlace.result('a')).toContain('SQLite');
});

test('answers of a hook are denied by a deny rule and asked about by an ask rule', async () => {
  const rule = [{ text: 'AskUserQuestion', scope: 'user' as const }];
  const hook = ({ event }: { readonly event: string }) =>
    event === 'PreToolUse'
      ? { verdict: { verdict: 'allow', reason: 'fine' } as const, updatedInput: ANSWERED }
      : undefined;
  const denied = hookBench(hook, { tools, rules: { deny: rule } });
  await denied.add('a', 'AskUserQuestion', INPUT);
  expect(denied.outcome('a')).toBe('denied');
  const asked = hookBench(hook, { tools, rules: { ask: rule } });
  await asked.add('a', 'AskUserQuestion', INPUT);
  expect(asked.all('permission-asked')).toHaveLength(1);
});

test('the model cannot answer itself', async () => {
  const on = asking();
  await on.add('a', 'AskUserQuestion', ANSWERED);
  expect(on.outcome('a')).toBe('error');
  expect(on.result('a')).toContain('An unexpected parameter `answers` was provided');
});

test('an answer that leaves a question open is refused', async () => {
  const on = asking();
  await on.add('a', 'AskUserQuestion', INPUT);
  await answer(on, 'a', { kind: 'allow-edited', input: { ...INPUT, answers: { 'Which store?': ' ' } } });
  expect(on.result('a')).toContain('"Which store?" has no answer.');
});

test('other safe calls run while a question waits', async () => {
  const on = asking();
  await on.add('a', 'AskUserQuestion', INPUT);
  await on.add('b', 'AskUserQuestion', { questions: [{ ...QUESTION, question: 'And now?' }] });
  expect(on.all('permission-asked')).toHaveLength(2);
});

test.each([
  ['no-user', 'AskUserQuestion cannot be answered: this run has nobody to ask.'],
  ['allow', 'Nobody answered.'],
] as const)('without a person (%s) the model is told so', async (kind, words) => {
  const on = asking({ asker: fixedAsker(kind) });
  await on.add('a', 'AskUserQuestion', INPUT);
  expect(on.result('a')).toContain(words);
  expect(on.result('a')).not.toContain('by a rule or a mode');
});

test.each([
  [{ questions: [] }, 'questions'],
  [{ questions: [{ ...QUESTION, options: [{ label: 'One' }] }] }, 'options'],
  [{ questions: [QUESTION, QUESTION] }, 'is asked twice'],
  [{ questions: [{ ...QUESTION, options: [{ label: 'A' }, { label: 'A' }] }] }, 'has the option "A" twice'],
])('a question that cannot be shown is an error: %j', async (input, words) => {
  const on = asking();
  await on.add('a', 'AskUserQuestion', input);
  expect(on.outcome('a')).toBe('error');
  expect(on.result('a')).toContain(words);
});

const PLAN = { plan: '# Tax\n1. Add it\n2. Test it' };
const planning = (mode: PermissionMode) => {
  const on: ExecutorBench = new ExecutorBench({
    mode,
    tools: only(exitPlanModeTool),
    host: {
      mode: () => on.mode,
      setMode: (next) => {
        on.mode = next;
      },
    },
  });
  return on;
};

test('an approved plan leaves plan mode, into the mode that was chosen', async () => {
  const on = planning('plan');
  await on.add('a', 'ExitPlanMode', PLAN);
  expect(on.all('permission-asked')[0]?.question).toMatchObject({ plan: PLAN.plan, title: 'Go on with this plan?' });
  await answer(on, 'a', { kind: 'allow-once' });
  expect(on.mode).toBe('default');
  const accepting = planning('plan');
  await accepting.add('a', 'ExitPlanMode', PLAN);
  await answer(accepting, 'a', { kind: 'allow-edited', input: { ...PLAN, mode: 'acceptEdits' } });
  expect(accepting.mode).toBe('acceptEdits');
  expect(accepting.result('a')).toContain('The permission mode is acceptEdits now.');
});

test('a plan that is sent back stays in plan mode, and the model hears why', async () => {
  const on = planning('plan');
  await on.add('a', 'ExitPlanMode', PLAN);
  await answer(on, 'a', { kind: 'deny-with-feedback', feedback: 'Test it first.' });
  expect(on.mode).toBe('plan');
  expect(on.result('a')).toContain('Test it first.');
  expect(on.turnRefused).toBe(0);
});

test('outside of plan mode there is nothing to approve, and nobody is asked', async () => {
  const on = planning('acceptEdits');
  await on.add('a', 'ExitPlanMode', PLAN);
  expect(on.all('permission-asked')).toEqual([]);
  expect(on.result('a')).toContain('This session is not in plan mode but in mode acceptEdits.');
});

test('the model cannot choose the mode it goes on in', async () => {
  const on = planning('plan');
  await on.add('a', 'ExitPlanMode', { ...PLAN, mode: 'acceptEdits' });
  expect(on.result('a')).toContain('An unexpected parameter `mode` was provided');
});
