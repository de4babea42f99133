import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AgentId } from '../../../src-shared/ids.ts';
import { millis } from '../../../src-shared/units.ts';
import { afterStopHooks, stopCap } from '../../core/hooks/stop-loop.ts';
import { isAlive } from '../process/runs.fixture.ts';
import { until } from '../process/until.fixture.ts';
import { decides, HookBench, program, says, specific } from './testing/hook-bench.ts';

let bench: HookBench;
beforeEach(() => {
  bench = new HookBench();
});
afterEach(() => bench.close());

describe('the end of a turn', () => {
  /** Ends turns until the hooks let one end, as the agent loop does. */
  async function endTurn(cap: number) {
    let rounds = 0;
    for (;;) {
      const after = afterStopHooks(await bench.run(bench.stop(rounds > 0)), rounds, cap);
      if (after.kind === 'end') return { rounds, warning: after.warning };
      rounds = after.rounds;
    }
  }

  test('H81 a hook that always blocks is overruled after eight rounds, with a warning', async () => {
    bench.set('Stop', says('', 'never', 2));
    expect(await endTurn(stopCap({}))).toEqual({
      rounds: 8,
      warning: 'Stop hooks kept the turn going 8 times in a row. It ends now.',
    });
  });

  test('H81 it is told that the turn goes on because of a hook, and can let it end', async () => {
    bench.set('Stop', 'grep -q \'"stop_hook_active":true\' || { echo again >&2; exit 2; }');
    expect(await endTurn(stopCap({}))).toEqual({ rounds: 1, warning: undefined });
  });

  test('H81 the number of rounds can be set', async () => {
    bench.set('Stop', says({ decision: 'block', reason: 'never' }));
    expect((await endTurn(stopCap({ CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '2' }))).rounds).toBe(2);
    expect(
      ['0', '-1', 'many', '1.5', undefined].map((cap) => stopCap({ CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: cap })),
    ).toEqual(Array(5).fill(8));
  });

  test('H81 context keeps the turn going like a block, under the same limit', async () => {
    const merged = await bench.runWith(says(specific('Stop', { additionalContext: 'run the tests' })), bench.stop());
    expect(afterStopHooks(merged, 0, 8)).toEqual({ kind: 'go-on', text: 'run the tests', rounds: 1 });
    expect(await endTurn(3)).toMatchObject({ rounds: 3 });
  });

  test('H82 continue: true means nothing', async () => {
    const merged = await bench.runWith(says({ continue: true }), bench.stop());
    expect(afterStopHooks(merged, 0, 8)).toEqual({ kind: 'end', warning: undefined });
    expect(merged.preventContinuation).toBeUndefined();
  });

  test('H14 the end of a sub-agent’s turn is held the same way', async () => {
    const merged = await bench.runWith(says('', 'look again', 2), bench.subagentStop('Explore'));
    expect(afterStopHooks(merged, 0, 8)).toMatchObject({ kind: 'go-on', text: 'look again' });
  });
});

