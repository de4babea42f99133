import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isAlive, Runs, readyPid, tool } from './runs.fixture.ts';
import { until } from './until.fixture.ts';

let runs: Runs;
beforeAll(async () => {
  runs = await Runs.open();
});
afterAll(() => runs.close());

describe('cancelling', () => {
  test('what ends when asked ends at once', async () => {
    const run = runs.start('sleep 1000');
    await until('the shell to start', run.pid);
    const cancelledAt = performance.now();
    run.cancel();
    expect(await run.result).toMatchObject({ end: { kind: 'cancelled' }, survivors: [] });
    expect(performance.now() - cancelledAt).toBeLessThan(1500);
  });

  test('a program that ignores SIGTERM is killed after its two seconds of grace', async () => {
    const run = runs.start(tool('ignores-sigterm'));
    const pid = await until('the program to start', () => readyPid(run));
    const cancelledAt = performance.now();
    run.cancel();
    const result = await run.result;
    const took = performance.now() - cancelledAt;
    expect(result).toMatchObject({ end: { kind: 'cancelled' }, survivors: [] });
    expect(took).toBeGreaterThanOrEqual(1990);
    expect(took).toBeLessThan(4000);
    expect(isAlive(pid)).toBe(false);
  });

  test('a child in a session of its own ends too', async () => {
    const run = runs.start(tool('own-session-child'));
    const pid = await until('the child to start', () => readyPid(run));
    expect(isAlive(pid)).toBe(true);
    run.cancel();
    expect(await run.result).toMatchObject({ end: { kind: 'cancelled' }, survivors: [] });
    expect(isAlive(pid)).toBe(false);
  });

  test('a child that is born of the wish to end ends too', async () => {
    const run = runs.start(tool('forks-when-asked-to-end'));
    await until('the program to start', () => readyPid(run));
    run.cancel();
    expect(await run.result).toMatchObject({ end: { kind: 'cancelled' }, survivors: [] });
    const pid = readyPid(run, 'forked');
    expect(pid).toBeTypeOf('number');
    expect(isAlive(pid!)).toBe(false);
  });

  test('a stopped process ends without its grace being waited for', async () => {
    const run = runs.start('sleep 1000 & kill -STOP $!; echo ready $!; wait');
    const pid = await until('the process to be stopped', () => readyPid(run));
    const cancelledAt = performance.now();
    run.cancel();
    await run.result;
    expect(performance.now() - cancelledAt).toBeLessThan(1500);
    expect(isAlive(pid)).toBe(false);
  });

  test.each([
    ['an orphan with the marker, in its own session, silent', '(setsid sleep 1000 >/dev/null 2>&1 & echo ready $!)'],
    ['an orphan in its own session without the marker', '(env -i setsid sleep 1000 & echo ready $!)'],
    ['an orphan in the session without marker and output', '(env -i sleep 1000 >/dev/null 2>&1 & echo ready $!)'],
    [
      'a grandchild behind a new session without marker and output',
      'env -i setsid sleep 1000 >/dev/null 2>&1 & echo ready $!',
    ],
  ])('%s is found', async (_what, command) => {
    const run = runs.start(`${command}; sleep 1000`);
    const pid = await until('the process to start', () => readyPid(run));
    expect(isAlive(pid)).toBe(true);
    run.cancel();
    expect((await run.result).survivors).toEqual([]);
    expect(isAlive(pid)).toBe(false);
  });

  test('other calls go on', async () => {
    const other = runs.start('sleep 0.4; echo untouched');
    const run = runs.start('sleep 1000');
    await until('both shells to start', () => other.pid() && run.pid());
    run.cancel();
    await run.result;
    expect((await other.result).end).toEqual({ kind: 'exited', code: 0 });
    expect(other.output()).toBe('untouched\n');
  });

  test('a tree of two hundred processes is gone when the result is there', async () => {
    const run = runs.start('for i in {1..200}; do sleep 1000 & done; echo ready $!; wait');
    const pid = await until('all of them to start', () => readyPid(run));
    run.cancel();
    expect((await run.result).survivors).toEqual([]);
    expect(isAlive(pid)).toBe(false);
    expect(await runs.host.findLeftovers(run.marker)).toEqual([]);
  });
});

