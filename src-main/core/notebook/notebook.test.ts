import { describe, expect, test } from 'vitest';
import { type CellEdit, editNotebook } from './edit-notebook.ts';
import { readNotebook } from './read-notebook.ts';

/** As Jupyter writes it: one blank a level, floats that JSON.parse would change, no escape for letters. */
const NOTEBOOK = `{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "intro",
   "metadata": {},
   "source": [
    "# Zölle\\n",
    "Two lines"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 3,
   "id": "sum",
   "metadata": {"ratio": 1.0},
   "outputs": [
    {
     "name": "stdout",
     "output_type": "stream",
     "text": [
      "42\\n"
     ]
    }
   ],
   "source": [
    "print(42)"
   ]
  }
 ],
 "metadata": {
  "language_info": {
   "name": "python"
  }
 },
 "nbformat": 4,
 "nbformat_minor": 5
}
`;

const edit = (over: Partial<CellEdit>, text = NOTEBOOK) =>
  editNotebook(text, { mode: 'replace', at: 'sum', source: '', type: undefined, newId: 'fresh', ...over });
const edited = (over: Partial<CellEdit>, text = NOTEBOOK): string => {
  const result = edit(over, text);
  if (!result.ok) throw new Error(result.message);
  return result.text;
};
const cellsOf = (text: string) => (JSON.parse(text) as { cells: Record<string, unknown>[] }).cells;

