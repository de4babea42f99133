import { mkdirSync, readdirSync, readFileSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isAlive, Runs, tool } from './runs.fixture.ts';
import { until } from './until.fixture.ts';

let runs: Runs;
beforeAll(async () => {
  runs = await Runs.open({ ...process.env, PAGER: 'less', ELECTRON_RUN_AS_NODE: '1', BASH_ENV: '/etc/profile' });
});
afterAll(async () => {
  await runs.close();
  expect(runs.troubles).toEqual([]);
});

describe('endings', () => {
  test('an output file that is none is refused', async () => {
    const result = await runs.run('true', { outputFile: '/dev/null' });
    expect(result.end).toMatchObject({ kind: 'spawn-failed', message: expect.stringContaining('/dev/null') });
  });

  test.each([0, 1, 3, 127, 255])('exit code %i is told as it is', async (code) => {
    const result = await runs.run(`exit ${code}`);
    expect(result.end).toEqual({ kind: 'exited', code });
    expect(result.survivors).toEqual([]);
    expect(result.leftovers).toBeUndefined();
  });

  test('a shell that kills itself was signalled', async () => {
    expect((await runs.run('kill -KILL $$')).end).toEqual({ kind: 'signalled', signal: 'SIGKILL' });
  });

  test('a missing working directory is named', async () => {
    const result = await runs.run('true', { cwd: '/nowhere/at all' });
    expect(result.end).toEqual({
      kind: 'spawn-failed',
      message: 'The working directory /nowhere/at all does not exist.',
    });
  });

  test('an output file that cannot be made is named, and nothing is started', async () => {
    writeFileSync(join(runs.folder, 'file'), '');
    const result = await runs.run('touch started', { outputFile: join(runs.folder, 'file', 'out.txt') });
    expect(result.end).toMatchObject({ kind: 'spawn-failed', message: expect.stringContaining('file/out.txt') });
    expect(statSync(join(runs.folder, 'started'), { throwIfNoEntry: false })).toBeUndefined();
  });

  test('a command too long for the system is said to be too long', async () => {
    const result = await runs.run(`: ${'x'.repeat(200_000)}`);
    expect(result.end).toMatchObject({ kind: 'spawn-failed', message: expect.stringContaining('200002 bytes') });
  });

  test('a NUL in the command is a failed start, not a broken host', async () => {
    expect((await runs.run('echo a\0b')).end.kind).toBe('spawn-failed');
    expect((await runs.run('true')).end).toEqual({ kind: 'exited', code: 0 });
  });

  test('a call that cannot be described to the host is thrown back at its caller', async () => {
    await expect(runs.run('true', { timeoutMs: Number.POSITIVE_INFINITY })).rejects.toThrow(/timeoutMs/);
    await expect(runs.run('true', { marker: 'two words' })).rejects.toThrow(/marker/);
  });

  test('a limit of a hundred days is no limit', async () => {
    expect((await runs.run('sleep 0.05; exit 2', { timeoutMs: 100 * 86_400_000 })).end).toEqual({
      kind: 'exited',
      code: 2,
    });
  });

  test('a call cancelled before its start does not start', async () => {
    const controller = new AbortController();
    controller.abort();
    const spec = { cwd: runs.folder, env: {}, timeoutMs: 1000, maxOutputBytes: 1000, marker: 'never' };
    const result = await runs.host.run(
      { ...spec, command: 'touch never', outputFile: join(runs.folder, 'never.txt') },
      { signal: controller.signal, onSpawn: () => expect.unreachable(), onProgress: () => expect.unreachable() },
    );
    expect(result).toEqual({ end: { kind: 'cancelled' }, bytes: 0, survivors: [] });
    expect(statSync(join(runs.folder, 'never.txt'), { throwIfNoEntry: false })).toBeUndefined();
  });
});

describe('the environment of a command', () => {
  test('standard input is empty', async () => {
    expect((await runs.run('cat; echo end')).text).toBe('end\n');
  });

  test('there is no pager, no prompt, no start-up file and nothing of the app', async () => {
    const { text } = await runs.run(
      'echo "$PAGER $GIT_PAGER $GIT_TERMINAL_PROMPT [$BASH_ENV$ELECTRON_RUN_AS_NODE]"; env',
    );
    expect(text).toMatch(/^cat cat 0 \[\]\n/);
    expect(text).not.toMatch(/NODE_CHANNEL|BASH_ENV/);
  });

  test("the call's own variables win", async () => {
    expect((await runs.run('echo $A $PAGER', { env: { A: 'b c', PAGER: 'more' } })).text).toBe('b c more\n');
  });

  test('a command may begin with a dash, and sees no arguments', async () => {
    const { text, end } = await runs.run('-x');
    expect(text).toContain('-x: command not found');
    expect(end).toEqual({ kind: 'exited', code: 127 });
    expect((await runs.run('echo "$0 $#"')).text).toBe('bash 0\n');
  });
});

