import { afterEach, beforeEach, expect, test } from 'vitest';
import { decidePermission } from '../../core/permission/chain.ts';
import { worldWithoutLinks } from '../../core/permission/ground.ts';
import type { RuleSet } from '../../core/permission/rules.ts';
import { decides, HookBench, program, says, specific } from './testing/hook-bench.ts';

let bench: HookBench;
beforeEach(() => {
  bench = new HookBench();
});
afterEach(() => bench.close());

const ALLOW_ALL: RuleSet = { allow: [{ text: 'Bash', scope: 'user' }], ask: [], deny: [] };

test('H01 exit 0 and silence is no decision', async () => {
  const merged = await bench.runWith(says(''), bench.pre());
  expect(merged).toMatchObject({
    verdict: { verdict: 'none' },
    notices: [],
    contexts: [],
    preventContinuation: undefined,
  });
  expect(merged.runs).toMatchObject([{ outcome: 'ok', exitCode: 0, effects: [], notice: undefined }]);
});

test('H02 exit 0 and a JSON object: its fields count', async () => {
  const json = decides('ask', { permissionDecisionReason: 'look first', additionalContext: 'x is precious' });
  const merged = await bench.runWith(says(json), bench.pre());
  expect(merged.verdict).toMatchObject({ verdict: 'ask', reason: expect.stringContaining('look first') });
  expect(merged.contexts.map(({ text }) => text)).toEqual(['x is precious']);
});

test('H03 exit 2 before a call denies it although an allow rule matches, with standard error as the reason', async () => {
  const input = bench.pre();
  const merged = await bench.runWith(says('', 'x is precious\n', 2), input);
  expect(merged.denial).toBe('x is precious');
  expect(merged.runs).toMatchObject([{ outcome: 'deny', exitCode: 2, stderr: 'x is precious\n' }]);
  const use = { tool: 'Bash', input: input.toolInput };
  const chain = decidePermission({
    use,
    original: use,
    hook: merged.verdict,
    rules: ALLOW_ALL,
    tool: { verdict: 'allow', because: 'test' },
    mode: 'bypassPermissions',
    world: worldWithoutLinks('/work'),
  });
  expect(chain).toMatchObject({
    verdict: 'deny',
    by: 'hook',
    trace: [{ detail: expect.stringContaining('exit 2, user') }],
  });
});

test('H04 exit 2 and a JSON allow denies', async () => {
  const merged = await bench.runWith(says(decides('allow'), 'no', 2), bench.pre());
  expect(merged).toMatchObject({ verdict: { verdict: 'deny' }, denial: expect.stringContaining('no') });
});

test('H05 exit 2 and JSON of the wrong form denies with standard error', async () => {
  const merged = await bench.runWith(says({ continue: 'perhaps' }, 'not that', 2), bench.pre());
  expect(merged.denial).toBe('not that');
  expect(merged.notices).toEqual([expect.stringContaining('continue: expected boolean')]);
});

test('H06 exit 2 and a JSON deny with a reason: that reason goes before standard error', async () => {
  const json = decides('deny', { permissionDecisionReason: 'from the JSON' });
  const merged = await bench.runWith(says(json, 'from standard error', 2), bench.pre());
  expect(merged.denial).toBe('from the JSON');
});

