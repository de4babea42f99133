import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Inspection } from '../core/inspect/inspection.ts';
import { inspectCommand } from './inspect.ts';

const recordings = join(import.meta.dirname, '..', 'adapters', 'transcripts', 'fixtures', 'claude-code-2.1.92');

const run = async (...args: readonly string[]) => {
  const out = { stdout: '', stderr: '' };
  const code = await inspectCommand(args, {
    stdout: (text) => {
      out.stdout += text;
    },
    stderr: (text) => {
      out.stderr += text;
    },
  });
  return { code, stderr: out.stderr, stdout: out.stdout.replaceAll(recordings, '<recordings>') };
};

describe('gantry inspect', () => {
  test('prints a table for people', async () => {
    const { code, stdout, stderr } = await run(join(recordings, 'cascade-stream'), '--calls');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatchInlineSnapshot(`
      "file            <recordings>/cascade-stream/4ac96991-7b75-4289-99de-59ff3f58de09.jsonl
      title           go
      format          claude-code 2.1.92
      strategy        streaming, cascade policy bash
      messages        4
      calls           7 (4 ok, 1 error, 2 cancelled)
      without result  none
      sub-agents      0
      saved outputs   none
      at once         5 at most, 2.44 on average
      wall time       1354 ms
      sum of calls    926 ms
      longest chain   350 ms

      cascade: toolu_h6qvy101dwp_1 cancelled toolu_h6qvy101dwp_2, toolu_h6qvy101dwp_6

      start   end  lane  outcome    tool  id                   agent  start from
        833  1129     0  error      Bash  toolu_h6qvy101dwp_1  main   block-time
        912  1159     1  cancelled  Bash  toolu_h6qvy101dwp_2  main   block-time
        930  1045     2  ok         Read  toolu_h6qvy101dwp_3  main   block-time
        949  1018     3  ok         Grep  toolu_h6qvy101dwp_4  main   block-time
        977  1122     4  ok         Bash  toolu_h6qvy101dwp_5  main   block-time
          –  1159     –  cancelled  Bash  toolu_h6qvy101dwp_6  main   never started, because of toolu_h6qvy101dwp_1
       1252  1306     0  ok         Bash  toolu_ro2b55pp3mm_1  main   block-time
      "
    `);
  });

  test('prints one JSON object of the documented shape', async () => {
    const { code, stdout } = await run('--json', join(recordings, 'agents-stream'));
    const inspection = Inspection.parse(JSON.parse(stdout));
    expect([code, inspection.calls, inspection.callList]).toEqual([0, 8, undefined]);
    const listed = await run('--json', '--calls', join(recordings, 'agents-stream'));
    expect(Inspection.parse(JSON.parse(listed.stdout)).callList).toHaveLength(8);
  });

  test('tells with --turns what decided how long each turn took', async () => {
    const { code, stdout } = await run('--turns', join(recordings, 'hooks-stream'));
    expect(code).toBe(0);
    expect(stdout.slice(stdout.indexOf('turn  '))).toMatchInlineSnapshot(`
      "turn  start  length  model  tools  you  hooks  lock  other  parallel
         1    529    2075    354   1199    0    520     2      0      1.0×
      "
    `);
    const listed = await run('--json', '--turns', join(recordings, 'hooks-stream'));
    const [turn, ...more] = Inspection.parse(JSON.parse(listed.stdout)).turnList ?? [];
    expect(more).toEqual([]);
    if (turn === undefined) throw new Error('no turn');
    const { modelMs, toolMs, humanMs, hookMs, lockMs, otherMs } = turn;
    expect(modelMs + toolMs + humanMs + hookMs + lockMs + otherMs).toBeCloseTo(turn.wallMs, 2);
  });

  test.each([
    [[], 'a file or folder is missing.'],
    [['a', 'b'], 'one file or folder at a time, not 2.'],
    [['--no-such', 'a'], "Unknown option '--no-such'."],
  ])('says what is wrong with %j and exits with 2', async (args, message) => {
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe(`gantry inspect: ${message}\nusage: gantry inspect FILE|DIR [--calls] [--turns] [--json]\n`);
  });

  test('says what cannot be read, on stderr, and exits with 1', async () => {
    const { code, stdout, stderr } = await run('/no/such/file.jsonl', '--json');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      'gantry inspect: /no/such/file.jsonl does not exist. Check the path and whether you may read it.\n',
    );
  });
});
