import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { rgPath } from '@vscode/ripgrep';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { BackgroundShells } from '../../app/background-shells.ts';
import { SessionLog } from '../../app/session-log.ts';
import { MemoryEventStore } from '../../ports/event-log.fake.ts';
import { type AnyTool, CallAborted } from '../../ports/tool.ts';
import { isAlive, Runs, readyPid, tool } from '../process/runs.fixture.ts';
import { systemClock } from '../process/system-clock.ts';
import { until } from '../process/until.fixture.ts';
import { bashTool } from './bash.ts';
import { bashOutputTool } from './bash-output.ts';
import { killShellTool } from './kill-shell.ts';
import type { ToolServices } from './services.ts';
import { Workbench } from './workbench.fixture.ts';

let runs: Runs;
let bench: Workbench;
let shells: BackgroundShells;
let tools: { readonly bash: AnyTool; readonly output: AnyTool };
let calls = 0;
beforeAll(async () => {
  runs = await Runs.open();
  const services: ToolServices = {
    processes: runs.host,
    clock: systemClock,
    markerFor: (callId) => `background-test.${process.pid}.${calls++}.${callId}`,
    ripgrep: rgPath,
  };
  tools = { bash: bashTool(services), output: bashOutputTool(services) };
});
afterAll(() => runs.close());
beforeEach(() => {
  bench = new Workbench();
  shells = new BackgroundShells({
    log: new SessionLog({ store: new MemoryEventStore(), clock: systemClock }),
    clock: systemClock,
  });
  bench.host = { shells };
});
afterEach(async () => {
  await shells.close();
  bench.dispose();
});

const launch = (command: string, signal?: AbortSignal) =>
  bench.run(tools.bash, { command, run_in_background: true }, signal);
const look = async (more: object = {}) => (await bench.run(tools.output, { bash_id: 'bash_1', ...more })).text;
const fileOf = (id = 'bash_1'): string => shells.find(id)?.path ?? '';
const written = (id?: string): string => (existsSync(fileOf(id)) ? readFileSync(fileOf(id), 'utf8') : '');
const hasWritten = (text: string) => until(`the output holds ${text}`, () => written().includes(text));
const hasEnded = (id = 'bash_1') => until(`${id} has ended`, () => shells.find(id)?.end);

describe('a command in the background', () => {
  test('is launched at once and goes on behind its call', async () => {
    const { text, ending } = await launch('echo begun; exec sleep 1000');
    expect(text).toBe(
      [
        'The command runs in the background as bash_1, without a time limit, until it ends or the session is closed.',
        'BashOutput with bash_id bash_1 gives what it has written since the last look; KillShell ends it.',
        `Its whole output: ${fileOf()}`,
      ].join('\n'),
    );
    expect(ending).toMatchObject({ isError: false });
    expect(ending.exit).toBeUndefined();
    await hasWritten('begun');
    expect(await look()).toBe('bash_1 runs. New output:\nbegun');
    expect(await look()).toBe('bash_1 runs. No new output.');
    expect(shells.find('bash_1')?.end).toBeUndefined();
  });

  test('tells its processes under its call until it ends', async () => {
    await launch('sleep 1000');
    await bench.run(killShellTool, { shell_id: 'bash_1' });
    await until('the tree has ended', () => bench.news.some(({ type }) => type === 'tree-ended'));
    expect(bench.news[0]).toMatchObject({ type: 'spawned', command: 'sleep 1000' });
    expect(bench.news.at(-1)).toEqual({ type: 'tree-ended', survivors: [] });
  });

  test('that cannot be started is an ordinary failure and no shell', async () => {
    bench.context = { ...bench.context, cwd: `${bench.cwd}/gone` };
    const { text, ending } = await launch('true');
    expect(text).toContain('gone does not exist.');
    expect(ending.isError).toBe(true);
    expect(shells.all).toEqual([]);
  });

  test('is not launched by a call that was told to stop', async () => {
    await expect(launch('sleep 1000', AbortSignal.abort())).rejects.toThrow(CallAborted);
    expect(shells.all).toEqual([]);
  });

  test('is left alone when its call’s signal is aborted later', async () => {
    const controller = new AbortController();
    await launch(tool('ignores-sigterm'), controller.signal);
    const pid = await until('the tool is ready', () => readyPid({ output: () => written() }));
    controller.abort();
    await look();
    expect(isAlive(pid)).toBe(true);
  });

  test('changes no working folder', async () => {
    bench.lay('src/a.txt', '');
    const { ending } = await launch('cd src');
    expect(ending.modifier).toBeUndefined();
    await hasEnded();
  });
});

