import { afterEach, beforeEach, expect, test } from 'vitest';
import { decides, HookBench, program, says, specific } from './testing/hook-bench.ts';

let bench: HookBench;
beforeEach(() => {
  bench = new HookBench();
});
afterEach(() => bench.close());

const DENY = JSON.stringify(decides('deny', { permissionDecisionReason: 'no' }));
const ALLOW = JSON.stringify(decides('allow'));

test('H18 text before the JSON makes all of it text, which decides nothing; its author is told', async () => {
  const merged = await bench.runWith(says(`Shell ready\n${DENY}\n`), bench.pre());
  expect(merged).toMatchObject({ verdict: { verdict: 'none' }, denial: undefined });
  expect(merged.notices).toEqual([expect.stringContaining('text before or after its JSON')]);
});

test('H19 blanks and line breaks before the JSON do not matter', async () => {
  expect((await bench.runWith(says(` \n\t\n${DENY}`), bench.pre())).verdict.verdict).toBe('deny');
});

test('H20 a list or a string in JSON is text', async () => {
  bench.set('PreToolUse', says(`[${DENY}]`), says(JSON.stringify(DENY)));
  expect(await bench.run(bench.pre())).toMatchObject({ verdict: { verdict: 'none' }, notices: [] });
});

test.each([
  ['two objects in a row', `${ALLOW}${DENY}`],
  ['an object a line', `{"banner":"ready"}\n${ALLOW}\n`],
])('H21 %s are not one document: nothing of it counts, and the user is told', async (_what, text) => {
  const merged = await bench.runWith(says(text), bench.pre());
  expect(merged.verdict.verdict).toBe('none');
  expect(merged.notices).toEqual([expect.stringContaining('begins like JSON and is not one object')]);
});

test('H22 JSON that breaks off is never an allow', async () => {
  for (const length of [1, ALLOW.indexOf('allow') + 6, ALLOW.length - 1]) {
    const merged = await bench.runWith(says(ALLOW.slice(0, length)), bench.pre());
    expect(merged.verdict.verdict).toBe('none');
    expect(merged.runs).toMatchObject([{ outcome: 'error' }]);
  }
});

test('H23 line breaks after the JSON do not matter', async () => {
  expect((await bench.runWith(says(`${DENY}\n\n`), bench.pre())).verdict.verdict).toBe('deny');
});

test('H24 a decision at the top level has no effect, and its author is told', async () => {
  const merged = await bench.runWith(says({ permissionDecision: 'deny' }), bench.pre());
  expect(merged.verdict.verdict).toBe('none');
  expect(merged.notices).toEqual([expect.stringContaining('permissionDecision has no effect')]);
});

test('H25 without the name of the event, or with another, hookSpecificOutput grants nothing', async () => {
  const nameless = { hookSpecificOutput: { permissionDecision: 'allow' } };
  const foreign = specific('PostToolUse', { permissionDecision: 'allow', updatedInput: { command: 'ls' } });
  for (const [json, words] of [
    [nameless, 'hookEventName: expected string'],
    [foreign, 'is for PostToolUse and this is PreToolUse'],
  ] as const) {
    const merged = await bench.runWith(says(json), bench.pre());
    expect(merged).toMatchObject({ verdict: { verdict: 'none' }, updatedInput: undefined });
    expect(merged.notices).toEqual([expect.stringContaining(words)]);
  }
});

test('H26 an unknown decision is JSON of the wrong form', async () => {
  const merged = await bench.runWith(says(decides('maybe')), bench.pre());
  expect(merged.verdict.verdict).toBe('none');
  expect(merged.notices).toEqual([expect.stringContaining('permissionDecision')]);
  expect(merged.runs).toMatchObject([{ outcome: 'error' }]);
});

test('H27 the old words approve and block still allow and deny a call', async () => {
  expect((await bench.runWith(says({ decision: 'approve' }), bench.pre())).verdict.verdict).toBe('allow');
  const blocked = await bench.runWith(says({ decision: 'block', reason: 'the old way' }), bench.pre());
  expect(blocked).toMatchObject({ verdict: { verdict: 'deny' }, denial: expect.stringContaining('the old way') });
});

test('H28 a text over 10,000 characters goes to a file; model and user are told where', async () => {
  const head = '{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"';
  const merged = await bench.runWith(program('floods.mjs', 10_001, head, '"}}'), bench.post());
  const [context] = merged.contexts;
  const path = bench.path('outputs/run-1-context.txt');
  expect(context?.text).toContain(`Full output saved to: ${path}`);
  expect(context?.text.length).toBeLessThan(2_500);
  expect(bench.read('outputs/run-1-context.txt')).toBe('x'.repeat(10_001));
  expect(merged.notices).toEqual([
    expect.stringContaining(`10001 characters and was shortened. The whole text is in ${path}`),
  ]);

  const plain = await bench.runWith(program('floods.mjs', 10_001, 'text '), bench.start());
  expect(plain.contexts[0]?.text).toContain('run-2-context.txt');
  const exact = await bench.runWith(program('floods.mjs', 10_000, head, '"}}'), bench.post());
  expect(exact.contexts[0]?.text).toBe('x'.repeat(10_000));
});

test('H28 where the file cannot be written the text is shortened all the same, and says so', async () => {
  bench.write('outputs', 'a file where the folder should be');
  const merged = await bench.runWith(program('floods.mjs', 10_001, 'text '), bench.start());
  expect(merged.contexts[0]?.text).toContain('could not be saved');
  expect(merged.notices).toEqual([expect.stringContaining('could not be saved')]);
});

test('H29 a very large reason does not hang the turn', async () => {
  const command = program('floods.mjs', 3_000_000, '{"decision":"block","reason":"', '"}');
  const merged = await bench.runWith(command, bench.stop());
  expect(merged.block?.reason).toContain('Output too large (2.9MB)');
  expect(merged.runs[0]?.stdout.length).toBeLessThan(10_100);
});

test('H29 what is over the bound is read and dropped, not kept, and not taken for JSON', async () => {
  const command = program('floods.mjs', 40_000_000, '{"decision":"block","reason":"', '"}');
  const merged = await bench.runWith(command, bench.stop());
  expect(merged.block).toBeUndefined();
  expect(merged.notices).toEqual([expect.stringContaining('40000032 bytes long, more than is read')]);
});

test('H30 standard error of a hook that exits with 0 is recorded and told to nobody', async () => {
  const merged = await bench.runWith(says('', 'chatter'), bench.post());
  expect(merged).toMatchObject({ feedback: [], contexts: [], messages: [], notices: [] });
  expect(merged.runs).toMatchObject([{ stderr: 'chatter', outcome: 'ok' }]);
});

test('H31 plain text is context for the model only with a prompt and at the start of a session', async () => {
  for (const input of [bench.prompt(), bench.start()]) {
    const merged = await bench.runWith(says('branch main\n'), input);
    expect(merged.contexts).toMatchObject([{ text: 'branch main' }]);
  }
  const others = [
    bench.pre(),
    bench.post(),
    bench.failure(),
    bench.request(),
    bench.stop(),
    bench.subagentStop('Explore'),
  ];
  for (const input of [...others, bench.end(), bench.notification(), bench.compact()]) {
    const merged = await bench.runWith(says('branch main'), input);
    expect(merged).toMatchObject({ contexts: [], feedback: [], messages: [], notices: [], block: undefined });
  }
  expect((await bench.runWith(says('branch main', '', 1), bench.prompt())).contexts).toEqual([]);
});
