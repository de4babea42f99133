import { describe, expect, test } from 'vitest';
import { faultsOfRequest } from '../core/conversation/request-validator.ts';
import type { HookInput } from '../core/hooks/hook-input.ts';
import { FakeHookRunner } from '../ports/hook-runner.fake.ts';
import type { HookRunner } from '../ports/hook-runner.ts';
import { type BenchOptions, ExecutorBench, quiet } from './testing/bench.ts';
import { begins, ends, says, uses } from './testing/hand-model.ts';
import { HandTools } from './testing/hand-tools.ts';
import { type Answer, denies, hookBench, post, pre, words } from './testing/hook-words.ts';
import { SessionBench, told } from './testing/session-bench.ts';

describe('what hooks say for the model', () => {
  const reminder = '<system-reminder>\nPreToolUse:Bash hook additional context: mind the gap\n</system-reminder>';

  test('stands behind the result, whether the tool worked, failed or was denied', async () => {
    for (const end of ['done', 'failed', 'denied'] as const) {
      const rules = end === 'denied' ? { deny: [{ text: 'Change', scope: 'user' as const }] } : {};
      const on = hookBench(pre({ contexts: words('mind the gap') }), { rules });
      await on.add('a', 'Change');
      if (end === 'done') on.tools.call('a').end('done');
      if (end === 'failed') on.tools.call('a').throw(new Error('it broke'));
      await quiet();
      const content = on.all('call-completed')[0]?.result.content;
      expect(content, end).toHaveLength(2);
      expect(content?.[1], end).toEqual({ type: 'text', text: reminder });
    }
  });

  test('comes from hooks after the call as well, theirs last', async () => {
    const on = hookBench((input) => ({
      contexts: words(input.event, `${input.event}:Change`),
      ...(input.event === 'PostToolUse' ? { feedback: words('lint it', 'PostToolUse:Change') } : {}),
    }));
    await on.add('a', 'Change');
    on.tools.call('a').end('done');
    await quiet();
    expect(
      on
        .result('a')
        ?.split('\n')
        .filter((line) => !line.includes('system-reminder')),
    ).toEqual([
      'done',
      'PreToolUse:Change hook additional context: PreToolUse',
      'PostToolUse:Change hook additional context: PostToolUse',
      'PostToolUse:Change hook feedback from check.sh: lint it',
    ]);
  });

  test('is sent once in one form, and every later request begins with the same bytes', async () => {
    const on = new SessionBench({ hooks: new FakeHookRunner(pre({ contexts: words('mind the gap') })) });
    await on.send('Hello');
    await on.model.now.send(begins('m1'), uses('a', 'Look'), ends('tool-use'));
    on.tools.call('a').end('seen');
    await quiet();
    const first = JSON.stringify(on.model.now.request.messages).slice(0, -1);
    expect(first).toContain('mind the gap');
    await on.model.now.send(begins('m2'), uses('b', 'Look'), ends('tool-use'));
    on.tools.call('b').end('seen too');
    await quiet();
    expect(JSON.stringify(on.model.now.request.messages).startsWith(first)).toBe(true);
    expect(faultsOfRequest(on.conversation)).toEqual([]);
  });

  test('stays when the result goes to disk because the message is too large', async () => {
    const hooks = new FakeHookRunner(post({ feedback: words('lint it', 'PostToolUse:Look') }));
    const on = new SessionBench({ hooks, settings: { messageBudget: 10_000 } });
    await on.send('Hello');
    await on.model.now.send(begins('m1'), uses('a', 'Look'), ends('tool-use'));
    on.tools.call('a').end('x'.repeat(40_000));
    await quiet();
    const [result] = told(on.model.now.request.messages).slice(-1);
    expect(result).toMatch(/^result a: <persisted-output>/);
    expect(result).toContain('hook feedback from check.sh: lint it');
    expect([...on.files.files.values()]).toEqual(['x'.repeat(40_000)]);
  });

  test('for the person is a notice', async () => {
    const on = hookBench(pre({ notices: ['check.sh failed and decided nothing.'], messages: words('It is late.') }));
    await on.add('a', 'Change');
    expect(on.all('notice-given')).toMatchObject([
      { level: 'warning', text: 'check.sh failed and decided nothing.' },
      { level: 'info', text: 'It is late.', detail: 'Said by a PreToolUse:Bash hook.' },
    ]);
  });
});

