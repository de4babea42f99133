import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { multiEditTool } from './multi-edit.ts';
import { readTool, Workbench } from './workbench.fixture.ts';

let bench: Workbench;
beforeEach(async () => {
  bench = new Workbench({ 'a.ts': 'const a = 1;\nconst b = 2;\nconst c = a + b;\n' });
  await bench.run(readTool, { file_path: 'a.ts' });
});
afterEach(() => bench.dispose());

const edit = (old_string: string, new_string: string, more = {}) => ({ old_string, new_string, ...more });
const input = (...edits: object[]) => ({ file_path: 'a.ts', edits });

test('edits are made in order, each in what the one before has made', async () => {
  const edits = [edit('a', 'x', { replace_all: true }), edit('const x', 'let x'), edit('let x = 1', 'let x = 9')];
  const { ending, text } = await bench.run(multiEditTool, input(edit('const a', 'const q'), edit('= a +', '= q +')));
  expect(bench.read('a.ts')).toBe('const q = 1;\nconst b = 2;\nconst c = q + b;\n');
  expect(text).toBe(`2 edits were made in ${bench.path('a.ts')}, in this order.`);
  expect(ending).toMatchObject({ wrote: [bench.path('a.ts')], changes: ['changed a.ts'] });
  await bench.run(multiEditTool, input(edit('q', 'a', { replace_all: true }), ...edits));
  expect(bench.read('a.ts')).toBe('let x = 9;\nconst b = 2;\nconst c = x + b;\n');
});

test('all of them or none: the first that does not fit is named and nothing is written', async () => {
  const before = bench.read('a.ts');
  expect(await bench.refusal(multiEditTool, input(edit('a = 1', 'a = 2'), edit('a = 1', 'a = 3')))).toBe(
    '<tool_use_error>Edit 2 of 2: String to replace not found in file. Nothing was changed.\nString: a = 1</tool_use_error>',
  );
  expect(await bench.refusal(multiEditTool, input(edit('const', 'let'), edit('b', 'b')))).toMatch(
    /Edit 1 of 2: Found 3 matches/,
  );
  expect(await bench.refusal(multiEditTool, input(edit('a = 1', 'a = 2'), edit('b', 'b')))).toMatch(
    /Edit 2 of 2: No changes to make/,
  );
  expect(bench.read('a.ts')).toBe(before);
});

test('what was not read, or has changed since, is not touched', async () => {
  bench.lay('b.ts', 'x\n');
  expect(await bench.refusal(multiEditTool, { file_path: 'b.ts', edits: [edit('x', 'y')] })).toContain('not been read');
  writeFileSync(bench.path('a.ts'), 'const a = 7;\n');
  expect(await bench.refusal(multiEditTool, input(edit('7', '8')))).toContain('has been modified since read');
  expect(await bench.refusal(multiEditTool, { file_path: 'no.ts', edits: [edit('x', 'y')] })).toContain(
    'does not exist',
  );
});

test('a change while a person decides is noticed', async () => {
  const parsed = multiEditTool.inputSchema.parse(input(edit('a = 1', 'a = 2')));
  await multiEditTool.editTarget(parsed, bench.context);
  writeFileSync(bench.path('a.ts'), 'const a = 1; // mine\n');
  await expect(multiEditTool.call(parsed, bench.context, bench.environment())).rejects.toThrow('modified since read');
});

test('the question shows the whole change, and where it lands counts for permission', async () => {
  const parsed = multiEditTool.inputSchema.parse(input(edit('a = 1', 'a = 2'), edit('b = 2', 'b = 3')));
  expect(await multiEditTool.describeQuestion(parsed, bench.context)).toMatchObject({
    reason: 'a.ts is changed by 2 edits.',
    diff: { after: 'const a = 2;\nconst b = 3;\nconst c = a + b;\n' },
  });
  expect(await multiEditTool.editTarget(parsed, bench.context)).toBe('inside');
  symlinkSync(join(bench.outside, 'x.ts'), bench.path('link.ts'));
  expect(await multiEditTool.editTarget({ ...parsed, file_path: 'link.ts' }, bench.context)).toBe('outside');
  expect(multiEditTool.suggestRule(parsed)).toBe('Edit(./a.ts)');
});

test.each([
  { file_path: 'a.ts', edits: [] },
  { file_path: 'a.ts' },
  { file_path: 'a.ts', edits: [{ old_string: '', new_string: 'x' }] },
])('%j does not fit', (raw) => {
  expect(multiEditTool.inputSchema.safeParse(raw).success).toBe(false);
});