describe('a notebook that is read', () => {
  test('shows its cells with number and id, and what came out', () => {
    expect(readNotebook(NOTEBOOK)).toEqual([
      {
        type: 'text',
        text: [
          '(2 cells, python)',
          '<cell number="0" id="intro" type="markdown">\n# Zölle\nTwo lines\n</cell>',
          '<cell number="1" id="sum" type="code" run="3">\nprint(42)\n</cell>',
          '<output>\n42\n</output>',
        ].join('\n'),
      },
    ]);
  });

  const withOutput = (output: object): string =>
    JSON.stringify({ cells: [{ cell_type: 'code', source: 'x', outputs: [output] }] });
  const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000', 'hex').toString('base64');

  test('shows pictures as pictures, by what they are', () => {
    const picture = { output_type: 'display_data', data: { 'image/jpeg': [PNG.slice(0, 8), `\n${PNG.slice(8)}`] } };
    expect(readNotebook(withOutput(picture))).toEqual([
      { type: 'text', text: expect.stringMatching(/<output>$/) },
      { type: 'image', mediaType: 'image/png', data: PNG },
      { type: 'text', text: '</output>' },
    ]);
    const none = { output_type: 'display_data', data: { 'image/png': 'aGVsbG8=' } };
    expect(JSON.stringify(readNotebook(withOutput(none)))).toContain('picture left out: it is no picture');
  });

  test('shows errors without their colours, and names what it cannot show', () => {
    const error = {
      output_type: 'error',
      ename: 'ValueError',
      evalue: 'no',
      traceback: ['\u001b[0;31mline 1\u001b[0m'],
    };
    expect(JSON.stringify(readNotebook(withOutput(error)))).toContain('ValueError: no\\nline 1\\n');
    const odd = { output_type: 'execute_result', data: { 'application/vnd.plotly': {} } };
    expect(JSON.stringify(readNotebook(withOutput(odd)))).toContain('(output of type application/vnd.plotly)');
  });

  test('is bounded, and says so', () => {
    const cells = Array.from({ length: 30 }, () => ({ cell_type: 'raw', source: 'x'.repeat(9_000) }));
    const text = JSON.stringify(readNotebook(JSON.stringify({ cells })));
    expect(text.length).toBeLessThan(130_000);
    expect(text).toMatch(/\(\d+ more cells are left out\./);
  });

  test.each(['', '[]', '{"cells": 1}', '{"cells": [1]}', 'print(1)'])('is one: %s is none', (text) => {
    expect(readNotebook(text)).toBeUndefined();
  });
});

describe('a cell that is replaced', () => {
  test('gets its source and loses its outputs; every other byte stays', () => {
    const text = edited({ source: 'a = 1\nprint(a)' });
    expect(text).toBe(
      NOTEBOOK.replace('"execution_count": 3', '"execution_count": null')
        .replace(/"outputs": \[[\s\S]*?\n {3}\]/, '"outputs": []')
        .replace('    "print(42)"', '    "a = 1\\n",\n    "print(a)"'),
    );
    expect(text).toContain('{"ratio": 1.0}');
  });

  test('may become another kind', () => {
    const [, cell] = cellsOf(edited({ source: 'Words', type: 'markdown' }));
    expect(cell).toEqual({ cell_type: 'markdown', id: 'sum', metadata: { ratio: 1 }, source: ['Words'] });
    const [first] = cellsOf(edited({ at: 0, source: 'x = 1', type: 'code' }));
    expect(first).toMatchObject({ cell_type: 'code', outputs: [], execution_count: null, source: ['x = 1'] });
  });

  test('keeps CRLF line ends, tabs and a source that is one string', () => {
    const crlf = NOTEBOOK.replaceAll('\n ', '\n\t').replaceAll('\n', '\r\n');
    expect(edited({ source: 'a\nb' }, crlf)).not.toMatch(/[^\r]\n/);
    const one = '{"cells":[{"cell_type":"code","source":"x","outputs":[],"metadata":{}}]}';
    expect(cellsOf(edited({ at: 0, source: 'a\nb' }, one))[0]).toMatchObject({ source: 'a\nb', execution_count: null });
  });
});

describe('a cell that is inserted', () => {
  test('stands behind the one that is named, or first, and looks like the others', () => {
    const text = edited({ mode: 'insert', at: 'intro', source: 'x = 1\n', type: 'code' });
    expect(cellsOf(text).map(({ id }) => id)).toEqual(['intro', 'fresh', 'sum']);
    expect(text).toContain(
      '  {\n   "cell_type": "code",\n   "execution_count": null,\n   "id": "fresh",\n   "metadata": {},\n   "outputs": [],\n   "source": [\n    "x = 1\\n"\n   ]\n  },\n  {\n   "cell_type": "code",',
    );
    const first = edited({ mode: 'insert', at: undefined, source: 'Hi', type: 'markdown' });
    expect(cellsOf(first).map(({ id }) => id)).toEqual(['fresh', 'intro', 'sum']);
    const last = edited({ mode: 'insert', at: 1, source: '', type: 'raw' });
    expect(cellsOf(last)[2]).toEqual({ cell_type: 'raw', id: 'fresh', metadata: {}, source: [] });
  });

  test('fills an empty notebook, and has no id where the others have none', () => {
    expect(
      cellsOf(edited({ mode: 'insert', at: undefined, source: 'x' }, '{\n "cells": [],\n "nbformat": 4\n}')),
    ).toHaveLength(1);
    const old = '{"cells":[{"cell_type":"code","source":[]}]}';
    expect(cellsOf(edited({ mode: 'insert', at: 0, source: 'x' }, old))[1]).not.toHaveProperty('id');
  });
});

test('a deleted cell leaves the others as they are', () => {
  const without = (at: string) => edited({ mode: 'delete', at });
  expect(cellsOf(without('intro')).map(({ id }) => id)).toEqual(['sum']);
  expect(cellsOf(without('sum')).map(({ id }) => id)).toEqual(['intro']);
  expect(without('sum')).toContain('   ]\n  }\n ],\n "metadata"');
  expect(cellsOf(edited({ mode: 'delete', at: 'intro' }, without('sum')))).toEqual([]);
});

test.each([
  [{ at: 'nope' }, 'There is no cell with the id nope.'],
  [{ at: 2 }, 'There is no cell 2: the last one is 1.'],
  [{ at: undefined }, 'Say which cell'],
])('%j is refused in words', (over, words) => {
  expect(edit(over)).toMatchObject({ ok: false, message: expect.stringContaining(words) });
});

test('what is no notebook is not touched', () => {
  expect(edit({}, '[]')).toMatchObject({ ok: false, message: expect.stringContaining('no notebook') });
  expect(edit({}, 'x')).toMatchObject({ ok: false });
});
