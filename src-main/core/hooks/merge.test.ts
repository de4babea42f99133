import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CallId, HookRunId, SessionId } from '../../../src-shared/ids.ts';
import type { HookInput } from './hook-input.ts';
import { type Interpretation, interpret, NOTHING_SAID } from './interpret.ts';
import { type InterpretedRun, mergeHooks } from './merge.ts';
import type { CommandHook } from './settings.ts';

// A failing run is the same one when it is run again.
fc.configureGlobal({ seed: Number(process.env.GANTRY_SEED ?? 1_001) });

const session = { sessionId: 's' as SessionId, transcriptPath: '/t', cwd: '/w', permissionMode: 'default' } as const;
const use = { session, callId: 'c' as CallId, toolName: 'Bash', toolInput: { command: 'ls' } } as const;
const pre: HookInput = { ...use, event: 'PreToolUse' };
const request: HookInput = { ...use, event: 'PermissionRequest' };

const hook = (command: string): CommandHook => ({
  event: 'PreToolUse',
  matcher: undefined,
  command,
  args: undefined,
  shell: 'bash',
  condition: undefined,
  timeoutMs: undefined,
  mode: 'wait',
  statusMessage: undefined,
  scope: 'project',
  file: '/w/.claude/settings.json',
  path: 'hooks.PreToolUse[0].hooks[0]',
});

function run(said: Partial<Interpretation>, command = 'check.sh', exitCode = 0): InterpretedRun {
  const full: Interpretation = {
    ...NOTHING_SAID,
    outcome: 'ok',
    failure: undefined,
    warnings: [],
    effects: [],
    ...said,
  };
  const { outcome, effects } = full;
  const report = { runId: command as HookRunId, hook: hook(command), name: 'PreToolUse:Bash', exitCode, durationMs: 1 };
  return { said: full, report: { ...report, stdout: '', stderr: '', outcome, effects, notice: undefined } };
}

const anyRun = fc
  .record({
    verdict: fc.constantFrom('allow', 'ask', 'deny', undefined),
    input: fc.option(fc.dictionary(fc.string(), fc.integer()), { nil: undefined }),
    context: fc.option(fc.string({ minLength: 1 }), { nil: undefined }),
    stops: fc.boolean(),
  })
  .map(({ verdict, input, context, stops }) =>
    run({
      permission: verdict && { verdict, reason: undefined },
      updatedInput: input,
      context,
      stop: stops ? { reason: 'enough' } : undefined,
    }),
  );

test('deny beats ask beats allow in any order; the last input, every context and any stop are kept', () => {
  fc.assert(
    fc.property(fc.array(anyRun, { maxLength: 6 }), (runs) => {
      const merged = mergeHooks(pre, runs, false);
      const verdicts = runs.map(({ said }) => said.permission?.verdict);
      const strongest = (['deny', 'ask', 'allow'] as const).find((verdict) => verdicts.includes(verdict)) ?? 'none';
      expect(merged.verdict.verdict).toBe(strongest);
      expect(mergeHooks(pre, [...runs].reverse(), false).verdict.verdict).toBe(strongest);
      expect(merged.denial !== undefined).toBe(strongest === 'deny');
      const inputs = runs.flatMap(({ said }) => said.updatedInput ?? []);
      expect(merged.updatedInput).toBe(strongest === 'deny' ? undefined : inputs.at(-1));
      expect(merged.contexts.map(({ text }) => text)).toEqual(runs.flatMap(({ said }) => said.context ?? []));
      expect(merged.preventContinuation !== undefined).toBe(runs.some(({ said }) => said.stop !== undefined));
      expect(merged.runs).toEqual(runs.map(({ report }) => report));
    }),
  );
});

test('an aborted happening says nothing but what ran', () => {
  fc.assert(
    fc.property(fc.array(anyRun), (runs) => {
      const merged = mergeHooks(pre, runs, true);
      expect(merged).toMatchObject({
        aborted: true,
        verdict: { verdict: 'none' },
        contexts: [],
        updatedInput: undefined,
      });
      expect(merged.runs).toHaveLength(runs.length);
    }),
  );
});

test('the reason names the hook, its exit code, its settings and its words', () => {
  const said = { permission: { verdict: 'deny', reason: 'x is precious' } } as const;
  expect(mergeHooks(pre, [run(said, 'check.sh\n --all', 2)], false).verdict).toEqual({
    verdict: 'deny',
    reason: 'check.sh --all (exit 2, project settings): x is precious',
  });
  expect(mergeHooks(pre, [], false).verdict).toEqual({ verdict: 'none', reason: 'no hook ran' });
});

test('one denied request denies; of several grants the last input counts and all permissions', () => {
  const grant = (command: string) =>
    run({ request: { behavior: 'allow', updatedInput: { command }, updatedPermissions: [{ type: command }] } });
  expect(mergeHooks(request, [grant('a'), grant('b')], false).request).toEqual({
    behavior: 'allow',
    updatedInput: { command: 'b' },
    updatedPermissions: [{ type: 'a' }, { type: 'b' }],
  });
  const denied = run({ request: { behavior: 'deny', message: 'no', interrupt: true } });
  expect(mergeHooks(request, [grant('a'), denied, grant('b')], false).request).toEqual({
    behavior: 'deny',
    message: 'no',
    interrupt: true,
  });
});

test('two blocks are both told', () => {
  const stop: HookInput = { event: 'Stop', session, stopHookActive: false, lastAssistantMessage: '' };
  const merged = mergeHooks(stop, [run({ block: 'one' }), run({ block: 'two' })], false);
  expect(merged.block?.reason).toBe('one\ntwo');
});

test('what interpret says of silence merges to no verdict', () => {
  const silence = { text: '', bytes: 0, cut: false };
  const said = interpret('PreToolUse', { end: { kind: 'exited', code: 0 }, stdout: silence, stderr: silence });
  expect(mergeHooks(pre, [run(said)], false).verdict.verdict).toBe('none');
});
