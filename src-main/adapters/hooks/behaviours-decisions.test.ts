import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PermissionMode } from '../../../src-shared/permission/event.ts';
import type { MergedHooks } from '../../core/hooks/merge.ts';
import { type ChainVerdict, decidePermission } from '../../core/permission/chain.ts';
import { worldWithoutLinks } from '../../core/permission/ground.ts';
import { NO_RULES, type RuleSet } from '../../core/permission/rules.ts';
import { until } from '../process/until.fixture.ts';
import { decides, HookBench, program, says, specific } from './testing/hook-bench.ts';

let bench: HookBench;
beforeEach(() => {
  bench = new HookBench();
});
afterEach(() => bench.close());

/** What the permission chain makes of the hooks' word, for the input they were asked about and the one they gave. */
function chain(
  merged: MergedHooks,
  command: string,
  rules: Partial<RuleSet>,
  mode: PermissionMode = 'default',
): ChainVerdict {
  return decidePermission({
    use: { tool: 'Bash', input: merged.updatedInput ?? { command } },
    original: { tool: 'Bash', input: { command } },
    hook: merged.verdict,
    rules: { ...NO_RULES, ...rules },
    tool: { verdict: 'pass', because: 'test' },
    mode,
    world: worldWithoutLinks('/work'),
  });
}
const rule = (text: string) => [{ text, scope: 'user' as const }];
const context = (text: string) => specific('PreToolUse', { additionalContext: text });

test('H62 all matching hooks run side by side, and the call waits for all of them', async () => {
  const [a, b] = [bench.path('a'), bench.path('b')];
  // Each goes on only when the other has started.
  bench.set(
    'PreToolUse',
    program('waits-for.sh', a, b, ''),
    program('waits-for.sh', b, a, JSON.stringify(decides('ask'))),
  );
  const merged = await bench.run(bench.pre());
  expect(merged.runs.map(({ outcome }) => outcome)).toEqual(['ok', 'ask']);
});

describe('H63 deny beats ask beats allow, whoever ends first, and silence does not count', () => {
  test.each([
    ['allow ask deny', 'deny'],
    ['deny ask allow', 'deny'],
    ['allow ask', 'ask'],
    ['ask allow', 'ask'],
    ['allow', 'allow'],
    ['', 'none'],
  ])('%s: %s', async (decisions, expected) => {
    const given = decisions.split(' ').filter((word) => word !== '');
    bench.set('PreToolUse', says(''), ...given.map((word) => says(decides(word))), says('just text'));
    expect((await bench.run(bench.pre())).verdict.verdict).toBe(expected);
  });
});

test('H64 a hook’s allow lifts neither a deny rule nor an ask rule', async () => {
  const merged = await bench.runWith(says(decides('allow')), bench.bash('rm x'));
  expect(chain(merged, 'rm x', { deny: rule('Bash(rm *)') })).toMatchObject({ verdict: 'deny', by: 'rule' });
  expect(chain(merged, 'rm x', { ask: rule('Bash(rm *)') })).toMatchObject({ verdict: 'ask', by: 'rule' });
  expect(chain(merged, 'rm x', {})).toMatchObject({ verdict: 'allow', by: 'hook' });
});

test('H65 a hook’s ask does not turn a deny rule into a question', async () => {
  const merged = await bench.runWith(says(decides('ask')), bench.bash('rm x'));
  expect(chain(merged, 'rm x', { deny: rule('Bash(rm *)') }).verdict).toBe('deny');
});

test.each<PermissionMode>(['bypassPermissions', 'dontAsk', 'acceptEdits', 'auto', 'plan'])(
  'H66 a hook’s deny counts in mode %s',
  async (mode) => {
    const merged = await bench.runWith(says('', 'no', 2), bench.bash('rm x'));
    expect(chain(merged, 'rm x', { allow: rule('Bash') }, mode)).toMatchObject({ verdict: 'deny', by: 'hook' });
  },
);

test('H67 a hook’s ask ends in a question in mode auto too, and where an allow rule matches', async () => {
  const merged = await bench.runWith(says(decides('ask')), bench.bash('rm x'));
  expect(chain(merged, 'rm x', {}, 'auto').verdict).toBe('ask');
  expect(chain(merged, 'rm x', { allow: rule('Bash') }, 'auto').verdict).toBe('ask');
});