describe('a time limit', () => {
  test('ends the tree and says so', async () => {
    const run = runs.start(tool('own-session-child'), { timeoutMs: 500 });
    expect(await run.result).toMatchObject({ end: { kind: 'timed-out', limitMs: 500 }, survivors: [] });
    const pid = readyPid(run);
    if (pid !== undefined) expect(isAlive(pid)).toBe(false);
  });

  test('counts from the start of this call, not of the host', async () => {
    const started = performance.now();
    await runs.run('sleep 1000', { timeoutMs: 300 });
    expect(performance.now() - started).toBeGreaterThanOrEqual(299);
  });
});

describe('after a command has ended by itself', () => {
  test.each([
    ['a background job', 'sleep 1000 & echo ready $!'],
    ['a child of a program that ended', tool('leaves-a-child')],
    ['an orphan in a session of its own', tool('own-session-child', 'leave')],
    [
      'an orphan in a session of its own that shares nothing but the marker',
      '(setsid sleep 1000 >/dev/null 2>&1 & echo ready $!)',
    ],
  ])('%s is ended and told', async (_what, command) => {
    const { end, survivors, leftovers, text } = await runs.run(command);
    expect(end).toEqual({ kind: 'exited', code: 0 });
    expect(survivors).toEqual([]);
    const pid = readyPid({ output: () => text })!;
    // Its command may still be that of the shell which is about to become it.
    expect(leftovers).toEqual([{ pid, command: expect.stringContaining('sleep 1000') }]);
    expect(isAlive(pid)).toBe(false);
  });

  test('a command that took longer than the quick look is sure about is swept all the same', async () => {
    const { leftovers } = await runs.run('sleep 1000 & sleep 2.1');
    expect(leftovers).toEqual([{ pid: expect.any(Number), command: 'sleep 1000' }]);
  });
});

describe('when the process host is killed', () => {
  test('its calls end as lost with their trees, and the next call has a new host', async () => {
    const first = runs.start(tool('own-session-child'));
    const second = runs.start('sleep 1000 & echo ready $!; wait');
    const firstPid = await until('the first child', () => readyPid(first));
    const secondPid = await until('the second child', () => readyPid(second));
    const oldHost = runs.host.hostPid!;
    process.kill(oldHost, 'SIGKILL');
    expect(await first.result).toMatchObject({ end: { kind: 'host-lost' }, survivors: [] });
    expect(await second.result).toMatchObject({ end: { kind: 'host-lost' }, survivors: [] });
    expect(isAlive(firstPid)).toBe(false);
    expect(isAlive(secondPid)).toBe(false);
    expect(runs.troubles.join()).toContain('SIGKILL');

    expect((await runs.run('exit 7')).end).toEqual({ kind: 'exited', code: 7 });
    expect(runs.host.hostPid).not.toBe(oldHost);
  });

  test('a question it has not answered is answered with nothing', async () => {
    await runs.run('true');
    process.kill(runs.host.hostPid!, 'SIGSTOP');
    const answer = runs.host.listTree('any');
    process.kill(runs.host.hostPid!, 'SIGKILL');
    expect(await answer).toEqual([]);
  });

  test('asked to end by the system it ends its trees before itself', async () => {
    const run = runs.start('sleep 1000 & echo ready $!; wait');
    const pid = await until('the child', () => readyPid(run));
    const hostPid = runs.host.hostPid!;
    process.kill(hostPid, 'SIGTERM');
    await run.result;
    await until('the host to end', () => !isAlive(hostPid));
    expect(isAlive(pid)).toBe(false);
  });
});

