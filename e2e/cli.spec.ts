import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { parseLine } from '../src-shared/session/stored-line.ts';
import { expect, ownEnvironment, test } from './app.fixture.ts';
import { living } from './living.ts';

const run = promisify(execFile);
const projectRoot = resolve(import.meta.dirname, '..');
const gantry = (args: readonly string[], home = join(tmpdir(), 'gantry-cli-nobody')) =>
  run(process.execPath, [join(projectRoot, 'scripts/gantry.mjs'), ...args], { env: ownEnvironment(home) });

test('a cascade on the command line ends the slow sibling’s whole process tree within 2 s', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-cli-'));
  try {
    const journal = join(folder, 'journal.jsonl');
    const cwd = join(folder, 'shop');
    const { stdout } = await gantry(['run', 'cascade', '--cwd', cwd, '--journal', journal, '--json'], folder);
    expect(JSON.parse(stdout)).toMatchObject({ turn: 'completed' });

    const text = await readFile(journal, 'utf8');
    const events = text
      .trim()
      .split('\n')
      .map((line) => {
        const parsed = parseLine(line);
        if (!parsed.ok) throw new Error(parsed.error);
        return parsed.value;
      });
    const cascade = events.find((event) => event.type === 'cascade-triggered');
    const ended = events.find((event) => event.type === 'process-tree-ended' && event.callId === 'slow');
    expect(cascade).toMatchObject({ culprit: 'culprit', victims: ['slow', 'touch'] });
    expect(ended).toMatchObject({ survivors: [] });
    expect((ended?.t ?? Number.POSITIVE_INFINITY) - (cascade?.t ?? 0)).toBeLessThan(2_000);
    const pids = events.flatMap((event) => (event.type === 'process-spawned' ? [event.pid] : []));
    expect(pids.length).toBeGreaterThan(0);
    expect(living(pids)).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('wrong words on the command line end with code 2, a reason and no stack', async () => {
  for (const args of [
    ['run'],
    ['run', 'cascade'],
    ['nonsense'],
    ['inspect'],
    ['run', 'cascade', '--cwd', '/tmp/x', '--cap', '0'],
  ]) {
    const failed = await gantry(args).then(
      () => undefined,
      (error: { readonly code: number; readonly stderr: string }) => error,
    );
    expect(failed?.code, args.join(' ')).toBe(2);
    expect(failed?.stderr).not.toMatch(/\n\s+at /);
    expect(failed?.stderr).toMatch(/\S/);
  }
});

test('inspect says of each recording what a script over the raw JSON counts', async () => {
  const recordings = join(projectRoot, 'src-main/adapters/transcripts/fixtures/claude-code-2.1.92');
  expect(existsSync(recordings)).toBe(true);
  expect(readdirSync(recordings).length).toBe(13);
  const { stdout } = await run(process.execPath, [join(projectRoot, 'scripts/check-inspect.mjs'), recordings]);
  expect(stdout).toMatch(/13 of 13 sessions agree/);
});

test('a command tells how it is written, and the version is told', async () => {
  expect((await gantry(['export', '--help'])).stdout).toMatch(/^usage: gantry export /);
  expect((await gantry(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});