test('H68 updatedInput takes the place of the whole input; what it leaves out is gone', async () => {
  const merged = await bench.runWith(says(decides('allow', { updatedInput: { command: 'ls' } })), bench.pre());
  expect(merged.updatedInput).toEqual({ command: 'ls' });
  expect(merged.runs).toMatchObject([{ effects: ['allowed the call', 'changed the input'] }]);
});

test('H68 an updatedInput that is no object is JSON of the wrong form', async () => {
  const merged = await bench.runWith(says(decides('allow', { updatedInput: ['ls'] })), bench.pre());
  expect(merged).toMatchObject({ updatedInput: undefined, verdict: { verdict: 'none' } });
  expect(merged.notices).toEqual([expect.stringContaining('updatedInput: expected an object')]);
});

test('H69 rules are tested on the changed input, and on the original', async () => {
  const toRm = await bench.runWith(says(decides('allow', { updatedInput: { command: 'rm x' } })), bench.bash('ls'));
  expect(chain(toRm, 'ls', { deny: rule('Bash(rm *)') }).verdict).toBe('deny');
  const toLs = await bench.runWith(says(decides('allow', { updatedInput: { command: 'ls' } })), bench.bash('rm x'));
  expect(chain(toLs, 'rm x', { deny: rule('Bash(rm *)') }).verdict).toBe('deny');
});

test('H70 of two changed inputs the last in the settings counts, whoever ends last, and the user is told', async () => {
  const first = decides('allow', { updatedInput: { command: 'first' } });
  const second = decides('allow', { updatedInput: { command: 'second' } });
  // The first of the settings goes on only after the second has ended.
  bench.set(
    'PreToolUse',
    program('waits-for.sh', bench.path('ready'), bench.path('go'), JSON.stringify(first)),
    says(second),
  );
  const running = bench.run(bench.pre());
  await bench.wait('ready');
  await until('the second to end', () => bench.ended.length === 1);
  bench.write('go');
  const merged = await running;
  expect(bench.ended.map(({ hook }) => hook.path)).toEqual([
    'hooks.PreToolUse[0].hooks[1]',
    'hooks.PreToolUse[0].hooks[0]',
  ]);
  expect(merged.updatedInput).toEqual({ command: 'second' });
  expect(merged.notices).toEqual([expect.stringContaining('2 hooks changed the input')]);
});

test('H70 settings of the project stand behind those of the user, local ones behind both', async () => {
  for (const scope of ['local', 'user', 'project'] as const) {
    const command = says(decides('allow', { updatedInput: { command: scope } }));
    bench.settings({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command }] }] } }, scope);
  }
  expect((await bench.run(bench.pre())).updatedInput).toEqual({ command: 'local' });
});

test.each(['', '{}'])('H71 a changed input survives a later hook that says %j', async (later) => {
  bench.set('PreToolUse', says(specific('PreToolUse', { updatedInput: { command: 'ls' } })), says(later));
  expect((await bench.run(bench.pre())).updatedInput).toEqual({ command: 'ls' });
});

test('H72 when one hook changes the input and another asks, what is asked about is the changed input', async () => {
  bench.set('PreToolUse', says(decides('allow', { updatedInput: { command: 'ls' } })), says(decides('ask')));
  const merged = await bench.run(bench.pre());
  expect(merged).toMatchObject({ verdict: { verdict: 'ask' }, updatedInput: { command: 'ls' } });
  expect(chain(merged, 'rm x', { allow: rule('Bash') }).verdict).toBe('ask');
});

test('H73 a changed input of Bash takes effect without any decision too', async () => {
  const merged = await bench.runWith(
    says(specific('PreToolUse', { updatedInput: { command: 'echo hi' } })),
    bench.pre(),
  );
  expect(merged).toMatchObject({ verdict: { verdict: 'none' }, updatedInput: { command: 'echo hi' } });
});

test('H74 the context of every hook is kept, in the order of the settings, beside any decision and after a failure', async () => {
  bench.set(
    'PreToolUse',
    says(context('one')),
    says(decides('deny', { additionalContext: 'two' })),
    says(context('three')),
  );
  const merged = await bench.run(bench.pre());
  expect(merged.contexts).toMatchObject([{ text: 'one', name: 'PreToolUse:Bash' }, { text: 'two' }, { text: 'three' }]);
  const failed = await bench.runWith(
    says(specific('PostToolUseFailure', { additionalContext: 'try npm ci' })),
    bench.failure(),
  );
  expect(failed.contexts).toMatchObject([{ text: 'try npm ci' }]);
});