test('H07 exit 1 lets the call take its usual way and shows the first line of standard error', async () => {
  const merged = await bench.runWith(says('', 'first line\nsecond line', 1), bench.pre());
  expect(merged.verdict.verdict).toBe('none');
  expect(merged.notices).toEqual([
    expect.stringMatching(
      /^PreToolUse:Bash hook .* failed with exit code 1 and decided nothing: first line \(set in \//,
    ),
  ]);
  expect(merged.runs).toMatchObject([{ outcome: 'error' }]);
});

test('H08 exit 1 and a valid JSON object: the JSON alone decides and no error is shown', async () => {
  const merged = await bench.runWith(
    says(decides('deny', { permissionDecisionReason: 'no' }), 'trace', 1),
    bench.pre(),
  );
  expect(merged).toMatchObject({ verdict: { verdict: 'deny' }, notices: [] });
});

test.each([0, 1])('H09 exit %i and an object of the wrong form decides nothing and says why', async (code) => {
  const json = { ...decides('allow'), systemMessage: 7 };
  const merged = await bench.runWith(says(json, '', code), bench.pre());
  expect(merged.verdict.verdict).toBe('none');
  expect(merged.messages).toEqual([]);
  expect(merged.notices).toEqual([expect.stringContaining('systemMessage: expected string')]);
  expect(merged.runs).toMatchObject([{ outcome: 'error' }]);
});

test('H10 a missing script and one that is not executable decide nothing and are shown', async () => {
  bench.set('PreToolUse', bench.path('missing.sh'), bench.write('plain.sh', 'exit 2'));
  const merged = await bench.run(bench.pre());
  expect(merged.verdict.verdict).toBe('none');
  expect(merged.runs.map(({ exitCode }) => exitCode)).toEqual([127, 126]);
  expect(merged.notices).toEqual([
    expect.stringMatching(/could not be run \(exit code 127\) and decided nothing: .*missing\.sh/),
    expect.stringMatching(/could not be run \(exit code 126\) and decided nothing: .*plain\.sh/),
  ]);
});

test('H11 an interpreter that exits with 2 because it finds no script denies, and its words are the reason', async () => {
  const interpreter = "echo \"can't open file 'check.py'\" >&2; exit 2";
  const merged = await bench.runWith(interpreter, bench.pre());
  expect(merged).toMatchObject({ verdict: { verdict: 'deny' }, denial: expect.stringContaining("can't open file") });
  expect(merged.runs).toMatchObject([{ stderr: expect.stringContaining("can't open file") }]);
});

test('H12 exit 2 after a call is told to the model and is no block', async () => {
  for (const input of [bench.post(), bench.failure()]) {
    const merged = await bench.runWith(says('', 'tests fail', 2), input);
    expect(merged).toMatchObject({ verdict: { verdict: 'none' }, block: undefined, notices: [] });
    expect(merged.feedback.map(({ text }) => text)).toEqual(['tests fail']);
    expect(merged.runs).toMatchObject([{ outcome: 'ok', effects: ['gave feedback to the model'] }]);
  }
});

test('H13 exit 1 after a call does not end the turn', async () => {
  const merged = await bench.runWith(says('', 'oops', 1), bench.post());
  expect(merged).toMatchObject({
    preventContinuation: undefined,
    feedback: [],
    notices: [expect.stringContaining('oops')],
  });
});

test('H14 exit 2 at the end of a turn keeps it going, with standard error as the reason', async () => {
  const merged = await bench.runWith(says('', 'run the tests', 2), bench.stop());
  expect(merged.block).toEqual({ reason: 'run the tests', hidesPrompt: false });
  expect(merged.runs).toMatchObject([{ outcome: 'deny', effects: ['kept the turn going'] }]);
});

test('H15 exit 2 has no say in a permission request; a decision has', async () => {
  const silent = await bench.runWith(says('', 'for nobody', 2), bench.request());
  expect(silent).toMatchObject({ request: undefined, denial: undefined, block: undefined, feedback: [], contexts: [] });
  expect(silent.notices).toEqual([expect.stringContaining('Exit code 2 decides nothing here')]);
  const decision = { behavior: 'deny', message: 'not today' };
  const spoken = await bench.runWith(says(specific('PermissionRequest', { decision }), '', 2), bench.request());
  expect(spoken.request).toEqual(decision);
});

test('H16 exit 2 at the start of a session is shown to the user and not to the model', async () => {
  const merged = await bench.runWith(says('', 'no database', 2), bench.start());
  expect(merged).toMatchObject({ block: undefined, contexts: [], feedback: [] });
  expect(merged.notices).toEqual([expect.stringContaining('no database')]);
  expect(merged.runs).toMatchObject([{ outcome: 'error' }]);
});

test('H17 a hook that dies of a signal decides nothing, whatever it has said, and is shown', async () => {
  const merged = await bench.runWith(program('kills-itself.sh'), bench.pre());
  expect(merged.verdict.verdict).toBe('none');
  expect(merged.notices).toEqual([expect.stringContaining('was ended by SIGKILL and decided nothing')]);
  expect(merged.runs).toMatchObject([{ outcome: 'error', exitCode: undefined }]);
});
