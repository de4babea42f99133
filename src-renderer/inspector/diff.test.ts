import { expect, test } from 'vitest';
import type { CallId } from '../../src-shared/ids.ts';
import { callById } from '../../src-shared/session/state.ts';
import { Story } from '../conversation/story.ts';
import { changesOf, diffOf } from './diff.ts';

const callWith = (tool: string, input: unknown, result?: Record<string, unknown>) => {
  const story = new Story().you('Go').request().call('c', tool, 'a.ts', { input }).said().starts('c');
  if (result !== undefined) story.ends('c', { result: { content: [], isError: false, display: result } });
  return callById(story.state(), 'c' as CallId)!;
};

test('an edit is the difference of its two texts, without line numbers of the file', () => {
  const [change] = changesOf(callWith('Edit', { file_path: 'a.ts', old_string: 'a\nb', new_string: 'a\nc' }));
  expect(change).toEqual({ path: 'a.ts', before: 'a\nb', after: 'a\nc', isWhole: false });
  expect(diffOf(change!)).toEqual({
    rows: [
      { kind: 'same', text: 'a', before: 1, after: 1 },
      { kind: 'del', text: 'b', before: 2, after: undefined },
      { kind: 'add', text: 'c', before: undefined, after: 2 },
    ],
    added: 1,
    removed: 1,
  });
});

test('where the result holds the whole file, lines are numbered as in the file', () => {
  const file = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`).join('\n');
  const call = callWith(
    'Edit',
    { file_path: 'a.ts', old_string: 'line 10', new_string: '$&' },
    { originalFile: file, oldString: 'line 10', newString: '$&' },
  );
  const [change] = changesOf(call);
  const diff = diffOf(change!);
  expect(diff?.rows[0]).toEqual({ kind: 'hunk', text: 'lines 7 – 13' });
  expect(diff?.rows.filter((row) => row.kind === 'add')).toEqual([
    { kind: 'add', text: '$&', before: undefined, after: 10 },
  ]);
});

test('a new file is all added, several edits are several changes, and other tools change nothing known', () => {
  expect(diffOf(changesOf(callWith('Write', { file_path: 'n', content: 'x\ny\n' }))[0]!)).toMatchObject({
    added: 2,
    removed: 0,
  });
  const edits = [
    { old_string: 'a', new_string: 'b' },
    { old_string: 'c', new_string: 'd' },
  ];
  expect(changesOf(callWith('MultiEdit', { file_path: 'a', edits })).map((one) => one.after)).toEqual(['b', 'd']);
  expect(changesOf(callWith('Bash', { command: 'ls' }))).toEqual([]);
  expect(changesOf(callWith('Edit', 'not an object'))).toEqual([]);
});