describe('when the main process is killed', () => {
  /** Starts a main process that runs the command; resolves when it says that the command runs. */
  async function startMain(command: string, marker: string, outputFile: string) {
    const main = spawn(process.execPath, [runs.bundle.parentPath, runs.bundle.hostPath, command, outputFile, marker], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    main.stdout!.on('data', (data: Buffer) => {
      said += data;
    });
    await until('the main process to run its command', () => said.includes('\n'));
    return { main, ...(JSON.parse(said) as { pid: number; hostPid: number }) };
  }

  const killed = (main: ChildProcess) =>
    new Promise<void>((resolve) => {
      main.once('exit', () => resolve());
      main.kill('SIGKILL');
    });

  test('every process is gone within two seconds, those that ignore and those that hide included', async () => {
    const outputFile = join(runs.folder, 'main.txt');
    const command = `${tool('own-session-child', 'leave')}; exec ${tool('ignores-sigterm')}`;
    const { main, pid, hostPid } = await startMain(command, `main.${process.pid}`, outputFile);
    const output = () => runs.readFile('main.txt');
    await until('the program to be ready', () => output().split('ready').length === 3);
    const hidden = readyPid({ output })!;
    const lookedAt = performance.now();
    expect([pid, hidden, hostPid].map(isAlive)).toEqual([true, true, true]);
    // The end takes about twenty steps, none of which is longer than these looks; on a machine that has no time they are.
    const slowness = 20 * (performance.now() - lookedAt);

    await killed(main);
    const diedAt = performance.now();
    await until('all to be gone', () => ![pid, hidden, hostPid].some(isAlive), 20_000);
    expect(performance.now() - diedAt).toBeLessThan(2000 + slowness);
    expect(await runs.host.findLeftovers(`main.${process.pid}`)).toEqual([]);
  });

  test('and its host with it, what is left is found by the next run, and ended when asked', async () => {
    const marker = `crashed.${process.pid}`;
    const outputFile = join(runs.folder, 'crashed.txt');
    const { main, pid, hostPid } = await startMain('sleep 1000', marker, outputFile);
    expect(await runs.host.findLeftovers('crashed.')).toEqual([]);

    process.kill(hostPid, 'SIGSTOP');
    await killed(main);
    process.kill(hostPid, 'SIGKILL');
    await until('the host to be gone', () => !isAlive(hostPid));
    expect(isAlive(pid)).toBe(true);

    const found = await runs.host.findLeftovers('crashed.');
    expect(found.map((one) => one.marker)).toEqual(found.map(() => marker));
    expect(found.map((one) => one.pid)).toContain(pid);
    expect(await runs.host.endLeftovers([marker])).toEqual([]);
    expect(isAlive(pid)).toBe(false);
    expect(await runs.host.findLeftovers('crashed.')).toEqual([]);
  });
});

test('closing ends what runs, and the host; afterwards nothing starts', async () => {
  const own = await Runs.open();
  const run = own.start(tool('own-session-child'));
  const pid = await until('the child to start', () => readyPid(run));
  const hostPid = own.host.hostPid!;
  await own.close();
  expect(await run.result).toMatchObject({ end: { kind: 'cancelled' }, survivors: [] });
  expect([pid, hostPid].map(isAlive)).toEqual([false, false]);
  expect((await own.host.run(SPEC, HOOKS)).end).toEqual({ kind: 'cancelled' });
  expect(own.host.hostPid).toBeUndefined();
  expect(own.troubles).toEqual([]);
});

const SPEC = {
  command: 'true',
  cwd: '/',
  env: {},
  outputFile: '/dev/null',
  timeoutMs: 1000,
  maxOutputBytes: 1000,
  marker: 'after-close',
};
const HOOKS = {
  signal: new AbortController().signal,
  onSpawn: () => {
    throw new Error('started after closing');
  },
  onProgress: () => {},
};
