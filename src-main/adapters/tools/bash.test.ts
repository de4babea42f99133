import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FakeProcessRunner, type FakeRun } from '../../ports/process-runner.fake.ts';
import { type AnyTool, CallAborted, type ProcessNews } from '../../ports/tool.ts';
import { isAlive, Runs } from '../process/runs.fixture.ts';
import { systemClock } from '../process/system-clock.ts';
import { until } from '../process/until.fixture.ts';
import { bashTool } from './bash.ts';
import { Workbench } from './workbench.fixture.ts';

let runs: Runs;
let bash: AnyTool;
let bench: Workbench;
let calls = 0;
beforeAll(async () => {
  runs = await Runs.open();
  bash = bashTool({
    processes: runs.host,
    clock: systemClock,
    markerFor: (callId) => `bash-test.${process.pid}.${calls++}.${callId}`,
    ripgrep: 'rg',
  });
});
afterAll(() => runs.close());
beforeEach(() => {
  bench = new Workbench({ 'src/add.js': '', 'src/todo.txt': 'TODO: fix rounding\n' });
});
afterEach(() => bench.dispose());

const run = (command: string, more: object = {}, signal?: AbortSignal) => bench.run(bash, { command, ...more }, signal);
const spawned = (news: readonly ProcessNews[]) => news.filter((each) => each.type === 'spawned');

describe('a command that ends by itself', () => {
  test('gives what it printed, both streams in order', async () => {
    const { text, ending } = await run('echo one; echo two >&2; ls src');
    expect(text).toBe('one\ntwo\nadd.js\ntodo.txt');
    expect(ending).toMatchObject({ isError: false, exit: { code: 0 } });
  });

  test('without output leaves no file', async () => {
    const { text, ending } = await run('touch stamp');
    expect(text).toBe('');
    expect(ending.file).toBeUndefined();
    expect(existsSync(join(bench.root, 'tool-results', 'call-1.txt'))).toBe(false);
  });

  // Recorded: cascade-batch, errors-batch.
  test('and fails says its exit code first', async () => {
    expect((await run('exit 3')).text).toBe('Exit code 3');
    const { text, ending } = await run('LC_ALL=C ls missing-folder');
    expect(text).toBe("Exit code 2\nls: cannot access 'missing-folder': No such file or directory");
    expect(ending).toMatchObject({ isError: true, exit: { code: 2 } });
  });

  test.each([
    ['grep nothing src/todo.txt', 'No matches found'],
    ['diff src/add.js src/todo.txt', 'The files differ'],
    ['test -d nowhere', 'The condition is false'],
  ])('%s with code 1 is no error and has a meaning', async (command, meaning) => {
    const { text, ending } = await run(command);
    expect(ending).toMatchObject({ isError: false, exit: { code: 1, meaning } });
    expect(text).not.toContain('Exit code');
  });

  test('with code 2 of grep is an error', async () => {
    expect((await run('grep x nowhere.txt')).ending).toMatchObject({ isError: true, exit: { code: 2 } });
  });

  test('by a signal of its own is an error that names it', async () => {
    const { text, ending } = await run('echo before; kill -TERM $$');
    expect(text).toBe('The command was ended by SIGTERM\nbefore');
    expect(ending).toMatchObject({ isError: true, exit: { signal: 'SIGTERM' } });
  });

  test('tells its exit code to the screen', async () => {
    const { ending } = await run('exit 3');
    expect(bash.backfillObservableInput({ command: 'exit 3' }, ending.output)).toEqual({ exit_code: 3 });
  });
});

describe('output', () => {
  test('goes to a file whole, however large', async () => {
    const { ending } = await run('seq 1 200000');
    // Recorded: the size of the same output in persisted-batch.
    expect(ending.file).toEqual({ path: join(bench.root, 'tool-results', 'call-1.txt'), bytes: 1_288_895 });
    expect(bench.progress.at(-1)).toMatchObject({ bytes: 1_288_895, lines: 200_000 });
  });

  test('is reported while it comes', async () => {
    const controller = new AbortController();
    const running = run('echo first; sleep 60', {}, controller.signal);
    await until('progress', () => bench.progress.length > 0);
    expect(bench.progress[0]).toMatchObject({ bytes: 6, lines: 1, tail: expect.stringContaining('first') });
    controller.abort('escape');
    await expect(running).rejects.toThrow(CallAborted);
  });
});

