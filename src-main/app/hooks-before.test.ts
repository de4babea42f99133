import { describe, expect, test } from 'vitest';
import type { CallId } from '../../src-shared/ids.ts';
import { callById } from '../../src-shared/session/state.ts';
import type { HookInput } from '../core/hooks/hook-input.ts';
import { fixedAsker } from './ask-board.ts';
import { type ExecutorBench, MoodyStore, quiet } from './testing/bench.ts';
import { HandTools } from './testing/hand-tools.ts';
import { denies, hookBench, pre, ran, verdict } from './testing/hook-words.ts';

/** `Bash` needs a question here, as one that changes things does. */
const askingBash = () =>
  new HandTools([
    new HandTools().tool('Bash', {
      isConcurrencySafe: ({ command }) => command.startsWith('ls'),
      cascadeKind: () => 'bash-mutating',
    }),
  ]);

const settled = (on: ExecutorBench) => on.all('permission-settled').map(({ verdict, by }) => `${verdict} by ${by}`);
const asked = (on: ExecutorBench): number => on.all('permission-asked').length;
const stagesOf = (on: ExecutorBench, id: string): readonly string[] =>
  on.all('stage-ended').flatMap((e) => (e.callId === id ? [`${e.stage} ${e.verdict}`] : []));

describe('a hook that denies', () => {
  test('ends the call with its own words, and no tool runs', async () => {
    const on = hookBench(pre(denies('no deletions here')));
    await on.add('a', 'Bash', 'rm -rf build');
    expect(ran(on, 'a')).toBe(false);
    expect(on.outcome('a')).toBe('denied');
    expect(on.result('a')).toBe('no deletions here');
    expect(settled(on)).toEqual(['deny by hook']);
    expect(on.all('permission-settled')[0]?.trace).toEqual([
      { step: 'hook', verdict: 'deny', text: 'A hook denies it', detail: 'no deletions here' },
    ]);
    expect(stagesOf(on, 'a').slice(-1)).toEqual(['hooks-before denied']);
  });

  test('of a Bash call cancels its siblings, of another tool none', async () => {
    const hook = (input: HookInput) =>
      'toolInput' in input && (input.toolInput as { command: string }).command === 'ls no' ? denies('no') : undefined;
    const on = hookBench(hook);
    await on.add('slow', 'Look');
    await on.add('a', 'Bash', 'ls no');
    on.tools.call('slow').throw(new DOMException('stopped', 'AbortError'));
    await quiet();
    expect(on.outcome('slow')).toBe('cancelled');
    expect(on.result('slow')).toBe(
      '<tool_use_error>Cancelled: parallel tool call Bash(ls no) errored</tool_use_error>',
    );
    const other = hookBench(hook);
    await other.add('slow', 'Look');
    await other.add('a', 'Look', 'ls no');
    expect(other.outcome('a')).toBe('denied');
    expect(other.phase('slow')).toBe('executing');
  });

  test('does so in every mode, without looking at rules', async () => {
    const rules = { allow: [{ text: 'Bash', scope: 'session' as const }] };
    for (const mode of ['bypassPermissions', 'dontAsk', 'acceptEdits', 'plan', 'auto'] as const) {
      const on = hookBench(pre(denies('never')), { mode, rules });
      await on.add('a', 'Bash', 'touch x');
      expect(on.result('a'), mode).toBe('never');
    }
  });
});

describe('a hook that allows', () => {
  test('spares the question', async () => {
    const on = hookBench(pre(verdict('allow')), { tools: askingBash() });
    await on.add('a', 'Bash', 'npm test');
    expect(asked(on)).toBe(0);
    expect(settled(on)).toEqual(['allow by hook']);
    expect(ran(on, 'a')).toBe(true);
  });

  test('does not lift a deny rule', async () => {
    const rules = { deny: [{ text: 'Bash(npm:*)', scope: 'user' as const }] };
    const on = hookBench(pre(verdict('allow')), { tools: askingBash(), rules });
    await on.add('a', 'Bash', 'npm test');
    expect(on.outcome('a')).toBe('denied');
    expect(settled(on)).toEqual(['deny by rule']);
    expect(on.result('a')).toContain('Bash(npm:*)');
  });

  test('does not skip an ask rule', async () => {
    const rules = { ask: [{ text: 'Bash(npm:*)', scope: 'user' as const }] };
    const on = hookBench(pre(verdict('allow')), { tools: askingBash(), rules });
    await on.add('a', 'Bash', 'npm test');
    expect(asked(on)).toBe(1);
    expect(ran(on, 'a')).toBe(false);
  });
});

describe('a hook that wants a question', () => {
  test('has one asked of a call that needs none, in every mode; a new rule does not answer it', async () => {
    const on = hookBench(pre(verdict('ask', 'are you sure')), { mode: 'bypassPermissions' });
    await on.add('a', 'Change');
    expect(asked(on)).toBe(1);
    expect(on.all('permission-asked')[0]?.trace[0]).toMatchObject({ step: 'hook', detail: 'are you sure' });
    on.rules = { ...on.rules, allow: [{ text: 'Change', scope: 'session' }] };
    on.board.ruleAdded('Change');
    await quiet();
    expect(ran(on, 'a')).toBe(false);
    on.board.answer('a' as CallId, on.askIdOf('a'), { kind: 'allow-once' });
    await quiet();
    expect(ran(on, 'a')).toBe(true);
  });

  test('is denied where nobody is asked', async () => {
    const on = hookBench(pre(verdict('ask')), { mode: 'dontAsk' });
    await on.add('a', 'Change');
    expect(on.outcome('a')).toBe('denied');
    const alone = hookBench(pre(verdict('ask')), { asker: fixedAsker('no-user') });
    await alone.add('a', 'Change');
    expect(alone.outcome('a')).toBe('denied');
  });
});