describe('background hooks', () => {
  const endedCount = (count: number) => until('the hooks to end', () => bench.ended.length === count);

  test('H84 nobody waits for them, and what they decide counts for nothing', async () => {
    const out = JSON.stringify({
      ...decides('deny', { additionalContext: 'late' }),
      continue: false,
      systemMessage: 'hello',
    });
    bench.set('PreToolUse', {
      command: program('waits-for.sh', bench.path('ready'), bench.path('go'), out, 2),
      async: true,
    });
    const merged = await bench.run(bench.pre());
    expect(merged).toMatchObject({ runs: [], verdict: { verdict: 'none' }, preventContinuation: undefined });
    await bench.wait('ready');
    expect(bench.runner.takeBackgroundOutput()).toEqual([]);
    bench.write('go');
    await endedCount(1);
    expect(bench.runner.takeBackgroundOutput()).toMatchObject([
      { text: 'late', name: 'PreToolUse:Bash', wakes: false },
      { text: 'hello', wakes: false },
    ]);
    expect(bench.runner.takeBackgroundOutput()).toEqual([]);
    expect(bench.ended).toMatchObject([{ outcome: 'ok', exitCode: 2 }]);
  });

  test('H84 fields of the wrong type are dropped one by one, and rubbish does no harm', async () => {
    bench.set(
      'PostToolUse',
      { command: says({ systemMessage: 7, ...specific('PostToolUse', { additionalContext: 'kept' }) }), async: true },
      { command: says({ systemMessage: ['no'], hookSpecificOutput: 'none' }), async: true },
      { command: says('{"systemMessage": "cut o'), async: true },
      { command: says('[1]'), async: true },
    );
    await bench.run(bench.post());
    await endedCount(4);
    expect(bench.runner.takeBackgroundOutput()).toMatchObject([{ text: 'kept' }]);
    const dropped = bench.ended.flatMap(({ notice }) => (notice?.includes('Not used for their type') ? [notice] : []));
    expect(dropped).toHaveLength(2);
  });

  test('H85 one that still runs when the session ends is ended and told as cancelled', async () => {
    bench.set('PostToolUse', {
      command: program('waits-for.sh', bench.path('ready'), bench.path('never')),
      async: true,
    });
    await bench.run(bench.post());
    const pid = Number(await bench.wait('ready'));
    await bench.runner.close();
    expect(bench.ended).toMatchObject([{ outcome: 'cancelled' }]);
    expect(isAlive(pid)).toBe(false);
  });

  test('H85 one that was started by a call outlives the end of that call', async () => {
    const controller = new AbortController();
    bench.set('PostToolUse', { command: program('waits-for.sh', bench.path('ready'), bench.path('go')), async: true });
    await bench.run(bench.post(), controller.signal);
    await bench.wait('ready');
    controller.abort('escape');
    bench.write('go');
    await endedCount(1);
    expect(bench.ended).toMatchObject([{ outcome: 'ok', exitCode: 0 }]);
  });

  test('H86 asyncRewake is not waited for; exit 2 wakes the model with standard error, else with standard output', async () => {
    bench.set(
      'SessionStart',
      { command: program('waits-for.sh', bench.path('ready'), bench.path('go'), 'from out', 2), asyncRewake: true },
      { command: says('from out', 'from err', 2), asyncRewake: true },
      { command: says('quiet', 'quiet', 1), asyncRewake: true },
    );
    expect((await bench.run(bench.start())).runs).toEqual([]);
    await endedCount(2);
    expect(bench.runner.takeBackgroundOutput()).toMatchObject([{ text: 'from err', wakes: true }]);
    bench.write('go');
    await endedCount(3);
    expect(bench.runner.takeBackgroundOutput()).toMatchObject([{ text: 'from out', wakes: true }]);
  });

  test('when its end cannot be told, closing says so: nobody else waits for it', async () => {
    bench.set('PostToolUse', { command: says(''), async: true });
    const listener = {
      started: () => undefined,
      ended: () => {
        throw new Error('the journal is closed');
      },
    };
    await bench.runner.run(bench.post(), new AbortController().signal, listener);
    await expect(bench.runner.close()).rejects.toThrow('the journal is closed');
  });

  test('H39 a background hook has the same time limit', async () => {
    bench.set('PostToolUse', {
      command: program('waits-for.sh', bench.path('ready'), bench.path('never')),
      async: true,
    });
    await bench.run(bench.post());
    await bench.wait('ready');
    bench.clock.advance(millis(600_000));
    await endedCount(1);
    expect(bench.ended).toMatchObject([{ outcome: 'timed-out' }]);
  });
});