test('H75 continue: false stops the turn with its reason, before and after a call and after a failure', async () => {
  const json = { continue: false, stopReason: 'build failed' };
  for (const input of [bench.pre(), bench.post(), bench.failure()]) {
    const merged = await bench.runWith(says(json), input);
    expect(merged.preventContinuation).toEqual({ reason: 'build failed' });
    expect(merged.runs).toMatchObject([{ outcome: 'stopped', effects: ['stopped the turn'] }]);
    // Without a deny the tool still runs (spec 2.9).
    expect(merged.verdict.verdict).toBe('none');
  }
});

test('H75 it goes before the wish to keep a turn going', async () => {
  bench.set('Stop', says({ decision: 'block', reason: 'go on' }), says({ continue: false }));
  expect(await bench.run(bench.stop())).toMatchObject({
    block: undefined,
    preventContinuation: { reason: 'A Stop hook stopped the turn.' },
  });
});

test('H75 one that also denies does both', async () => {
  const merged = await bench.runWith(says({ ...decides('deny'), continue: false, stopReason: 'enough' }), bench.pre());
  expect(merged).toMatchObject({ verdict: { verdict: 'deny' }, preventContinuation: { reason: 'enough' } });
});

test('H76 the reason of a deny is for the model, that of an allow or ask for the user alone', async () => {
  const reason = 'because of the moon';
  const denied = await bench.runWith(says(decides('deny', { permissionDecisionReason: reason })), bench.pre());
  expect(denied.denial).toContain(reason);
  for (const verdict of ['allow', 'ask']) {
    const merged = await bench.runWith(says(decides(verdict, { permissionDecisionReason: reason })), bench.pre());
    expect(merged).toMatchObject({ denial: undefined, contexts: [], feedback: [] });
    expect(merged.verdict.reason).toContain(reason);
  }
});

test('H77 suppressOutput is accepted and changes nothing', async () => {
  const merged = await bench.runWith(says({ ...decides('ask'), suppressOutput: true }), bench.pre());
  expect(merged).toMatchObject({ verdict: { verdict: 'ask' }, notices: [] });
  expect(merged.runs[0]?.stdout).toContain('suppressOutput');
});

test('H78 defer is ignored with a warning, and what else the hook says with it', async () => {
  const deferred = says(decides('defer', { updatedInput: { command: 'ls' }, additionalContext: 'later' }));
  const merged = await bench.runWith(deferred, bench.pre());
  expect(merged).toMatchObject({ verdict: { verdict: 'none' }, updatedInput: undefined, contexts: [] });
  expect(merged.notices).toEqual([expect.stringContaining('cannot defer')]);
  bench.set('PreToolUse', deferred, says(decides('ask')));
  expect((await bench.run(bench.pre())).verdict.verdict).toBe('ask');
});

test.each(['AskUserQuestion', 'ExitPlanMode'])(
  'H79 to allow %s a hook has to give the answer too',
  async (toolName) => {
    const alone = await bench.runWith(says(decides('allow')), bench.pre({ toolName }));
    expect(alone).toMatchObject({
      verdict: { verdict: 'none' },
      notices: [expect.stringContaining('without updatedInput')],
    });
    const answered = await bench.runWith(
      says(decides('allow', { updatedInput: { answers: {} } })),
      bench.pre({ toolName }),
    );
    expect(answered.verdict.verdict).toBe('allow');
  },
);

test('H80 the output of an MCP tool can be replaced; that of a built-in tool stays, and the user is told', async () => {
  for (const field of ['updatedToolOutput', 'updatedMCPToolOutput']) {
    const command = says(specific('PostToolUse', { [field]: ['anything'] }));
    const mcp = await bench.runWith(command, bench.post({ toolName: 'mcp__db__query' }));
    expect(mcp).toMatchObject({ updatedOutput: { value: ['anything'] }, notices: [] });
    const builtIn = await bench.runWith(command, bench.post());
    expect(builtIn.updatedOutput).toBeUndefined();
    expect(builtIn.notices).toEqual([expect.stringContaining('Only MCP tools allow it')]);
  }
});
