import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { simulateCommand } from './simulate.ts';
import type { Report } from './simulate-report.ts';

const recordings = join(import.meta.dirname, '..', 'adapters', 'transcripts', 'fixtures', 'claude-code-2.1.92');

const run = async (...args: readonly string[]) => {
  const out = { stdout: '', stderr: '' };
  const code = await simulateCommand(args, {
    stdout: (text) => {
      out.stdout += text;
    },
    stderr: (text) => {
      out.stderr += text;
    },
  });
  return { code, stderr: out.stderr, stdout: out.stdout.replaceAll(recordings, '<recordings>') };
};
const json = async (name: string, ...args: readonly string[]): Promise<Report> =>
  JSON.parse((await run(join(recordings, name), '--json', ...args)).stdout) as Report;

describe('gantry simulate', () => {
  test('prints the whole table for people', async () => {
    const { code, stdout, stderr } = await run(join(recordings, 'cascade-stream'));
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatchInlineSnapshot(`
      "<recordings>/cascade-stream/4ac96991-7b75-4289-99de-59ff3f58de09.jsonl, 1 turn, 10 lanes

      rules                                       wall time  cancelled   lost  races
      recorded (streaming, bash)                      0.8 s          2  0.2 s      0
      streaming, none (as bash-mutating)            ≥ 0.8 s          0   0 ms      0
      batch, none (as bash-mutating)                ≥ 0.9 s          0   0 ms      0
      batch, bash (as any-error, except-writes)     ≈ 0.9 s          2  0.3 s      0
      serial, none (as bash-mutating)               ≥ 1.3 s          0   0 ms      0
      serial, bash (as any-error, except-writes)    ≈ 0.8 s          5   0 ms      0
      all at once (never live)                      ≥ 0.9 s          0   0 ms      1

      ≥: 2 calls were stopped or never started; how long they take is not known.
      ≈: times of the file are inferred.
      "
    `);
  });

  test('prints one row for the rules that are asked for, and where it differs', async () => {
    const { stdout } = await run(join(recordings, 'cascade-stream'), '--cascade', 'none', '--turn', '1');
    expect(stdout).toMatchInlineSnapshot(`
      "<recordings>/cascade-stream/4ac96991-7b75-4289-99de-59ff3f58de09.jsonl, turn 1 of 1, 10 lanes

      rules                       wall time  cancelled   lost  races
      recorded (streaming, bash)      0.8 s          2  0.2 s      0
      streaming, none               ≥ 0.8 s          0   0 ms      0

      Differs from 1.1 s on, turn 1: touch stamp runs, sleep 4 ends by itself.
      ≥: 2 calls were stopped or never started; how long they take is not known.
      ≈: times of the file are inferred.
      "
    `);
  });

  test('prints one JSON object of the documented shape', async () => {
    const report = await json('cascade-stream', '--cascade', 'none');
    expect(report).toMatchObject({
      format: 'claude-code',
      turn: null,
      recorded: { strategy: 'streaming', cascade: 'bash', cap: 10, cancelled: 2 },
      rows: [
        {
          strategy: 'streaming',
          cascade: 'none',
          wallIsAtLeast: true,
          inferred: true,
          cancelled: 0,
          lostMs: 0,
          lengthsAtLeast: ['toolu_h6qvy101dwp_2'],
          lengthsUnknown: ['toolu_h6qvy101dwp_6'],
          firstDifference: { turn: 1, call: 'toolu_h6qvy101dwp_6', change: 'starts' },
        },
      ],
    });
  });

  test.each(['cascade-stream', 'cascade-batch', 'errors-stream', 'hooks-stream', 'mixed-batch', 'interactive'])(
    'under its own rules %s comes out as it was recorded',
    async (name) => {
      const { recorded, rows } = await json(name, '--cap', '10');
      expect(rows).toHaveLength(1);
      const [row] = rows;
      expect([row?.cancelled, row?.lostMs, row?.firstDifference]).toEqual([recorded.cancelled, recorded.lostMs, null]);
      expect(row?.wallMs).toBeCloseTo(recorded.wallMs, 0);
    },
  );

  test('the model misses none of the recordings whose lines have times by more than a fiftieth', async () => {
    for (const name of [
      'agents-batch',
      'agents-stream',
      'cascade-stream',
      'errors-stream',
      'hooks-batch',
      'mixed-stream',
    ]) {
      const { recorded, modelMissesByMs } = await json(name);
      expect(Math.abs(modelMissesByMs) / recorded.wallMs, name).toBeLessThan(0.021);
    }
  });

  test('one lane for all is serial, and exclusive calls run alone', async () => {
    const serial = await json('mixed-stream', '--strategy', 'serial');
    const alone = await json('mixed-stream', '--unsafe', 'Read,Grep,Glob', '--unsafe', 'Bash,LS');
    expect(alone.rows[0]).toMatchObject({ unsafe: ['Read', 'Grep', 'Glob', 'Bash', 'LS'] });
    expect(alone.rows[0]?.wallMs).toBeCloseTo(serial.rows[0]?.wallMs ?? 0, 0);
  });
});

describe('what does not fit', () => {
  test.each([
    [[], 'a file or folder is missing.'],
    [['a', 'b'], 'one file or folder at a time, not 2.'],
    [['a', '--turn', '0'], '--turn is the number of a turn, from 1, not 0.'],
    [['a', '--cap', 'ten'], '--cap is a number of lanes, from 1, not ten.'],
    [['a', '--strategy', 'eager'], '--strategy is streaming, batch, serial or all-at-once, not eager.'],
    [['a', '--cascade', 'all'], '--cascade is any-error, except-writes, bash, bash-mutating, none, not all.'],
    [['a', '--safe', 'Bash', '--unsafe', 'Bash'], 'Bash cannot be both safe and unsafe.'],
  ])('%j', async (args, message) => {
    const { code, stderr } = await run(...args);
    expect([code, stderr.split('\n')[0]]).toEqual([2, `gantry simulate: ${message}`]);
  });

  test('a file that is not there, and a turn that is not in it', async () => {
    expect(await run(join(recordings, 'nothing'))).toMatchObject({ code: 1, stdout: '' });
    const { code, stderr } = await run(join(recordings, 'cascade-stream'), '--turn', '7');
    expect([code, stderr]).toEqual([1, expect.stringContaining('There is no turn 7; it has 1 turn.')]);
  });
});
