import { chmodSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { editTool } from './edit.ts';
import { readTool, Workbench } from './workbench.fixture.ts';

let bench: Workbench;
beforeEach(() => {
  bench = new Workbench({ 'price.ts': 'export const price = (n: number) => n * 1.2\n' });
});
afterEach(() => bench.dispose());

const readFirst = (name: string) => bench.run(readTool, { file_path: name });
const edit = (old_string: string, new_string: string, more: object = {}) => ({
  file_path: 'price.ts',
  old_string,
  new_string,
  ...more,
});
/** Lays a file, reads it, edits it, and gives what it holds then. */
async function edited(content: string | Uint8Array, old: string, now: string, more: object = {}): Promise<string> {
  bench.lay('price.ts', content);
  await readFirst('price.ts');
  await bench.run(editTool, edit(old, now, more));
  return bench.read('price.ts');
}

describe('an edit', () => {
  // Recorded: mixed-batch.
  test('changes the file and says so in the known words', async () => {
    await readFirst('price.ts');
    const { text, ending } = await bench.run(editTool, { ...edit('1.2', '1.25'), file_path: bench.path('price.ts') });
    expect(text).toBe(`The file ${bench.path('price.ts')} has been updated successfully.`);
    expect(bench.read('price.ts')).toBe('export const price = (n: number) => n * 1.25\n');
    expect(ending).toMatchObject({ isError: false, wrote: [bench.path('price.ts')], changes: ['changed price.ts'] });
  });

  test('needs no reading between two', async () => {
    await readFirst('price.ts');
    await bench.run(editTool, edit('1.2', '1.25'));
    await bench.run(editTool, edit('1.25', '1.3'));
    expect(bench.read('price.ts')).toContain('n * 1.3');
  });

  test('takes dollar signs as they are', async () => {
    expect(await edited('a b c', 'b', "$& $1 $$ $` $'")).toBe("a $& $1 $$ $` $' c");
    expect(await edited('b b', 'b', '$&', { replace_all: true })).toBe('$& $&');
  });

  test('replaces every occurrence when told to', async () => {
    expect(await edited('aXbXc', 'X', '', { replace_all: true })).toBe('abc');
    expect(await edited('aaaa', 'aa', 'b', { replace_all: true })).toBe('bb');
  });

  test('in a file of CRLF lines means CRLF, and writes it', async () => {
    expect(await edited('a\r\nb\r\nc\r\n', 'a\nb', 'x\ny\nz')).toBe('x\r\ny\r\nz\r\nc\r\n');
    expect(await edited('a\r\nb\r\n', 'a', 'x\ny')).toBe('x\r\ny\r\nb\r\n');
    expect(await edited('a\r\nb\r\n', 'a\r\n', 'x\r\n')).toBe('x\r\nb\r\n');
  });

  test('in a file of mixed lines takes the text as written first', async () => {
    expect(await edited('a\nb\r\nc\r\n', 'a\nb', 'x\ny')).toBe('x\ny\r\nc\r\n');
    expect(await edited('a\nb\r\nc\r\n', 'b\nc', 'x\ny')).toBe('a\nx\r\ny\r\n');
  });

  test('leaves bytes that are no UTF-8, and the mark of the byte order, as they are', async () => {
    const bytes = (word: string) =>
      Buffer.concat([Buffer.from('\uFEFF'), Buffer.from([0xe9, 0xff]), Buffer.from(` ${word} é\n`)]);
    await edited(bytes('old'), 'old', 'new');
    expect(readFileSync(bench.path('price.ts'))).toEqual(bytes('new'));
  });

  test('keeps the mode of the file', async () => {
    chmodSync(bench.path('price.ts'), 0o751);
    await readFirst('price.ts');
    await bench.run(editTool, edit('1.2', '1.25'));
    expect(statSync(bench.path('price.ts')).mode & 0o777).toBe(0o751);
  });

  test('through a link changes the file behind it and keeps the link', async () => {
    symlinkSync('price.ts', bench.path('link.ts'));
    await readFirst('link.ts');
    await bench.run(editTool, { ...edit('1.2', '1.25'), file_path: 'link.ts' });
    expect(bench.read('price.ts')).toContain('1.25');
    expect(statSync(bench.path('link.ts')).ino).toBe(statSync(bench.path('price.ts')).ino);
  });

  test('may follow a reading by another name of the same file', async () => {
    symlinkSync('price.ts', bench.path('link.ts'));
    await readFirst('link.ts');
    expect(await bench.refusal(editTool, edit('1.2', '1.25'))).toBeUndefined();
  });
});

describe('is refused', () => {
  const NOT_READ = '<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>';
  const CHANGED = /^<tool_use_error>File has been modified since read, .*<\/tool_use_error>$/;

  // Recorded: errors-batch.
  test('for a file that was not read', async () => {
    expect(await bench.refusal(editTool, edit('not there', 'x'))).toBe(NOT_READ);
  });

  test('for a missing file, with the working folder named', async () => {
    expect(await bench.refusal(editTool, { ...edit('a', 'b'), file_path: 'nope.ts' })).toBe(
      `File does not exist. Note: your current working directory is ${bench.cwd}.`,
    );
  });

  test('for a folder', async () => {
    expect(await bench.refusal(editTool, { ...edit('a', 'b'), file_path: '.' })).toMatch(/is not a file/);
  });

  test('when the file has changed, also to something of the same length and time', async () => {
    await readFirst('price.ts');
    const { atime, mtime } = statSync(bench.path('price.ts'));
    bench.lay('price.ts', bench.read('price.ts').replace('1.2', '9.9'));
    utimesSync(bench.path('price.ts'), atime, mtime);
    expect(await bench.refusal(editTool, edit('9.9', 'x'))).toMatch(CHANGED);
    bench.lay('price.ts', 'longer than before, so that its size tells');
    expect(await bench.refusal(editTool, edit('longer', 'x'))).toMatch(CHANGED);
  });

  test('not when the file was only touched', async () => {
    await readFirst('price.ts');
    utimesSync(bench.path('price.ts'), 1, 1);
    expect(await bench.refusal(editTool, edit('1.2', '1.25'))).toBeUndefined();
  });

  test('when the text is not there, with the text', async () => {
    await readFirst('price.ts');
    expect(await bench.refusal(editTool, edit('not there', 'x'))).toBe(
      '<tool_use_error>String to replace not found in file.\nString: not there</tool_use_error>',
    );
    expect((await bench.refusal(editTool, edit('y'.repeat(9_000), 'x')))?.length).toBeLessThan(1_200);
  });

  test('when the text is there more than once, overlapping ones included', async () => {
    bench.lay('price.ts', 'a b a\n}\n}\n}\n');
    await readFirst('price.ts');
    expect(await bench.refusal(editTool, edit('a', 'x'))).toMatch(/Found 2 matches of the string to replace/);
    expect(await bench.refusal(editTool, edit('}\n}\n', 'x'))).toMatch(/Found 2 matches/);
    expect(await bench.refusal(editTool, edit('a', 'x', { replace_all: true }))).toBeUndefined();
  });

  test('when nothing would change', async () => {
    await readFirst('price.ts');
    expect(await bench.refusal(editTool, edit('1.2', '1.2'))).toMatch(/No changes to make/);
  });

  test('by the schema without a text to look for', () => {
    expect(editTool.inputSchema.safeParse(edit('', 'x')).success).toBe(false);
  });
});

describe('what happens between the question and the write', () => {
  test('a changed file is not overwritten', async () => {
    await readFirst('price.ts');
    const input = editTool.inputSchema.parse(edit('1.2', '1.25'));
    expect(await editTool.validateInput(input, bench.context)).toEqual({ ok: true });
    bench.lay('price.ts', 'somebody else wrote 1.2\n');
    await expect(editTool.call(input, bench.context, bench.environment())).rejects.toThrow(
      /^File has been modified since read/,
    );
    expect(bench.read('price.ts')).toBe('somebody else wrote 1.2\n');
  });

  test('a link that is turned round does not lead the write outside', async () => {
    symlinkSync('price.ts', bench.path('link.ts'));
    const secret = join(bench.outside, 'price.ts');
    writeFileSync(secret, bench.read('price.ts'));
    await readFirst('link.ts');
    const input = editTool.inputSchema.parse({ ...edit('1.2', '1.25'), file_path: 'link.ts' });
    expect(await editTool.editTarget(input, bench.context)).toBe('inside');
    rmSync(bench.path('link.ts'));
    symlinkSync(secret, bench.path('link.ts'));
    await editTool.call(input, bench.context, bench.environment());
    expect(statSync(secret).size).toBe(44);
    expect(bench.read('price.ts')).toContain('1.25');
  });
});

test('the question shows the change, and only its surroundings in a long file', async () => {
  const input = editTool.inputSchema.parse(edit('1.2', '1.25'));
  const question = await editTool.describeQuestion(input, bench.context);
  expect(question).toMatchObject({ title: 'Change this file?', dangerous: false });
  expect(question.diff).toEqual({
    path: 'price.ts',
    before: bench.read('price.ts'),
    after: 'export const price = (n: number) => n * 1.25\n',
  });

  const line = (i: number) => `line ${i} ${'.'.repeat(90)}`;
  bench.lay('price.ts', Array.from({ length: 3_000 }, (_, i) => line(i)).join('\n'));
  const long = await editTool.describeQuestion(editTool.inputSchema.parse(edit('line 1500 ', 'LINE ')), bench.context);
  expect(long.diff?.before.split('\n')).toEqual(Array.from({ length: 61 }, (_, i) => line(1_470 + i)));
  expect(long.diff?.after.split('\n')[30]).toMatch(/^LINE \.\.\./);
});
