import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { explainPermission, type Here, Question } from './explain.ts';

const HERE: Here = { cwd: '/here', home: '/home/h', platform: 'linux', realPath: (path) => path };
const explain = (question: object) => explainPermission(Question.parse(question), HERE);

type Case = {
  readonly id: string;
  readonly expected: string;
  readonly also_ok?: readonly string[];
};
const cases = readFileSync(new URL('./fixtures/permissions.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Case);

test(`of ${cases.length} collected cases all are decided as they should be, and none is allowed that should not`, () => {
  const decided = cases.map((each) => ({ ...each, decision: explain(each).decision }));
  const isRight = ({ decision, expected, also_ok = [] }: (typeof decided)[number]): boolean =>
    decision === expected || also_ok.includes(decision);
  const show = ({ id, expected, decision }: (typeof decided)[number]): string => `${id}: ${decision}, not ${expected}`;
  expect(decided.filter((each) => each.decision === 'allow' && !isRight(each)).map(show)).toEqual([]);
  expect(decided.filter((each) => !isRight(each)).map(show)).toEqual([]);
});

const question = (more: object) => ({
  settings: { source: 'project', allow: [], ask: [], deny: [] },
  cwd: '/proj/app',
  tool: 'Bash',
  input: { command: 'npm i' },
  ...more,
});
const decision = (more: object) => explain(question(more)).decision;

describe('a question', () => {
  test('needs no more than a tool', () => {
    expect(explain({ tool: 'mcp__a__b' })).toMatchObject({ decision: 'ask', by: 'fallback', warnings: [] });
    expect(explain({ tool: 'Read', input: { file_path: '/here/a' } }).decision).toBe('allow');
    expect(
      explain({ tool: 'Read', input: { file_path: '~/a' }, settings: { allow: ['Read(//home/h/**)'] } }).decision,
    ).toBe('allow');
  });

  test('may hold several settings, their rules as in a file, and folders', () => {
    const settings = { source: 'user', permissions: { deny: ['Bash(npm:*)'], additionalDirectories: ['/lib'] } };
    expect(decision({ other_settings: [settings] })).toBe('deny');
    expect(decision({ other_settings: [settings], tool: 'Read', input: { file_path: '/lib/a' } })).toBe('allow');
  });

  test('says which of its rules do less than is meant', () => {
    const settings = { source: 'project', allow: ['*', 'Bash(npm i)'], deny: ['bash(rm *)'] };
    const { decision: decided, warnings } = explain(question({ settings }));
    expect(decided).toBe('allow');
    expect(warnings).toEqual([
      '* (allow, project): An allow rule names its tool; a star may only stand behind mcp__server__.',
      'bash(rm *) (deny, project): No tool is called bash. Names are compared with their case.',
    ]);
  });

  test('may list the links there are', () => {
    const read = (fs: object) => decision({ tool: 'Read', input: { file_path: 'd/k' }, fs });
    expect(read({ symlinks: { '/proj/app/d': '/etc' } })).toBe('ask');
    expect(read({ symlinks: { '/proj/app/d': 'e' } })).toBe('allow');
    expect(read({ symlinks: { '/proj/app/d': '../../x' } })).toBe('ask');
    expect(read({ symlinks: { '/proj/app/d': 'd' } })).toBe('ask');
  });
});

describe('hooks of a question', () => {
  const hook = (given: unknown, more: object = {}) => decision({ hook: given, ...more });
  const says = (permissionDecision: string, more: object = {}) => ({
    event: 'PreToolUse',
    permissionDecision,
    ...more,
  });
  const request = (more: object) => ({ event: 'PermissionRequest', ...more });
  const rules = (lists: object) => ({ settings: { source: 'project', ...lists } });

  test('are read as their programs’ ends and output', () => {
    expect(hook(null)).toBe('ask');
    expect(hook(says('allow'))).toBe('allow');
    expect(hook({ exit_code: 2, stderr: 'no' })).toBe('deny');
    expect(hook({ exit_code: 1, stderr: 'boom' })).toBe('ask');
    expect(hook({ exit_code: 0, stdout: '{"decision":"approve"}' })).toBe('allow');
    expect(hook({ exit_code: 0, stdout: { decision: 'block' } })).toBe('deny');
    expect(hook({ exit_code: 0, stdout: 'allow' })).toBe('ask');
    expect(hook(says('allow', { async: true }))).toBe('ask');
    expect(hook(says('allow', { matcher: 'Edit|Write' }))).toBe('ask');
    expect(hook(says('allow', { matcher: 'Ba.*' }))).toBe('allow');
    expect(hook(says('allow', { if: 'Bash(git *)' }))).toBe('ask');
    expect(hook([says('allow'), says('ask')])).toBe('ask');
    expect(hook([says('allow'), says('deny')])).toBe('deny');
  });

  test('may change the input, which is looked at like the model’s own, and so is that', () => {
    const change = (command: string) => says('allow', { updatedInput: { command } });
    expect(hook(change('curl x'), rules({ deny: ['Bash(curl *)'] }))).toBe('deny');
    expect(hook(change('ls'), rules({ deny: ['Bash(npm *)'] }))).toBe('deny');
    expect(hook(change('ls'), rules({ ask: ['Bash(npm *)'] }))).toBe('ask');
    expect(hook(says('ask', { updatedInput: { command: 'ls' } }))).toBe('ask');
  });

  test('may answer a question, and then allow no more than before it', () => {
    const yes = request({ behavior: 'allow' });
    expect(hook(yes)).toBe('allow');
    expect(hook(request({ behavior: 'deny' }))).toBe('deny');
    expect(hook(yes, rules({ deny: ['Bash'] }))).toBe('deny');
    expect(hook(yes, rules({ ask: ['Bash'] }))).toBe('ask');
    expect(hook(yes, { input: { command: 'rm -rf ~' } })).toBe('ask');
    expect(hook(yes, { mode: 'dontAsk' })).toBe('deny');
    expect(hook([says('ask'), yes])).toBe('ask');
    expect(
      hook(request({ behavior: 'allow', updatedInput: { command: 'curl x' } }), rules({ deny: ['Bash(curl *)'] })),
    ).toBe('deny');
    expect(hook(request({ updatedPermissions: [{ type: 'setMode', mode: 'bypassPermissions' }] }))).toBe('ask');
  });

  test('are warned about', () => {
    const { warnings } = explain(question({ hook: { stdout: { permissionDecision: 'deny' } } }));
    expect(warnings).toEqual([expect.stringContaining('At the top level permissionDecision has no effect')]);
  });
});

describe('a classifier in mode auto', () => {
  const auto = (more: object) => explain(question({ mode: 'auto', ...more }));

  test('is heard by its verdict, and whatever is no allow asks', () => {
    expect(auto({ classifier: 'allow' })).toMatchObject({ decision: 'allow', by: 'classifier' });
    for (const word of ['ask', 'unsure', 'deny', 'ALLOW', '']) expect(auto({ classifier: word }).decision).toBe('ask');
    const { trace } = auto({ classifier: { name: 'strict', verdict: 'no', reason: 'it installs programs' } });
    expect(trace.find(({ step }) => step === 'classifier')).toEqual({
      step: 'classifier',
      verdict: 'pass',
      text: 'The classifier strict does not allow it',
      detail: 'it installs programs',
    });
  });

  test('is nobody where none is named, and the built-in one by its name', () => {
    const touch = { input: { command: 'touch notes.txt' } };
    expect(auto(touch).decision).toBe('ask');
    expect(auto({ ...touch, classifier: 'rules' })).toMatchObject({ decision: 'allow', by: 'classifier' });
    expect(auto({ classifier: 'rules' }).decision).toBe('ask');
  });

  test('is not heard in other modes, nor over rules, hooks and the tool’s own word', () => {
    const yes = { classifier: 'allow' };
    expect(decision({ ...yes, mode: 'default' })).toBe('ask');
    expect(auto({ ...yes, settings: { deny: ['Bash(npm:*)'] } }).decision).toBe('deny');
    expect(auto({ ...yes, settings: { ask: ['Bash(npm:*)'] } }).decision).toBe('ask');
    expect(auto({ ...yes, hook: { permissionDecision: 'ask' } }).decision).toBe('ask');
    expect(auto({ ...yes, hook: { permissionDecision: 'deny' } }).decision).toBe('deny');
    expect(auto({ ...yes, input: { command: 'rm -rf /' } }).decision).toBe('ask');
    expect(auto({ ...yes, input: { command: 'npm i > .git/config' } }).decision).toBe('ask');
    expect(auto({ ...yes, tool: 'Write', input: { file_path: '.npmrc', content: '' } }).decision).toBe('ask');
  });
});
