import { expect, test } from 'vitest';
import { Leftovers } from '../app/leftovers.ts';
import { FakeProcessRunner } from '../ports/process-runner.fake.ts';
import { UsageError } from './io.ts';
import { leftoversCommand } from './leftovers.ts';

async function run(args: readonly string[], finder = new FakeProcessRunner()) {
  const out: string[] = [];
  const err: string[] = [];
  const io = { stdout: (text: string) => void out.push(text), stderr: (text: string) => void err.push(text) };
  const code = await leftoversCommand(args, io, new Leftovers(finder, 'gantry'));
  return { code, stdout: out.join(''), stderr: err.join('') };
}
const withOne = () => {
  const finder = new FakeProcessRunner();
  finder.leftovers = [{ pid: 7, command: 'sleep 1000', marker: 'gantry:s1:c1', since: Date.UTC(2026, 0, 2) }];
  return finder;
};

test('lists them, for people and as JSON', async () => {
  expect(await run([])).toEqual({ code: 0, stdout: 'Nothing is left of earlier runs.\n', stderr: '' });
  expect((await run([], withOne())).stdout).toBe(
    '      7  2026-01-02T00:00:00.000Z  s1  sleep 1000\n1 process of earlier runs. End them with gantry leftovers --end.\n',
  );
  expect(JSON.parse((await run(['--json'], withOne())).stdout)).toEqual({
    leftovers: [{ pid: 7, command: 'sleep 1000', since: Date.UTC(2026, 0, 2), sessionId: 's1' }],
  });
});

test('ends them when told to', async () => {
  const finder = withOne();
  const { code, stdout } = await run(['--end', '--json'], finder);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ ended: 1, survivors: [] });
  expect(finder.leftovers).toEqual([]);
  expect((await run(['--end'], withOne())).stdout).toMatch(/1 process ended\.\n$/);
});

test('what could not be ended is named, and the exit code says so', async () => {
  const finder = Object.assign(withOne(), { endLeftovers: async () => [{ pid: 7, command: 'sleep 1000' }] });
  const { code, stdout } = await run(['--end'], finder as unknown as FakeProcessRunner);
  expect(code).toBe(1);
  expect(stdout).toMatch(/0 processes ended\.\nCould not be ended: 7 sleep 1000\n$/);
});

test('other words do not fit', async () => {
  await expect(run(['--all'])).rejects.toThrow(UsageError);
});
