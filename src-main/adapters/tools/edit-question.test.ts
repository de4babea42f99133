import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { editTool } from './edit.ts';
import { readTool, Workbench } from './workbench.fixture.ts';
import { writeTool } from './write.ts';

let bench: Workbench;
beforeEach(() => {
  bench = new Workbench({ 'a.txt': 'one\n', '.git/config': '[core]\n' });
});
afterEach(() => bench.dispose());

const writing = (file_path: string) => writeTool.describeQuestion({ file_path, content: 'two\n' }, bench.context);

test('an ordinary file is named, with what happens to it', async () => {
  expect(await writing('a.txt')).toEqual({
    title: 'Replace this file?',
    reason: 'a.txt gets a whole new content.',
    risk: 'changes files',
    dangerous: false,
    diff: { path: 'a.txt', before: 'one\n', after: 'two\n' },
  });
  expect(await writing('new.txt')).toMatchObject({ title: 'Create this file?', reason: 'new.txt does not exist yet.' });
});

test('a link says where it leads', async () => {
  const secret = join(bench.outside, 'profile');
  writeFileSync(secret, '');
  symlinkSync(secret, bench.path('notes.txt'));
  const where = `notes.txt (leads to ${secret})`;
  expect(await writing('notes.txt')).toMatchObject({
    reason: `${where} gets a whole new content. It lies outside of the working folders.`,
    risk: 'outside the folder',
  });
  expect((await readTool.describeQuestion({ file_path: 'notes.txt' }, bench.context)).reason).toBe(
    `${where} lies outside of the working folders.`,
  );
});

test('a protected file is dangerous and says why, behind a link too', async () => {
  symlinkSync('.git/config', bench.path('innocent.txt'));
  const input = editTool.inputSchema.parse({ file_path: 'innocent.txt', old_string: 'core', new_string: 'x' });
  expect(await editTool.describeQuestion(input, bench.context)).toMatchObject({
    title: 'Change this file?',
    reason: `innocent.txt (leads to ${bench.path('.git/config')}) is changed. It is protected: what it holds can make programs run or decide what may run.`,
    risk: 'protected file',
    dangerous: true,
    diff: { before: '[core]\n', after: '[x]\n' },
  });
});

test('a working folder that is reached through a link makes no link of its files', async () => {
  const link = join(bench.root, 'link');
  symlinkSync(bench.cwd, link);
  bench.context = { ...bench.context, cwd: link, directories: [link] };
  expect(await writing('a.txt')).toMatchObject({ reason: 'a.txt gets a whole new content.', risk: 'changes files' });
});
