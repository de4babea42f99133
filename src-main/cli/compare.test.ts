import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type CompareReport, compareCommand } from './compare.ts';

const recordings = join(import.meta.dirname, '..', 'adapters', 'transcripts', 'fixtures', 'claude-code-2.1.92');

const run = async (...args: readonly string[]) => {
  const out = { stdout: '', stderr: '' };
  const code = await compareCommand(args, {
    stdout: (text) => {
      out.stdout += text;
    },
    stderr: (text) => {
      out.stderr += text;
    },
  });
  return { code, stderr: out.stderr, stdout: out.stdout.replaceAll(recordings, '<recordings>') };
};
const of = (name: string): string => join(recordings, name);

describe('gantry compare', () => {
  test('a recording and itself', async () => {
    const { code, stdout, stderr } = await run(of('cascade-stream'), of('cascade-stream'));
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatchInlineSnapshot(`
      "A  <recordings>/cascade-stream/4ac96991-7b75-4289-99de-59ff3f58de09.jsonl, 1 turn, 7 calls, 0.8 s
      B  <recordings>/cascade-stream/4ac96991-7b75-4289-99de-59ff3f58de09.jsonl, 1 turn, 7 calls, 0.8 s

      Every call is in both, and ended the same way.
      "
    `);
  });

  test('the same work by two strategies, for people', async () => {
    const { code, stdout } = await run(of('cascade-stream'), of('cascade-batch'));
    expect(code).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "A  <recordings>/cascade-stream/4ac96991-7b75-4289-99de-59ff3f58de09.jsonl, 1 turn, 7 calls, 0.8 s
      B  <recordings>/cascade-batch/da607981-e69a-4ca8-b51e-1ac75098dbf1.jsonl, 1 turn, 7 calls, 5.0 s

      The first call is the same.

          in A   in B  call                      difference
         0.3 s  0.3 s  Bash(ls missing-folder)   0.3 s in A, 0.5 s in B
      >  0.3 s  0.3 s  Bash(sleep 4)             cancelled in A, ok in B
         0.4 s  0.3 s  Read(README.md)           0.1 s in A, 0.3 s in B
         0.4 s  0.4 s  Grep(TODO)                69 ms in A, 0.3 s in B
         0.4 s  0.4 s  Bash(git status --short)  0.1 s in A, 0.5 s in B
         0.4 s  0.4 s  Bash(touch stamp)         cancelled in A, ok in B
      "
    `);
  });

  test('one JSON object of the documented shape', async () => {
    const { stdout } = await run(of('cascade-stream'), of('errors-stream'), '--turn', '1', '--json');
    const report = JSON.parse(stdout) as CompareReport;
    expect(report).toMatchObject({
      a: { format: 'claude-code', turn: 1, turns: 1 },
      b: { format: 'claude-code', turn: 1 },
      sameCalls: 0,
    });
    const only = (kind: string) => report.differences.filter((one) => one.kind === kind).length;
    expect(report.common + only('only-a')).toBe(report.a.calls);
    expect(report.common + only('only-b')).toBe(report.b.calls);
    expect(report.firstDifference).toEqual(report.differences[0]);
  });

  test('two turns of one session', async () => {
    const { code, stdout } = await run(of('interactive'), of('interactive'), '--turn', '1', '--turn2', '2');
    expect([code, stdout.split('\n').length > 3]).toEqual([0, true]);
    expect(stdout).toContain('turn 2 of');
  });
});

describe('what does not fit', () => {
  test.each([
    [[], 'two files or folders are compared.'],
    [['a'], 'two files or folders are compared.'],
    [['a', 'b', 'c'], 'two files or folders are compared, not 3.'],
    [['a', 'b', '--turn', '0'], '--turn is the number of a turn, from 1, not 0.'],
    [['a', 'b', '--turn2', 'x'], '--turn2 is the number of a turn, from 1, not x.'],
    [['a', 'b', '--turn2', '2'], '--turn2 goes with --turn.'],
  ])('%j', async (args, message) => {
    const { code, stderr } = await run(...args);
    expect([code, stderr.split('\n')[0]]).toEqual([2, `gantry compare: ${message}`]);
  });

  test('a file that is not there, and a turn that is not in it', async () => {
    expect(await run(of('nothing'), of('cascade-stream'))).toMatchObject({ code: 1, stdout: '' });
    const { code, stderr } = await run(of('cascade-stream'), of('cascade-stream'), '--turn', '7');
    expect([code, stderr]).toEqual([1, expect.stringContaining('There is no turn 7; it has 1 turn.')]);
  });
});