describe('a look at the output', () => {
  test('says how the command ended, with the rest of what it wrote', async () => {
    await launch('echo one; echo two >&2; exit 3');
    await hasEnded();
    expect(await look()).toBe('bash_1 ended with exit code 3. New output:\none\ntwo');
    expect(await look()).toBe('bash_1 ended with exit code 3. No new output.');
  });

  test('never holds half of a character', async () => {
    await launch('sleep 1000');
    const bytes = Buffer.from('žluťoučký-🚦\n');
    const seen: string[] = [];
    for (const byte of bytes) {
      appendFileSync(fileOf(), Uint8Array.of(byte));
      const [, ...lines] = (await look()).split('New output:\n');
      seen.push(...lines);
    }
    expect(seen.join('')).toBe('žluťoučký-🚦');
  });

  test('gives all there is once the command has ended, whatever the bytes are', async () => {
    await launch(`printf 'a\\xf0\\x9f'`);
    await hasEnded();
    expect(await look()).toBe('bash_1 ended with exit code 0. New output:\na\ufffd');
  });

  test('with a filter gives the lines it matches, and whole ones only', async () => {
    await launch('sleep 1000');
    appendFileSync(fileOf(), 'error one\nfine\nerror tw');
    expect(await look({ filter: '^error' })).toBe('bash_1 runs. New lines that match:\nerror one');
    appendFileSync(fileOf(), 'o\nfine again\n');
    expect(await look({ filter: 'error|again' })).toBe('bash_1 runs. New lines that match:\nerror two\nfine again');
    appendFileSync(fileOf(), 'fine\n');
    expect(await look({ filter: 'error' })).toBe('bash_1 runs. No new line matches.');
    expect(await look()).toBe('bash_1 runs. No new output.');
  });

  test('with a filter that is none says so, and the output is still there for the next look', async () => {
    await launch('echo here; exec sleep 1000');
    await hasWritten('here');
    expect(await look({ filter: '(' })).toMatch(/^The filter could not be used\. ripgrep says: .*unclosed group/s);
    expect(await look()).toBe('bash_1 runs. New output:\nhere');
  });

  test('begins anew where the command has emptied its file', async () => {
    await launch('sleep 1000');
    appendFileSync(fileOf(), 'a long beginning\n');
    await look();
    truncateSync(fileOf());
    appendFileSync(fileOf(), 'new\n');
    expect(await look()).toBe(
      'bash_1 runs. (The command has emptied its output; this begins at its start.) New output:\nnew',
    );
  });

  test('at the same time as another gives each byte once', async () => {
    await launch('seq 1 20000; exec sleep 1000');
    await hasWritten('\n20000\n');
    const looks = await Promise.all([look(), look(), look()]);
    const lines = looks.flatMap((text) => text.split('\n').slice(1));
    expect(lines.length).toBe(20_000);
  });

  test('of a large output leaves it on disk, for the save rules', async () => {
    await launch('head -c 3000000 /dev/zero | tr "\\0" x');
    await hasEnded();
    const { ending } = await bench.run(tools.output, { bash_id: 'bash_1' });
    expect(ending.file?.bytes).toBe(3_000_000);
    expect(ending.file?.path).not.toBe(fileOf());
  });

  test('of no shell names those there are', async () => {
    expect((await bench.run(tools.output, { bash_id: 'bash_7' })).text).toBe(
      'There is no background shell bash_7. This session has started none.',
    );
    await launch('sleep 1000');
    const { text, ending } = await bench.run(tools.output, { bash_id: 'x' });
    expect(text).toBe('There is no background shell x. The shells of this session are bash_1 (runs).');
    expect(ending.isError).toBe(true);
  });
});

describe('KillShell', () => {
  test('ends the whole tree, children with sessions of their own too', async () => {
    await launch(`${tool('own-session-child', 'leave')}; exec ${tool('ignores-sigterm')}`);
    const pids = await until('both are ready', () => {
      const found = [...written().matchAll(/^ready (\d+)$/gm)].map((match) => Number(match[1]));
      return found.length === 2 ? found : undefined;
    });
    expect(pids.every(isAlive)).toBe(true);
    const { text, ending } = await bench.run(killShellTool, { shell_id: 'bash_1' });
    expect(text).toBe('bash_1 was ended by KillShell. Nothing of it is left.');
    expect(ending.isError).toBe(false);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  test('of one that has ended says how it did', async () => {
    await launch('exit 2');
    await hasEnded();
    const { text } = await bench.run(killShellTool, { shell_id: 'bash_1' });
    expect(text).toBe('bash_1 ended with exit code 2. Nothing was done.');
  });

  test('of no shell is an error', async () => {
    const { text, ending } = await bench.run(killShellTool, { shell_id: 'bash_1' });
    expect(text).toBe('There is no background shell bash_1. This session has started none.');
    expect(ending.isError).toBe(true);
  });
});
