import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { documentsHere } from '../documents/jobs.ts';
import { notebookEditTool } from './notebook-edit.ts';
import { readTool, Workbench } from './workbench.fixture.ts';

const NOTEBOOK = `{
 "cells": [
  {
   "cell_type": "code",
   "execution_count": 1,
   "id": "a1",
   "metadata": {"x": 1.0},
   "outputs": [],
   "source": [
    "1 + 1"
   ]
  }
 ],
 "nbformat": 4
}
`;
const tool = notebookEditTool(documentsHere);
let bench: Workbench;
beforeEach(async () => {
  bench = new Workbench({ 'a.ipynb': NOTEBOOK });
  await bench.run(readTool, { file_path: 'a.ipynb' });
});
afterEach(() => bench.dispose());

const input = (more: object) => ({ notebook_path: 'a.ipynb', ...more });

test('a cell gets a new source, by id or by number, and the rest of the file stays', async () => {
  const { text, ending } = await bench.run(tool, input({ cell_id: 'a1', new_source: '2 + 2' }));
  expect(text).toBe(`Cell 0 (id a1) of ${bench.path('a.ipynb')} has a new source.`);
  expect(bench.read('a.ipynb')).toBe(
    NOTEBOOK.replace('1 + 1', '2 + 2').replace('"execution_count": 1', '"execution_count": null'),
  );
  expect(ending.wrote).toEqual([bench.path('a.ipynb')]);
  await bench.run(tool, input({ cell_number: 0, new_source: '3 + 3' }));
  expect(bench.read('a.ipynb')).toContain('"3 + 3"');
});

test('a cell is inserted and deleted', async () => {
  const made = await bench.run(
    tool,
    input({ cell_id: 'a1', edit_mode: 'insert', cell_type: 'markdown', new_source: 'Hi' }),
  );
  expect(made.text).toMatch(/^Cell 1 \(id [\da-f]{8}\) of .* was inserted\.$/);
  const gone = await bench.run(tool, input({ cell_number: 0, edit_mode: 'delete' }));
  expect(gone.text).toMatch(/^Cell 0 \(id a1\) of .* was deleted\.$/);
  expect(JSON.parse(bench.read('a.ipynb'))).toMatchObject({ cells: [{ cell_type: 'markdown', source: ['Hi'] }] });
});

test('the question shows the change in the file', async () => {
  const parsed = tool.inputSchema.parse(input({ cell_id: 'a1', edit_mode: 'insert', new_source: 'x' }));
  expect(await tool.describeQuestion(parsed, bench.context)).toMatchObject({
    title: 'Change this notebook?',
    reason: 'a.ipynb gets a new cell.',
    diff: { before: NOTEBOOK, after: expect.stringContaining('"id": "new"') },
  });
  expect(await tool.editTarget(parsed, bench.context)).toBe('inside');
});

test.each([
  [{ notebook_path: 'a.py', new_source: 'x' }, 'is no notebook (.ipynb). Change it with Edit.'],
  [{ notebook_path: 'b.ipynb', cell_number: 0 }, 'File does not exist.'],
  [{ notebook_path: 'a.ipynb', cell_id: 'a1', cell_number: 0 }, 'Give cell_id or cell_number, not both.'],
  [{ notebook_path: 'a.ipynb', cell_id: 'zz' }, 'There is no cell with the id zz.'],
  [{ notebook_path: 'a.ipynb', new_source: 'x' }, 'Say which cell'],
])('%j is refused in words', async (raw, words) => {
  expect(await bench.refusal(tool, raw)).toContain(words);
});

test('what was not read, has changed, or is no UTF-8 is not touched', async () => {
  bench.lay('new.ipynb', NOTEBOOK);
  expect(await bench.refusal(tool, { notebook_path: 'new.ipynb', cell_number: 0 })).toContain('not been read');
  writeFileSync(bench.path('a.ipynb'), NOTEBOOK.replace('1 + 1', '5'));
  expect(await bench.refusal(tool, input({ cell_number: 0 }))).toContain('has been modified since read');
  bench.lay('latin.ipynb', Buffer.from(NOTEBOOK.replace('1 + 1', 'é'), 'latin1'));
  await bench.run(readTool, { file_path: 'latin.ipynb' });
  expect(await bench.refusal(tool, { notebook_path: 'latin.ipynb', cell_number: 0 })).toContain('not UTF-8');
});