describe('a command that is stopped', () => {
  test('by its time-out says so, with what it had printed', async () => {
    const { text, ending } = await run('echo before; sleep 60', { timeout: 300 });
    expect(text).toBe('Command timed out after 300ms\nbefore');
    expect(ending.isError).toBe(true);
    expect(bench.news.at(-1)).toEqual({ type: 'tree-ended', survivors: [] });
  });

  test('by its signal keeps its file and leaves nobody alive', async () => {
    const controller = new AbortController();
    const running = run('echo before; sleep 61 & sleep 62', {}, controller.signal);
    await until('two children', () => spawned(bench.news).length === 3);
    controller.abort('escape');
    const error = await running.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CallAborted);
    const file = error instanceof CallAborted ? error.file : undefined;
    expect(file).toMatchObject({ bytes: 7 });
    expect(readFileSync(file?.path ?? '', 'utf8')).toBe('before\n');
    expect(bench.news.at(-1)).toEqual({ type: 'tree-ended', survivors: [] });
    const ended = bench.news.flatMap((each) => (each.type === 'ended' ? [each.pid] : []));
    expect(ended.toSorted()).toEqual(
      spawned(bench.news)
        .map(({ pid }) => pid)
        .toSorted(),
    );
    expect(ended.filter(isAlive)).toEqual([]);
  });

  test('before it printed anything leaves no file', async () => {
    const controller = new AbortController();
    const running = run('sleep 60', {}, controller.signal);
    await until('start', () => bench.news.length > 0);
    controller.abort('escape');
    const error = await running.catch((thrown: unknown) => thrown);
    expect(error instanceof CallAborted ? error.file : 'not aborted').toBeUndefined();
    expect(existsSync(join(bench.root, 'tool-results', 'call-1.txt'))).toBe(false);
  });

  test('before it started starts nothing', async () => {
    const controller = new AbortController();
    controller.abort('sibling_error');
    await expect(run('touch started', {}, controller.signal)).rejects.toThrow(CallAborted);
    expect(existsSync(bench.path('started'))).toBe(false);
    expect(bench.news).toEqual([]);
  });
});

describe('processes', () => {
  test('are told as they come and go: the shell with its code, its children with their parent', async () => {
    const controller = new AbortController();
    const running = run('sleep 63; exit 4', {}, controller.signal);
    const sleeping = await until('the child', () => spawned(bench.news)[1]);
    const [shell] = spawned(bench.news);
    expect(shell).toMatchObject({ command: 'sleep 63; exit 4' });
    expect(sleeping).toMatchObject({ parentPid: shell?.pid, command: expect.stringContaining('sleep 63') });
    process.kill(sleeping.pid);
    const { ending } = await running;
    expect(ending.exit).toEqual({ code: 4 });
    expect(bench.news).toContainEqual({ type: 'ended', pid: shell?.pid, code: 4 });
    expect(bench.news).toContainEqual({ type: 'ended', pid: sleeping.pid });
    expect(bench.news.at(-1)).toEqual({ type: 'tree-ended', survivors: [] });
  });

  test('of the shortest command are told too', async () => {
    await run('true');
    expect(bench.news).toEqual([
      { type: 'spawned', pid: expect.any(Number), command: 'true' },
      { type: 'ended', pid: expect.any(Number), code: 0 },
      { type: 'tree-ended', survivors: [] },
    ]);
  });
});