describe('the working directory afterwards', () => {
  const after = async (command: string) => {
    const { cwdAfter, end } = await runs.run(command, { cwd: '/' });
    return [cwdAfter, end.kind === 'exited' ? end.code : end.kind];
  };

  test.each([
    ['true', '/', 0],
    ['cd /usr', '/usr', 0],
    ['cd /usr; exit 3', '/usr', 3],
    ['set -e; cd /usr; false; cd /', '/usr', 1],
    ['set -euxC; cd /usr; echo "$NOT_SET"', '/usr', 1],
    ['(cd /usr)', '/', 0],
    ['f() { cd /usr; }; f; pwd() { echo no; }', '/usr', 0],
    ['cd /usr\nif then', '/usr', 2],
    ['cd /usr; bash -c "cd /"; bash -c "exit 4"', '/usr', 4],
    ['cd /usr; exec 1>&- 2>&-', '/usr', 0],
    ['cd /usr; trap "true" EXIT; exit 5', undefined, 5],
    ['cd /usr; exec bash -c "exit 6"', undefined, 6],
    ['cd /usr; kill -KILL $$', undefined, 'signalled'],
  ])('%j: %s, code %s', async (command, cwd, code) => {
    expect(await after(command)).toEqual([cwd, code]);
  });

  test('a link is resolved, and a name may hold anything', async () => {
    const odd = join(realpathSync(runs.folder), "it's a\n日本 $HOME `x` folder");
    mkdirSync(odd);
    symlinkSync(odd, join(runs.folder, 'link'));
    expect((await runs.run('cd link')).cwdAfter).toBe(odd);
  });

  test('looking leaves no trace in the output', async () => {
    expect((await runs.run('set -x; cd /usr')).text).toBe('+ cd /usr\n');
    expect((await runs.run('echo a\nnosuch\necho b')).text).toMatch(
      /^a\nbash: (line 2: )?nosuch: command not found\nb\n$/,
    );
  });
});