describe('a hook that changes the input', () => {
  const changes = (command: string, more: object = {}) => pre({ updatedInput: { command }, ...more });

  test('has the changed one run, and the model’s own go back as it came', async () => {
    const on = hookBench(changes('touch b'));
    await on.add('a', 'Change', 'touch a');
    expect(on.tools.call('a').input).toEqual({ command: 'touch b' });
    expect(on.all('call-input-changed')).toMatchObject([{ by: 'hook', input: { command: 'touch b' } }]);
    expect(callById(on.log.state, 'a' as CallId)?.input).toEqual({ command: 'touch a' });
  });

  test('is refused when the changed one does not fit the schema, and that is said', async () => {
    const on = hookBench(pre({ updatedInput: { order: 'touch b' } }));
    await on.add('a', 'Change', 'touch a');
    expect(ran(on, 'a')).toBe(false);
    expect(on.result('a')).toContain('The required parameter `command` is missing');
    expect(on.result('a')).toContain('as a PreToolUse hook changed it');
    expect(on.outcome('a')).toBe('error');
  });

  test.each([
    ['rm x', 'ls'],
    ['ls', 'rm x'],
  ])('meets deny and ask rules with the model’s %s and with its own %s', async (own, changed) => {
    const rule = [{ text: 'Bash(rm:*)', scope: 'project' as const }];
    const denied = hookBench(changes(changed, verdict('allow')), { tools: askingBash(), rules: { deny: rule } });
    await denied.add('a', 'Bash', own);
    expect(ran(denied, 'a')).toBe(false);
    const questions = hookBench(changes(changed, verdict('allow')), {
      tools: askingBash(),
      rules: { ask: rule },
      settings: { strategy: 'serial' },
    });
    await questions.add('a', 'Bash', own);
    await questions.messageEnds();
    expect(asked(questions)).toBe(1);
  });

  test('has the person asked about what will run', async () => {
    const tools = new HandTools([
      new HandTools().tool('Bash', {
        describeQuestion: async ({ command }) => ({
          title: 'Run?',
          reason: `It is ${command}`,
          risk: '',
          dangerous: false,
        }),
      }),
    ]);
    const on = hookBench(changes('touch b'), { tools });
    await on.add('a', 'Bash', 'touch a');
    expect(on.all('permission-asked')[0]?.question.reason).toBe('It is touch b');
  });

  test('does not make a call unsafe that runs beside others; one that runs alone may become anything', async () => {
    const on = hookBench(changes('touch b'));
    await on.add('a', 'Bash', 'ls');
    expect(ran(on, 'a')).toBe(false);
    expect(on.result('a')).toContain('may not run beside');
    expect(on.all('notice-given')).toMatchObject([{ level: 'warning' }]);
    const alone = hookBench(changes('touch b'), { settings: { strategy: 'serial' } });
    await alone.add('a', 'Bash', 'ls');
    await alone.messageEnds();
    expect(alone.tools.call('a').input).toEqual({ command: 'touch b' });
  });
});

describe('hooks and the end of things', () => {
  const never = () => new Promise<never>(() => undefined);

  test('an abort during hooks ends the call at once, with the text of its cancellation', async () => {
    const on = hookBench(pre(never()));
    await on.add('a', 'Look');
    expect(on.phase('a')).toBe('executing');
    on.executor.interrupt('escape');
    await quiet();
    expect(on.outcome('a')).toBe('interrupted');
    expect(on.result('a')).toMatch(/^The user doesn't want to proceed/);
    expect(on.all('hook-ended')).toMatchObject([{ outcome: 'cancelled' }]);
    expect(ran(on, 'a')).toBe(false);
  });

  test('a call whose hooks are no longer asked does not run', async () => {
    const on = hookBench(pre({ aborted: true }));
    await on.add('a', 'Look');
    expect(ran(on, 'a')).toBe(false);
    expect(on.outcome('a')).toBe('interrupted');
  });

  test('a fault in what runs hooks before a call keeps it from running', async () => {
    const on = hookBench(pre(Promise.reject(new Error('out of processes'))));
    await on.add('a', 'Change');
    expect(ran(on, 'a')).toBe(false);
    expect(on.result('a')).toBe('<tool_use_error>Error: out of processes</tool_use_error>');
  });

  test('every run is in the journal with its call, before its program starts', async () => {
    const store = new MoodyStore();
    const atStart: boolean[] = [];
    const on = hookBench(
      (input) => {
        atStart.push(store.events.some((e) => e.type === 'stage-started' && e.stage === 'hooks-before'));
        return input.event === 'PreToolUse' ? verdict('allow') : {};
      },
      { store },
    );
    await on.add('a', 'Change');
    on.tools.call('a').end();
    await quiet();
    expect(atStart).toEqual([true, true]);
    expect(on.all('hook-started')).toMatchObject([
      { callId: 'a', hookEvent: 'PreToolUse' },
      { callId: 'a', hookEvent: 'PostToolUse' },
    ]);
    expect(on.all('hook-ended')).toMatchObject([{ outcome: 'allow' }, { outcome: 'ok' }]);
    expect(callById(on.log.state, 'a' as CallId)?.hookRuns).toHaveLength(2);
  });

  test('a session that is paused starts no hook', async () => {
    const store = new MoodyStore();
    const on = hookBench(pre({}), { store });
    store.full = true;
    await on.add('a', 'Change');
    expect(on.hooks.inputs).toEqual([]);
    store.full = false;
    await on.advance(2_000);
    expect(on.hooks.inputs).toHaveLength(1);
  });
});
