import { beforeEach, expect, test } from 'vitest';
import { millis } from '../../../src-shared/units.ts';
import { ManualClock } from '../../ports/clock.fake.ts';
import { FakeProcessRunner } from '../../ports/process-runner.fake.ts';
import type { ProcessResult, TreeProcess } from '../../ports/process-runner.ts';
import type { ProcessNews } from '../../ports/tool.ts';
import { watchProcesses } from './process-watch.ts';

const SHELL = { pid: 10, ppid: 1, command: 'bash' };
const CHILD = { pid: 11, ppid: 10, command: 'sleep 9' };
const DONE: ProcessResult = { end: { kind: 'exited', code: 0 }, bytes: 0, survivors: [] };

let clock: ManualClock;
let news: ProcessNews[];
/** What the next looks see, one list each. */
let looks: (readonly TreeProcess[] | Error)[];
let watch: ReturnType<typeof watchProcesses>;
beforeEach(() => {
  clock = new ManualClock();
  news = [];
  looks = [];
  const processes = new FakeProcessRunner();
  processes.listTree = async () => {
    const seen = looks.shift() ?? [];
    if (seen instanceof Error) throw seen;
    return seen;
  };
  watch = watchProcesses({ clock, processes }, 'marker', (each) => news.push(each));
  watch.started(10, 'make');
});

async function look(...seen: readonly (readonly TreeProcess[] | Error)[]): Promise<void> {
  looks.push(...seen);
  while (looks.length > 0) {
    clock.advance(millis(1_000));
    await new Promise(setImmediate);
  }
}

test('processes are told when they are seen first and when they are seen no more', async () => {
  await look([SHELL, CHILD], [SHELL, CHILD], [SHELL]);
  expect(news).toEqual([
    { type: 'spawned', pid: 10, command: 'make' },
    { type: 'spawned', pid: 11, parentPid: 10, command: 'sleep 9' },
    { type: 'ended', pid: 11 },
  ]);
});

test('a list that could not be had says nothing', async () => {
  await look([SHELL, CHILD], [], new Error('host lost'), [SHELL, CHILD]);
  expect(news.map(({ type }) => type)).toEqual(['spawned', 'spawned']);
});

test('at the end all have ended, the shell with its code, and nobody is left', async () => {
  await look([SHELL, CHILD]);
  watch.ended({ ...DONE, end: { kind: 'exited', code: 3 } });
  expect(news.slice(2)).toEqual([
    { type: 'ended', pid: 10, code: 3 },
    { type: 'ended', pid: 11 },
    { type: 'tree-ended', survivors: [] },
  ]);
});

test('survivors are named and have not ended', async () => {
  await look([SHELL, CHILD]);
  const survivors = [{ pid: 11, command: 'sleep 9' }];
  watch.ended({ ...DONE, end: { kind: 'signalled', signal: 'SIGKILL' }, survivors });
  expect(news.slice(2)).toEqual([
    { type: 'ended', pid: 10, signal: 'SIGKILL' },
    { type: 'tree-ended', survivors },
  ]);
});

test('a look that answers after the end is not heard, and none follows', async () => {
  looks.push([SHELL, CHILD]);
  clock.advance(millis(150));
  watch.ended(DONE);
  watch.dispose();
  await new Promise(setImmediate);
  expect(news.map(({ type }) => type)).toEqual(['spawned', 'ended', 'tree-ended']);
  expect(clock.pending).toBe(0);
});

test('looks come often at first and once a second later', async () => {
  const times: number[] = [];
  looks = Array.from({ length: 12 }, () => [SHELL]);
  let left = looks.length;
  while (looks.length > 0) {
    clock.advance(millis(10));
    await new Promise(setImmediate);
    if (looks.length < left) times.push(clock.monotonic());
    left = looks.length;
  }
  expect(times).toEqual([150, 300, 450, 600, 750, 900, 1_050, 1_200, 2_200, 3_200, 4_200, 5_200]);
});