describe('output', () => {
  test('both streams land in one file in the order they were written', async () => {
    const { text, bytes } = await runs.run('for i in 1 2 3; do echo out$i; echo err$i >&2; done');
    expect(text).toBe('out1\nerr1\nout2\nerr2\nout3\nerr3\n');
    expect(bytes).toBe(text.length);
  });

  test('an old file is emptied, and missing folders are made', async () => {
    const outputFile = join(runs.folder, 'deep', 'er', 'out.txt');
    await runs.run('echo something long', { outputFile });
    await runs.run('echo short', { outputFile });
    expect(readFileSync(outputFile, 'utf8')).toBe('short\n');
  });

  test('what is written through a second opening of the file is not overwritten', async () => {
    const { text } = await runs.run('echo one; echo two >>/dev/stderr; echo three');
    expect(text).toBe('one\ntwo\nthree\n');
  });

  test('a stream opened by its name is not emptied', async () => {
    const { text } = await runs.run(
      'echo one; echo two >/dev/stderr; echo three; echo four > /dev/fd/1; echo five >&2',
    );
    expect(text).toBe('one\ntwo\nthree\nfour\nfive\n');
    expect((await runs.run('echo one; bash -c "echo two >/proc/self/fd/2"; exit 3 # /dev/stderr')).text).toBe(
      'one\ntwo\n',
    );
  });

  test('through such a stream 20 MB arrive whole, with every line counted', async () => {
    const run = runs.start(`${tool('floods-stdout', '20971520')}; echo last >/dev/stderr`);
    const result = await run.result;
    expect(result).toMatchObject({ end: { kind: 'exited', code: 0 }, bytes: 20_971_525 });
    expect(run.output().endsWith('x\nlast\n')).toBe(true);
  });

  test('through such a stream what a cancelled command had written is kept, and nothing of it lives on', async () => {
    const run = runs.start(`${tool('own-session-child', 'leave')} >/dev/stderr; exec ${tool('ignores-sigterm')}`);
    await until('both are ready', () => run.output().match(/ready/g)?.length === 2);
    const pids = [...run.output().matchAll(/^ready (\d+)$/gm)].map((match) => Number(match[1]));
    run.cancel();
    expect(await run.result).toMatchObject({ end: { kind: 'cancelled' }, survivors: [] });
    expect(pids.filter(isAlive)).toEqual([]);
    expect(run.output().match(/ready/g)).toHaveLength(2);
  });

  test('50 MB arrive whole, with every line counted', async () => {
    const bytes = 50 * 1024 * 1024;
    const run = runs.start(`${tool('floods-stdout', String(bytes))}; sleep 0.3`);
    const result = await run.result;
    expect(result).toMatchObject({ end: { kind: 'exited', code: 0 }, bytes, survivors: [] });
    expect(run.progress.at(-1)).toMatchObject({ bytes, lines: bytes / 64 });
  });

  test('progress shows whole characters and the last lines, and comes to an end with the result', async () => {
    const run = runs.start(tool('says-lines', '30', '20'));
    await run.result;
    const text = run.output();
    expect(run.progress.length).toBeGreaterThan(1);
    for (const { tail, bytes, lines } of run.progress) {
      expect(tail).not.toContain('\ufffd');
      expect(text).toContain(tail);
      expect(bytes).toBeLessThanOrEqual(Buffer.byteLength(text));
      expect(lines).toBe(Buffer.from(text).subarray(0, bytes).toString().trimEnd().split('\n').length);
    }
    expect(run.progress.at(-1)).toEqual({ bytes: Buffer.byteLength(text), lines: 30, tail: text });
  });

  test('progress comes at most ten times a second', async () => {
    const started = performance.now();
    const run = runs.start('for i in {1..60}; do echo $i; sleep 0.01; done');
    await run.result;
    const ticks = Math.ceil((performance.now() - started) / 100);
    expect(run.progress.length).toBeGreaterThan(1);
    expect(run.progress.length).toBeLessThanOrEqual(ticks + 1);
  });

  test('more output than the limit ends the command', async () => {
    const limit = 1_000_000;
    const result = await runs.run('while :; do echo {1..3000}; done', { maxOutputBytes: limit });
    expect(result.end).toEqual({ kind: 'output-limit', limitBytes: limit });
    expect(result.bytes).toBeGreaterThan(limit);
    expect(result.survivors).toEqual([]);
  });

  test('a command that removes its own output file still ends with its size', async () => {
    const outputFile = join(runs.folder, 'removed.txt');
    expect(await runs.run(`rm ${outputFile}; echo gone`, { outputFile })).toMatchObject({
      end: { kind: 'exited', code: 0 },
      bytes: 5,
    });
  });
});

test('many calls at once each get their own result', async () => {
  const results = await Promise.all(
    Array.from({ length: 30 }, (_, i) => runs.run(`cd /usr; echo ${i}; exit ${i}`, { cwd: '/' })),
  );
  results.forEach((result, i) => {
    expect(result).toMatchObject({ end: { kind: 'exited', code: i }, text: `${i}\n`, cwdAfter: '/usr' });
  });
});

test('the host keeps no descriptor of a call that has ended', async () => {
  const openFiles = () => readdirSync(`/proc/${runs.host.hostPid}/fd`).length;
  await runs.run('echo warm; sleep 0.2');
  const before = openFiles();
  await Promise.all(
    Array.from({ length: 40 }, (_, i) => runs.run(`echo ${i} >/dev/${i % 2 ? 'stderr' : 'null'}; sleep 0.${i % 3}`)),
  );
  await runs.run('true', { cwd: '/nowhere' });
  // A result is sent before its descriptors are closed.
  await until('no more descriptors to be open than before', () => openFiles() <= before);
});

test('processor time and memory are told of a command that works for a while', async () => {
  const { usage } = await runs.run('for ((i = 0; i < 150000; i++)); do :; done');
  expect(usage?.userMs).toBeGreaterThan(20);
  expect(usage?.maxRssBytes).toBeGreaterThan(1_000_000);
});

test('the tree of a running call can be listed, and is empty afterwards', async () => {
  const run = runs.start('sleep 1000 & sleep 1001');
  await until('the shell to start', run.pid);
  const commands = async () => (await runs.host.listTree(run.marker)).map((one) => one.command);
  // Each is a bash for a moment before it is what it was started for.
  await until('the tree to be complete', async () => {
    const listed = await commands();
    return listed.length === 3 && listed.includes('sleep 1000') && listed.includes('sleep 1001');
  });
  expect(await runs.host.listTree('no such marker')).toEqual([]);
  run.cancel();
  expect((await run.result).end).toEqual({ kind: 'cancelled' });
  expect(await commands()).toEqual([]);
});
