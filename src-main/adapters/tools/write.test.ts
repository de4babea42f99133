import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readTool, Workbench } from './workbench.fixture.ts';
import { writeTool } from './write.ts';

let bench: Workbench;
beforeEach(() => {
  bench = new Workbench({ 'README.md': '# Shop\n' });
});
afterEach(() => bench.dispose());

const write = (file_path: string, content = 'new\n') => ({ file_path, content });
const NOT_READ = '<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>';

describe('a new file', () => {
  // Recorded: mixed-batch.
  test('is created with its folders, in the known words', async () => {
    const path = bench.path('src/deep/tax.js');
    const { text, ending } = await bench.run(writeTool, write(path, 'export const tax = 0.25\n'));
    expect(text).toBe(`File created successfully at: ${path}`);
    expect(bench.read('src/deep/tax.js')).toBe('export const tax = 0.25\n');
    expect(ending).toMatchObject({ isError: false, wrote: [path], changes: ['wrote src/deep/tax.js'] });
  });

  test('counts as read', async () => {
    await bench.run(writeTool, write('a.txt'));
    expect(await bench.refusal(writeTool, write('a.txt', 'again\n'))).toBeUndefined();
  });

  test('behind a link to nothing is made where the link leads', async () => {
    symlinkSync('target.txt', bench.path('link.txt'));
    await bench.run(writeTool, write('link.txt'));
    expect(bench.read('target.txt')).toBe('new\n');
  });
});

describe('an existing file', () => {
  test('has to be read first', async () => {
    expect(await bench.refusal(writeTool, write('README.md'))).toBe(NOT_READ);
  });

  test('is replaced after it was read, and keeps its mode', async () => {
    chmodSync(bench.path('README.md'), 0o640);
    await bench.run(readTool, { file_path: 'README.md' });
    const { text } = await bench.run(writeTool, write('README.md'));
    expect(text).toBe(`The file ${bench.path('README.md')} has been updated successfully.`);
    expect(bench.read('README.md')).toBe('new\n');
    expect(statSync(bench.path('README.md')).mode & 0o777).toBe(0o640);
  });

  test('that has changed since is kept; one that was touched is not', async () => {
    await bench.run(readTool, { file_path: 'README.md' });
    utimesSync(bench.path('README.md'), 1, 1);
    expect(await bench.refusal(writeTool, write('README.md'))).toBeUndefined();
    bench.lay('README.md', '# Hops\n');
    expect(await bench.refusal(writeTool, write('README.md'))).toMatch(/modified since read/);
  });

  test('that is a folder or a device is refused', async () => {
    mkdirSync(bench.path('src'));
    expect(await bench.refusal(writeTool, write('src'))).toMatch(/src is a folder, not a file/);
    expect(await bench.refusal(writeTool, write('/dev/null'))).toMatch(/is a device or a pipe/);
  });
});

describe('what happens between the question and the write', () => {
  test('a file that has come is not overwritten', async () => {
    const input = write('a.txt');
    expect(await writeTool.validateInput(input, bench.context)).toEqual({ ok: true });
    bench.lay('a.txt', 'precious');
    await expect(writeTool.call(input, bench.context, bench.environment())).rejects.toThrow(
      /^File has not been read yet/,
    );
    expect(bench.read('a.txt')).toBe('precious');
  });

  test('a folder that became a link does not lead the write outside', async () => {
    mkdirSync(bench.path('src'));
    const input = write('src/a.txt');
    expect(await writeTool.editTarget(input, bench.context)).toBe('inside');
    rmSync(bench.path('src'), { recursive: true });
    symlinkSync(bench.outside, bench.path('src'));
    await expect(writeTool.call(input, bench.context, bench.environment())).rejects.toThrow(/leads elsewhere/);
    expect(existsSync(join(bench.outside, 'a.txt'))).toBe(false);
  });

  test('a new permission for the same input counts from then on', async () => {
    const input = write('src/a.txt');
    expect(await writeTool.editTarget(input, bench.context)).toBe('inside');
    symlinkSync(bench.outside, bench.path('src'));
    expect(await writeTool.editTarget(input, bench.context)).toBe('outside');
    await writeTool.call(input, bench.context, bench.environment());
    expect(readFileSync(join(bench.outside, 'a.txt'), 'utf8')).toBe('new\n');
  });
});

test('a place that cannot be written to is named with the reason', async () => {
  await expect(bench.run(writeTool, write('README.md/a.txt'))).rejects.toThrow(
    `${bench.path('README.md/a.txt')} cannot be written: a file is where a folder has to be. Nothing was changed.`,
  );
});

test('the question tells a new file from a replaced one, and leaves out a diff that is too long', async () => {
  const question = (input: ReturnType<typeof write>) => writeTool.describeQuestion(input, bench.context);
  expect(await question(write('a.txt'))).toMatchObject({
    title: 'Create this file?',
    diff: { path: 'a.txt', before: '', after: 'new\n' },
  });
  expect(await question(write('README.md'))).toMatchObject({
    title: 'Replace this file?',
    diff: { before: '# Shop\n', after: 'new\n' },
  });
  expect((await question(write('README.md', 'x'.repeat(300_000)))).diff).toBeUndefined();
});