describe('what a hook is told', () => {
  test.each([
    ['~/notes.md', (bench: HookBench) => `${bench.home}/notes.md`],
    ['src/../a.ts', (bench: HookBench) => `${bench.project}/a.ts`],
    ['/etc/./hosts', () => '/etc/hosts'],
  ])('H88 the path %s of a file tool is absolute', async (path, expected) => {
    for (const toolName of ['Read', 'Write', 'Edit']) {
      const toolInput = { file_path: path, limit: 3 };
      await bench.runWith(program('saves-input.sh', bench.path('input'), ''), bench.pre({ toolName, toolInput }));
      expect(JSON.parse(bench.read('input') ?? '')).toMatchObject({
        tool_input: { file_path: expected(bench), limit: 3 },
      });
      expect(toolInput.file_path).toBe(path);
    }
  });

  test('H91 inside a sub-agent the same hooks run and are told which', async () => {
    const agent = { agentId: 'agent-7' as AgentId, agentType: 'Explore' };
    bench.set('PreToolUse', program('saves-input.sh', bench.path('input'), ''));
    await bench.run(bench.pre({ session: bench.session({ agent }) }));
    expect(JSON.parse(bench.read('input') ?? '')).toMatchObject({ agent_id: 'agent-7', agent_type: 'Explore' });
    await bench.run(bench.pre());
    expect(JSON.parse(bench.read('input') ?? '')).not.toHaveProperty('agent_id');
  });
});

describe('settings of a session', () => {
  const deny = (more: object = {}) => ({
    hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: says('', 'guarded', 2) }] }] },
    ...more,
  });
  const verdict = async () => (await bench.run(bench.pre())).verdict.verdict;

  test('H92 disableAllHooks of the strongest file counts, but managed hooks only stop by managed settings', async () => {
    bench.settings(deny({ disableAllHooks: true }), 'user');
    expect(await verdict()).toBe('none');
    bench.settings({ disableAllHooks: false }, 'project');
    expect(await verdict()).toBe('deny');
    bench.settings({ disableAllHooks: true }, 'local');
    expect(await verdict()).toBe('none');
    bench.settings(deny(), 'managed');
    expect(await verdict()).toBe('deny');
    bench.settings(deny({ disableAllHooks: true }), 'managed');
    expect(await verdict()).toBe('none');
  });

  test('H93 what a folder brings does not run and decides nothing until the folder is trusted, and is listed', async () => {
    const hook = { type: 'command', command: says(decides('allow')) };
    const project = { disableAllHooks: true, hooks: { PreToolUse: [{ hooks: [hook] }] } };
    bench.settings(deny(), 'user', false);
    const held = bench.settings(project, 'project', false);
    expect(held.leftOut).toMatchObject([
      { hook: { command: hook.command, scope: 'project' }, why: 'folder-not-trusted' },
    ]);
    expect(await verdict()).toBe('deny');
    const trusted = bench.settings({ hooks: project.hooks }, 'project', true);
    expect(trusted.leftOut).toEqual([]);
    expect((await bench.run(bench.pre())).runs).toHaveLength(2);
  });

  test('H94 a hook at the end of the session gets the time it asks for, and the others with it, up to a minute', async () => {
    const waits = program('waits-for.sh', bench.path('ready'), bench.path('go'));
    bench.set(
      'SessionEnd',
      { command: waits, timeout: 20 },
      program('waits-for.sh', bench.path('other'), bench.path('go')),
    );
    const running = bench.run(bench.end());
    await Promise.all([bench.wait('ready'), bench.wait('other')]);
    bench.clock.advance(millis(19_999));
    bench.write('go');
    expect((await running).runs.map(({ outcome }) => outcome)).toEqual(['ok', 'ok']);
    bench.set('SessionEnd', {
      command: program('waits-for.sh', bench.path('again'), bench.path('never')),
      timeout: 600,
    });
    const long = bench.run(bench.end());
    await bench.wait('again');
    bench.clock.advance(millis(60_000));
    expect((await long).runs).toMatchObject([{ outcome: 'timed-out' }]);
  });

  test('H95 changed settings count for the next happening', async () => {
    bench.settings(deny());
    expect(await verdict()).toBe('deny');
    bench.settings({});
    expect(await verdict()).toBe('none');
  });
});