describe('the working folder', () => {
  test('stays where cd went, inside of the folders', async () => {
    const { ending } = await run('cd src');
    expect(ending.changes).toEqual([`the working folder is ${bench.path('src')}`]);
    expect((await run('pwd')).text).toBe(bench.path('src'));
  });

  test('goes back when cd led outside, and says so', async () => {
    const { text, ending } = await run('cd ../outside && pwd');
    expect(text).toBe(
      `(The working folder is still ${bench.cwd}: ${bench.outside} lies outside of the session's folders)\n${bench.outside}`,
    );
    expect(ending.modifier).toBeUndefined();
    expect((await run('pwd')).text).toBe(bench.cwd);
  });

  test('does not follow a link that leads outside', async () => {
    symlinkSync(bench.outside, bench.path('out'));
    await run('cd out');
    expect(bench.context.cwd).toBe(bench.cwd);
  });

  test('reached through a link is no change, and cd works below it', async () => {
    const link = join(bench.root, 'link');
    symlinkSync(bench.cwd, link);
    bench.context = { ...bench.context, cwd: link, directories: [link] };
    expect((await run('true')).ending.changes).toBeUndefined();
    await run('cd src');
    expect(bench.context.cwd).toBe(bench.path('src'));
  });

  test('stays after a failing command too', async () => {
    const { text } = await run('cd src; false');
    expect(text).toBe('Exit code 1');
    expect(bench.context.cwd).toBe(bench.path('src'));
  });

  test('that has gone is named, and the next command starts in the session folder', async () => {
    mkdirSync(bench.path('gone'));
    await run('cd gone');
    rmSync(bench.path('gone'), { recursive: true });
    const { text, ending } = await run('true');
    expect(text).toBe(
      `The working directory ${bench.path('gone')} does not exist. The next command starts in ${bench.cwd}.`,
    );
    expect(ending.isError).toBe(true);
    expect((await run('pwd')).text).toBe(bench.cwd);
  });
});

describe('before it runs', () => {
  test('an empty command is refused', async () => {
    expect(await bench.refusal(bash, { command: ' \n' })).toBe('The command is empty. Nothing was run.');
  });

  test.each([
    ['ls src', true, 'bash-read-only'],
    ['rm -r src', false, 'bash-mutating'],
    ['ls "', false, 'bash-mutating'],
  ])('%s may run beside others: %s', (command, safe, kind) => {
    expect(bash.isConcurrencySafe({ command })).toBe(safe);
    expect(bash.isReadOnly({ command })).toBe(safe);
    expect(bash.cascadeKind({ command })).toBe(kind);
  });

  test('time-outs over ten minutes and unknown fields do not pass the schema', () => {
    expect(bash.inputSchema.safeParse({ command: 'ls', timeout: 600_000 }).success).toBe(true);
    expect(bash.inputSchema.safeParse({ command: 'ls', timeout: 600_001 }).success).toBe(false);
    expect(bash.inputSchema.safeParse({ command: 'ls', cmd: 'rm' }).success).toBe(false);
  });

  test('the question says what decides, and a dangerous one that it is', async () => {
    const question = await bash.describeQuestion({ command: 'rm -rf build' }, bench.context);
    expect(question).toMatchObject({ title: 'Run this command?', risk: 'dangerous', dangerous: true });
    expect(question.reason).not.toBe('');
  });
});

describe('what the runner tells', () => {
  const faked = (script: (run: FakeRun) => void) => {
    const processes = new FakeProcessRunner(script);
    const tool = bashTool({ processes, clock: systemClock, markerFor: (callId) => callId, ripgrep: 'rg' });
    return { processes, run: (command: string) => bench.run(tool, { command }) };
  };

  test('commands that only read leave the locks of git alone', async () => {
    const { processes, run } = faked((each) => each.exit(0));
    await run('git status');
    await run('git commit -m x');
    expect(processes.runs.map(({ spec }) => spec.env)).toEqual([{ GIT_OPTIONAL_LOCKS: '0' }, {}]);
  });

  test('a command may take two minutes unless it says otherwise', async () => {
    const { processes, run } = faked((each) => each.end({ end: { kind: 'timed-out', limitMs: 125_000 } }));
    expect((await run('make')).text).toBe('Command timed out after 2m 5s');
    expect(processes.runs[0]?.spec).toMatchObject({ timeoutMs: 120_000, cwd: bench.cwd, marker: 'call-1' });
  });

  test.each([
    [{ kind: 'output-limit', limitBytes: 5 * 1024 ** 3 } as const, 'The command was ended: it wrote more than 5GB'],
    [{ kind: 'host-lost' } as const, 'The helper that runs commands has ended, and the command with it. Try it again'],
    [
      { kind: 'spawn-failed', message: 'The shell bash was not found. Install bash.' } as const,
      /^The shell bash was not/,
    ],
  ])('%o is an error in words', async (end, text) => {
    const ran = await faked((each) => each.end({ end })).run('make');
    expect(ran.ending).toMatchObject({ isError: true });
    expect(ran.ending.file).toBeUndefined();
    expect(ran.text).toMatch(text);
  });
});