describe('a hook that stops the turn', () => {
  const stops = { preventContinuation: { reason: 'enough for today' } };

  async function withCalls(answer: (input: HookInput) => Answer): Promise<SessionBench> {
    const on = new SessionBench({ hooks: new FakeHookRunner(answer) });
    await on.send('Hello');
    await on.model.now.send(begins('m1'), uses('a', 'Look'), uses('b', 'Change'), ends('tool-use'));
    on.tools.call('a').end('seen');
    await quiet();
    on.tools.call('b').end('changed');
    await quiet();
    return on;
  }

  test.each([
    ['before', pre(stops)],
    ['after', post(stops)],
  ] as const)('%s a call lets all calls of the message run, and sends nothing', async (_when, answer) => {
    const on = await withCalls(answer);
    expect(on.model.streams).toHaveLength(1);
    expect(on.all('call-completed').map(({ outcome }) => outcome)).toEqual(['ok', 'ok']);
    expect(on.all('continuation-stopped')).toMatchObject([
      { callId: 'a', reason: 'enough for today' },
      { callId: 'b', reason: 'enough for today' },
    ]);
    expect(on.all('turn-ended')).toMatchObject([{ reason: 'stopped-by-hook', message: 'enough for today' }]);
    const order = on.log.events.map(({ type }) => type);
    expect(order.indexOf('continuation-stopped')).toBeGreaterThan(order.lastIndexOf('call-completed'));
  });

  test('leaves a conversation that goes on with the next message', async () => {
    const on = await withCalls(post(stops));
    await on.send('Go on.');
    expect(told(on.model.now.request.messages).slice(-3)).toEqual([
      'result a: seen',
      'result b: changed',
      'user: Go on.',
    ]);
    await on.model.now.send(begins('m2'), says('Fine.'), ends());
    expect(faultsOfRequest(on.conversation)).toEqual([]);
  });

  test('does so when it denies the call too, and a person who interrupts has the last word', async () => {
    const denied = new SessionBench({ hooks: new FakeHookRunner(pre({ ...denies('no'), ...stops })) });
    await denied.send('Hello');
    await denied.model.now.send(begins('m1'), uses('a', 'Look'), ends('tool-use'));
    expect(denied.all('turn-ended')).toMatchObject([{ reason: 'stopped-by-hook' }]);

    const escaped = new SessionBench({ hooks: new FakeHookRunner(pre(stops)) });
    await escaped.send('Hello');
    await escaped.model.now.send(begins('m1'), uses('a', 'Look'), ends('tool-use'));
    await escaped.interrupt('escape');
    escaped.tools.call('a').throw(new DOMException('stopped', 'AbortError'));
    await quiet();
    expect(escaped.all('turn-ended')).toMatchObject([{ reason: 'interrupted' }]);
  });
});

describe('hooks after a call', () => {
  const heard = async (act: (on: ExecutorBench) => Promise<void> | void, options: BenchOptions = {}) => {
    const on = hookBench(() => undefined, options);
    await act(on);
    await quiet();
    return on.hooks.inputs.filter(({ event }) => event !== 'PreToolUse');
  };

  test('are told of what worked with the tool’s answer and its length', async () => {
    const [input, ...more] = await heard(async (on) => {
      await on.add('a', 'Bash', 'ls');
      await on.advance(250);
      on.tools.call('a').end('README.md');
    });
    expect(more).toEqual([]);
    expect(input).toMatchObject({
      event: 'PostToolUse',
      callId: 'a',
      toolName: 'Bash',
      toolInput: { command: 'ls' },
      toolResponse: { stdout: 'README.md', interrupted: false },
      durationMs: 250,
      session: {
        sessionId: 'session-1',
        cwd: '/work',
        permissionMode: 'default',
        transcriptPath: '/sessions/journal.jsonl',
      },
    });
  });

  test('are told of what failed, also when an earlier stage ended the call', async () => {
    const failed = await heard(async (on) => {
      await on.add('a', 'Change');
      on.tools.call('a').fail('Exit code 2');
    });
    expect(failed).toMatchObject([{ event: 'PostToolUseFailure', error: 'Exit code 2', isInterrupt: false }]);
    const tools = new HandTools([
      new HandTools().tool('Odd', { validateInput: async () => ({ ok: false, message: 'It is not there.' }) }),
    ]);
    const early = await heard((on) => on.add('a', 'Odd'), { tools });
    expect(early).toMatchObject([{ event: 'PostToolUseFailure', error: 'It is not there.', durationMs: undefined }]);
  });

  test('are not asked of a call that was malformed, refused or stopped', async () => {
    expect(await heard((on) => on.add('a', 'Change', { order: 'x' }))).toEqual([]);
    expect(await heard((on) => on.add('a', 'Teleport'))).toEqual([]);
    const rules = { deny: [{ text: 'Change', scope: 'user' as const }] };
    expect(await heard((on) => on.add('a', 'Change'), { rules })).toEqual([]);
    const stopped = await heard(async (on) => {
      await on.add('a', 'Look');
      on.executor.interrupt('escape');
      on.tools.call('a').throw(new DOMException('stopped', 'AbortError'));
    });
    expect(stopped).toEqual([]);
  });

  test('never change how a call ended, not even when they break', async () => {
    const broken: HookRunner = {
      handles: () => true,
      run: async ({ event }) => {
        if (event !== 'PreToolUse') throw new Error('out of processes');
        return new FakeHookRunner().run({} as HookInput, new AbortController().signal, {} as never);
      },
      takeBackgroundOutput: () => [],
      close: async () => undefined,
    };
    const on = new ExecutorBench({ hooks: broken });
    await on.add('a', 'Change');
    on.tools.call('a').end('done');
    await quiet();
    expect(on.outcome('a')).toBe('ok');
    expect(on.result('a')).toBe('done');
    expect(on.all('notice-given')).toMatchObject([{ level: 'error', detail: 'out of processes' }]);
  });

  test('of an MCP tool come before its output is mapped and may replace it; of others they may not', async () => {
    const server = new HandTools();
    const tools = new HandTools([server.tool('mcp__shop__list', { isConcurrencySafe: () => true })]);
    const on = hookBench(post({ updatedOutput: { value: 'nothing to see' } }), {
      tools,
      mode: 'bypassPermissions',
    });
    await on.add('a', 'mcp__shop__list');
    server.call('a').end('secrets');
    await quiet();
    expect(on.result('a')).toBe('nothing to see');
    expect(on.hooks.inputs.at(-1)).toMatchObject({ event: 'PostToolUse', toolResponse: 'secrets' });
    const stages = on.all('stage-started').map(({ stage }) => stage);
    expect(stages.slice(-4)).toEqual(['run', 'hooks-after', 'map', 'save']);
    await on.add('b', 'Look');
    on.tools.call('b').end('plain');
    await quiet();
    expect(on.result('b')).toBe('plain');
  });
});
