import { expect, test } from 'vitest';
import { FakeProcessRunner } from './process-runner.fake.ts';
import type { ProcessProgress, ProcessSpec, RunHooks } from './process-runner.ts';

const spec: ProcessSpec = {
  command: 'make',
  cwd: '/',
  env: {},
  outputFile: '/tmp/out',
  timeoutMs: 1000,
  maxOutputBytes: 1000,
  marker: 'm1',
};

function hooks() {
  const controller = new AbortController();
  const pids: number[] = [];
  const progress: ProcessProgress[] = [];
  const given: RunHooks = {
    signal: controller.signal,
    onSpawn: (pid) => pids.push(pid),
    onProgress: (news) => progress.push(news),
  };
  return { given, controller, pids, progress };
}

test('a run stays open until the test ends it', async () => {
  const runner = new FakeProcessRunner();
  const { given, pids, progress } = hooks();
  const result = runner.run(spec, given);
  const run = runner.runs[0]!;
  run.progress({ bytes: 3, lines: 1, tail: 'hi\n' });
  expect(await runner.listTree('m1')).toEqual([{ pid: pids[0], ppid: 1, command: 'make' }]);
  run.exit(2, { bytes: 3 });
  expect(await result).toEqual({ end: { kind: 'exited', code: 2 }, bytes: 3, survivors: [] });
  expect(progress).toHaveLength(1);
  expect(await runner.listTree('m1')).toEqual([]);
});

test('a script decides for every run', async () => {
  const runner = new FakeProcessRunner((run) => run.exit(run.spec.command === 'make' ? 0 : 1));
  expect((await runner.run(spec, hooks().given)).end).toEqual({ kind: 'exited', code: 0 });
  expect((await runner.run({ ...spec, command: 'x' }, hooks().given)).end).toEqual({ kind: 'exited', code: 1 });
});

test('aborting ends a run as cancelled; aborted before, it never starts', async () => {
  const runner = new FakeProcessRunner();
  const first = hooks();
  const result = runner.run(spec, first.given);
  first.controller.abort();
  expect((await result).end).toEqual({ kind: 'cancelled' });
  expect((await runner.run(spec, first.given)).end).toEqual({ kind: 'cancelled' });
  expect(runner.runs).toHaveLength(1);
});

test('closing ends what is open, and nothing starts afterwards', async () => {
  const runner = new FakeProcessRunner();
  const result = runner.run(spec, hooks().given);
  await runner.close();
  expect((await result).end).toEqual({ kind: 'cancelled' });
  expect((await runner.run(spec, hooks().given)).end).toEqual({ kind: 'cancelled' });
});
