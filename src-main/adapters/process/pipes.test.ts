import { spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Pipe, PipeSpec } from '../../ports/pipe-runner.ts';
import { isAlive, Runs } from './runs.fixture.ts';
import { until } from './until.fixture.ts';

let runs: Runs;
beforeAll(async () => {
  runs = await Runs.open();
});
afterAll(() => runs.close());

let counter = 0;
const marker = () => `test.pipe.${process.pid}.${counter++}`;

type Open = { readonly pipe: Pipe; readonly said: () => string; readonly pid: () => number | undefined };

function open(script: string, over: Partial<PipeSpec> = {}): Open {
  let said = '';
  let pid: number | undefined;
  const env = { PATH: process.env.PATH ?? '' };
  // A bash whose standard input is a socket takes itself for one of a distant login.
  const spec = { file: 'bash', args: ['--norc', '-c', script], cwd: runs.folder, env, marker: marker(), ...over };
  const pipe = runs.host.open(spec, {
    onText: (text) => {
      said += text;
    },
    onSpawn: (started) => {
      pid = started;
    },
  });
  return { pipe, said: () => said, pid: () => pid };
}

test('what is written comes to the program, and what it says comes back in whole characters', async () => {
  const { pipe, said } = open('while read -r line; do echo "<$line>"; done');
  pipe.write('grüße 🚂\n');
  await until('the answer', () => said() === '<grüße 🚂>\n');
  pipe.close();
  expect(await pipe.ended).toEqual({ end: { kind: 'closed' }, stderr: '', survivors: [] });
});

test('it has the environment it was given, and the mark by which it is found, and no more', async () => {
  const { pipe, said } = open('/usr/bin/env | cut -d= -f1 | sort | tr "\\n" " "', { env: { SHOP: 'open' } });
  await pipe.ended;
  expect(
    said()
      .trim()
      .split(' ')
      .filter((name) => !/^(PWD|SHLVL|_)$/.test(name)),
  ).toEqual(['GANTRY_CALL', 'GANTRY_HOST', 'SHOP']);
});

test('an end is told with its code and the last of what was said on standard error', async () => {
  const { pipe, said } = open('echo last; for i in $(seq 3000); do echo "line $i" >&2; done; exit 3');
  const { end, stderr } = await pipe.ended;
  expect(end).toEqual({ kind: 'exited', code: 3 });
  expect(said()).toBe('last\n');
  expect(stderr.length).toBeLessThanOrEqual(4_096);
  expect(stderr.endsWith('line 3000\n')).toBe(true);
  expect((await open('kill -KILL $$').pipe.ended).end).toEqual({ kind: 'signalled', signal: 'SIGKILL' });
});

test('a program that cannot be started says which and why', async () => {
  expect((await open('', { file: 'no-such-program' }).pipe.ended).end).toEqual({
    kind: 'spawn-failed',
    message: 'There is no program no-such-program.',
  });
  expect((await open('', { cwd: '/no/such/folder' }).pipe.ended).end).toEqual({
    kind: 'spawn-failed',
    message: 'The folder /no/such/folder does not exist.',
  });
  expect((await open('a\0b').pipe.ended).end).toMatchObject({ kind: 'spawn-failed' });
});

test('one that does not end when its input is closed is ended with all it started', async () => {
  const { pipe, said } = open('trap "" TERM; setsid sleep 1000 & echo "$!"; sleep 1000');
  const child = await until('its child', () => Number(said().trim()) || undefined);
  pipe.close();
  expect(await pipe.ended).toMatchObject({ end: { kind: 'closed' }, survivors: [] });
  expect(isAlive(child)).toBe(false);
});

test('what a program leaves behind that ended by itself is ended', async () => {
  const { pipe, said } = open('setsid sleep 1000 >/dev/null 2>&1 </dev/null & echo "$!"');
  expect((await pipe.ended).end).toEqual({ kind: 'exited', code: 0 });
  expect(isAlive(Number(said().trim()))).toBe(false);
});

test('megabytes come through whole', async () => {
  const { pipe, said } = open('head -c 20000000 /dev/zero | tr "\\0" x');
  await pipe.ended;
  expect(said().length).toBe(20_000_000);
});

test('when the main process is killed nothing of it is left, deaf to SIGTERM as it may be', async () => {
  const script = 'trap "" TERM; setsid sleep 1000 & sleep 1000';
  const mark = marker();
  const parent = spawn(process.execPath, [
    runs.bundle.parentPath,
    runs.bundle.hostPath,
    script,
    '/dev/null',
    mark,
    'pipe',
  ]);
  let text = '';
  parent.stdout.on('data', (data: Buffer) => {
    text += data.toString();
  });
  const pid = await until('the program', () => /"pid":(\d+)/.exec(text)?.[1]);
  const tree = { marker: mark };
  const { linuxProcessTable } = await import('./linux-process-table.ts');
  if (process.platform === 'linux') {
    const table = linuxProcessTable();
    await until('its child', async () => (await table.members(tree)).length >= 3);
    parent.kill('SIGKILL');
    await until('all of it to be gone', async () => (await table.members(tree)).length === 0, 3_000);
  } else parent.kill('SIGKILL');
  await until('the program to be gone', () => !isAlive(Number(pid)), 3_000);
});

test('a host that dies takes its programs with it, and says so', async () => {
  const own = await Runs.open();
  try {
    let pid: number | undefined;
    const spec = {
      file: 'sleep',
      args: ['1000'],
      cwd: own.folder,
      env: { PATH: process.env.PATH ?? '' },
      marker: marker(),
    };
    const pipe = own.host.open(spec, {
      onText: () => {},
      onSpawn: (started) => {
        pid = started;
      },
    });
    const started = await until('the program', () => pid);
    process.kill(own.host.hostPid!, 'SIGKILL');
    expect(await pipe.ended).toMatchObject({ end: { kind: 'host-lost' }, survivors: [] });
    expect(isAlive(started)).toBe(false);
  } finally {
    await own.close();
  }
});
