import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { millis } from '../../../src-shared/units.ts';
import { isAlive } from '../process/runs.fixture.ts';
import { until } from '../process/until.fixture.ts';
import { decides, HookBench, program, says, specific, toolPath } from './testing/hook-bench.ts';

let bench: HookBench;
beforeEach(() => {
  bench = new HookBench();
});
afterEach(() => bench.close());

const seconds = (count: number) => millis(count * 1000);
const big = (bench: HookBench) => bench.pre({ toolInput: { command: 'x'.repeat(1_000_000) } });

describe('standard input', () => {
  test('H32 a hook that reads nothing and exits at once is judged by its exit code and words alone', async () => {
    const merged = await bench.runWith(says(decides('deny', { permissionDecisionReason: 'no' })), big(bench));
    expect(merged).toMatchObject({ verdict: { verdict: 'deny' }, notices: [] });
  });

  test('H33 a hook that reads nothing and stays has its time limit, however much there is to read', async () => {
    bench.set('PreToolUse', { command: program('waits-for.sh', bench.path('ready'), bench.path('never')), timeout: 3 });
    const running = bench.run(big(bench));
    await bench.wait('ready');
    bench.clock.advance(seconds(3));
    expect((await running).runs).toMatchObject([{ outcome: 'timed-out' }]);
  });

  test('H34 standard input ends after the payload, so that a hook that reads to the end goes on', async () => {
    const input = big(bench);
    const merged = await bench.runWith(
      program('saves-input.sh', bench.path('input'), JSON.stringify(decides('ask'))),
      input,
    );
    expect(merged.verdict.verdict).toBe('ask');
    expect(JSON.parse(bench.read('input') ?? '')).toMatchObject({ tool_input: input.toolInput });
  });

  test('H35 the limit also counts while a hook has read a part of its input and waits', async () => {
    const command = `head -c 10 > /dev/null; ${program('waits-for.sh', bench.path('ready'), bench.path('never'))}`;
    bench.set('PreToolUse', { command, timeout: 3 });
    const running = bench.run(big(bench));
    await bench.wait('ready');
    bench.clock.advance(seconds(2.999));
    expect(bench.ended).toEqual([]);
    bench.clock.advance(millis(1));
    expect((await running).runs).toMatchObject([{ outcome: 'timed-out', stdout: '' }]);
  });

  test('H36 every hook gets a whole copy of its own', async () => {
    bench.set('PreToolUse', ...[1, 2, 3].map((number) => program('saves-input.sh', bench.path(`input${number}`), '')));
    await bench.run(bench.pre());
    const copies = [1, 2, 3].map((number) => bench.read(`input${number}`));
    expect(new Set(copies).size).toBe(1);
    expect(JSON.parse(copies[0] ?? '')).toMatchObject({ hook_event_name: 'PreToolUse', tool_name: 'Bash' });
  });

  test('H37 a background hook that reads one line gets it: the payload ends with a line break', async () => {
    await bench.runWith({ command: program('reads-one-line.sh', bench.path('line'), ''), async: true }, bench.post());
    await until('the hook to end', () => bench.ended.length === 1);
    expect(bench.ended).toMatchObject([{ exitCode: 0 }]);
    expect(JSON.parse(bench.read('line') ?? '')).toMatchObject({ hook_event_name: 'PostToolUse' });
  });

  test('H42 the payload is UTF-8, and unpaired halves of characters become the replacement character', async () => {
    const text = 'žluťoučký 日本語 🚦 İıŞğ';
    await bench.runWith(program('saves-input.sh', bench.path('input'), ''), bench.prompt(`${text} \ud83d!`));
    expect(bench.read('input')).toContain(text);
    expect(JSON.parse(bench.read('input') ?? '')).toMatchObject({ prompt: `${text} \ufffd!` });
  });

  test('H43 the payload is one line, whatever line breaks are in it', async () => {
    const prompt = 'one\ntwo\r\nthree\u2028four';
    await bench.runWith(program('saves-input.sh', bench.path('input'), ''), bench.prompt(prompt));
    expect(bench.read('input')?.split('\n')).toEqual([expect.stringContaining('one\\ntwo'), '']);
    expect(JSON.parse(bench.read('input') ?? '')).toMatchObject({ prompt });
  });
});

describe('time limits and ends', () => {
  test('H38 a hook that takes too long is ended with all it started; its output is dropped and the call goes on', async () => {
    const command = `printf '%s' '${JSON.stringify(decides('deny'))}'; ${program('starts-children.sh', bench.path('ready'))}`;
    bench.set('PreToolUse', { command, timeout: 5 });
    const running = bench.run(bench.pre());
    const pids = (await bench.wait('ready')).trim().split(' ').map(Number);
    bench.clock.advance(seconds(5));
    const merged = await running;
    expect(merged).toMatchObject({ verdict: { verdict: 'none' }, denial: undefined });
    expect(merged.notices).toEqual([expect.stringContaining('ran longer than 5 s and was ended')]);
    expect(merged.runs).toMatchObject([{ outcome: 'timed-out', exitCode: undefined, durationMs: 5000 }]);
    expect(pids.map(isAlive)).toEqual([false, false]);
  });

  test('H38 a hook that is deaf to the wish to end is ended by force', async () => {
    bench.set('PreToolUse', { command: program('ignores-term.sh', bench.path('ready')), timeout: 5 });
    const running = bench.run(bench.pre());
    const pid = Number(await bench.wait('ready'));
    bench.clock.advance(seconds(5));
    expect((await running).runs).toMatchObject([{ outcome: 'timed-out' }]);
    expect(isAlive(pid)).toBe(false);
  });

  test.each([
    ['a command', 600, (bench: HookBench) => bench.pre()],
    ['a command for a prompt', 30, (bench: HookBench) => bench.prompt()],
    ['the end of a session', 1.5, (bench: HookBench) => bench.end()],
  ] as const)('H39 without a limit of its own %s has %d s', async (_what, limit, inputOf) => {
    const input = inputOf(bench);
    bench.set(input.event, program('waits-for.sh', bench.path('ready'), bench.path('never')));
    const running = bench.run(input);
    await bench.wait('ready');
    bench.clock.advance(seconds(limit - 0.001));
    expect(bench.ended).toEqual([]);
    bench.clock.advance(millis(1));
    expect((await running).runs).toMatchObject([{ outcome: 'timed-out' }]);
  });

  test('H40 a hook has ended when its process has, although a process it left keeps its output open', async () => {
    const json = JSON.stringify(decides('ask'));
    const merged = await bench.runWith(program('leaves-a-child.sh', bench.path('pid'), json), bench.pre());
    expect(merged.verdict.verdict).toBe('ask');
    const pid = Number(bench.read('pid'));
    expect(isAlive(pid)).toBe(true);
    await bench.runner.close();
    expect(isAlive(pid)).toBe(false);
  });

  test('H40 all that a hook said before it ended is read, although its output stays open', async () => {
    const prompt = 'x'.repeat(150_000);
    const command = `printf 'seen '; cat; ${program('leaves-a-child.sh', bench.path('pid'), '')}`;
    const merged = await bench.runWith(command, bench.prompt(prompt));
    const saved = bench.read('outputs/run-1-context.txt') ?? '';
    expect(JSON.parse(saved.replace(/^seen /, ''))).toMatchObject({ prompt });
    expect(merged.contexts).toHaveLength(1);
  });

  test('H40 what has made a session of its own outlives the runner, as the protocol has it', async () => {
    await bench.runWith(program('leaves-a-child.sh', bench.path('pid'), '', 'setsid'), bench.pre());
    const pid = Number(bench.read('pid'));
    await until('the child to be in its own session', async () =>
      (await bench.table.members({ marker: markerOf(bench) })).some(
        (member) => member.pid === pid && member.pgid === pid,
      ),
    );
    await bench.runner.close();
    expect(isAlive(pid)).toBe(true);
    process.kill(pid, 'SIGKILL');
  });

  test('H41 a hook that hangs after one call takes nothing from the results of later ones', async () => {
    bench.set('PostToolUse', {
      command: program('waits-for.sh', bench.path('ready'), bench.path('go'), JSON.stringify(CONTEXT)),
      timeout: 5,
    });
    const hanging = bench.run(bench.post());
    await bench.wait('ready');
    bench.clock.advance(seconds(5));
    expect(await hanging).toMatchObject({ updatedOutput: undefined, feedback: [], contexts: [], block: undefined });
    bench.write('go');
    expect(await bench.run(bench.post())).toMatchObject({ contexts: [{ text: 'later' }], notices: [] });
  });
});

const CONTEXT = specific('PostToolUse', { additionalContext: 'later' });
const markerOf = (bench: HookBench) => `hooktest.${process.pid}.${bench.folder.slice(-6)}.run-1`;

describe('place', () => {
  const shown = async (): Promise<readonly string[]> => {
    await bench.run(bench.pre({ session: bench.session({ cwd: bench.path('elsewhere') }) }));
    return (bench.read('place') ?? '').split('\n');
  };
  beforeEach(() => {
    mkdirSync(bench.path('elsewhere'));
    bench.set('PreToolUse', program('shows-place.sh', bench.path('place')));
  });

  test('H44 a hook has no terminal', async () => {
    expect(await shown()).toContain('terminal=no');
  });

  test('H45 a hook inherits the environment, without telemetry and the app’s own, and is told the project', async () => {
    Object.assign(bench.env, {
      MY_TOKEN: 'abc',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://example.invalid',
      ELECTRON_RUN_AS_NODE: '1',
    });
    const lines = await shown();
    expect(lines).toContain('MY_TOKEN=abc');
    expect(lines).toContain(`CLAUDE_PROJECT_DIR=${bench.project}`);
    expect(lines.filter((line) => /^(OTEL_|ELECTRON_RUN_AS_NODE)/.test(line))).toEqual([]);
  });

  test('H46 a hook runs where the agent works, while CLAUDE_PROJECT_DIR stays', async () => {
    const lines = await shown();
    expect(lines[0]).toBe(bench.path('elsewhere'));
    expect(lines).toContain(`CLAUDE_PROJECT_DIR=${bench.project}`);
    await bench.runWith(program('saves-input.sh', bench.path('input'), ''), bench.pre());
    expect(JSON.parse(bench.read('input') ?? '')).toMatchObject({ cwd: bench.project });
  });

  test('H47 when that folder is gone a hook runs in the project, and then in the home folder', async () => {
    rmSync(bench.path('elsewhere'), { recursive: true });
    expect((await shown())[0]).toBe(bench.project);
    rmSync(bench.project, { recursive: true });
    expect((await shown())[0]).toBe(bench.home);
  });

  test('H48 CLAUDE_PROJECT_DIR is never empty, in a worktree neither', async () => {
    bench.env.CLAUDE_PROJECT_DIR = '';
    expect(await shown()).toContain(`CLAUDE_PROJECT_DIR=${bench.project}`);
  });
});

describe('H49 with args a program is started as it stands, without a shell', () => {
  test('the arguments arrive untouched and the placeholder is filled in', async () => {
    const args = [bench.path('seen'), "it's $HOME `id` *", `\${CLAUDE_PROJECT_DIR}/a b`, '', '$(id)'];
    await bench.runWith({ command: toolPath('shows-arguments.sh'), args }, bench.pre());
    expect(bench.read('seen')).toBe(`it's $HOME \`id\` *\n${bench.project}/a b\n\n$(id)\n`);
  });

  test('the placeholder also stands in the program’s own path', async () => {
    const script = join(bench.project, 'my hook.sh');
    bench.write('project/my hook.sh', `#!/bin/sh\necho ran > '${bench.path('seen')}'\n`);
    chmodSync(script, 0o755);
    await bench.runWith({ command: `\${CLAUDE_PROJECT_DIR}/my hook.sh`, args: [] }, bench.pre());
    expect(bench.read('seen')).toBe('ran\n');
  });

  test('a program that is not there decides nothing and is shown', async () => {
    bench.set('PreToolUse', { command: 'no-such-program', args: [] }, { command: bench.write('plain'), args: [] });
    const merged = await bench.run(bench.pre());
    expect(merged.verdict.verdict).toBe('none');
    expect(merged.notices).toEqual([
      expect.stringContaining('could not be started and decided nothing: there is no program no-such-program.'),
      expect.stringContaining('is not executable'),
    ]);
  });

  test('without args a shell takes the command apart', async () => {
    await bench.runWith(
      `echo "$CLAUDE_PROJECT_DIR" | tr a-z A-Z > '${bench.path('seen')}' && [[ 1 -eq 1 ]]`,
      bench.pre(),
    );
    expect(bench.read('seen')).toBe(`${bench.project.toUpperCase()}\n`);
  });
});

describe('an abort', () => {
  test('ends all hooks at once, with all they started, and says nothing else', async () => {
    const json = JSON.stringify(decides('deny'));
    bench.set(
      'PreToolUse',
      says(json),
      program('starts-children.sh', bench.path('ready')),
      program('ignores-term.sh', bench.path('deaf')),
    );
    const controller = new AbortController();
    const running = bench.run(bench.pre(), controller.signal);
    const pids = [...(await bench.wait('ready')).trim().split(' '), await bench.wait('deaf')].map(Number);
    controller.abort('escape');
    const merged = await running;
    expect(merged).toMatchObject({ aborted: true, verdict: { verdict: 'none' }, denial: undefined });
    expect(merged.runs.slice(1)).toMatchObject([{ outcome: 'cancelled' }, { outcome: 'cancelled' }]);
    expect(pids.map(isAlive)).toEqual([false, false, false]);
    expect(bench.clock.pending).toBe(0);
  });

  test('before the start lets nothing start', async () => {
    bench.set('PreToolUse', says('', '', 2));
    expect(await bench.run(bench.pre(), AbortSignal.abort('escape'))).toMatchObject({ aborted: true, runs: [] });
    expect(bench.started).toEqual([]);
  });

  test('closing the runner is one too: a guard that is gone must not let a call through', async () => {
    bench.set('PreToolUse', program('waits-for.sh', bench.path('ready'), bench.path('never')));
    const running = bench.run(bench.pre());
    const pid = Number(await bench.wait('ready'));
    await bench.runner.close();
    expect(await running).toMatchObject({ aborted: true, runs: [{ outcome: 'cancelled' }] });
    expect(isAlive(pid)).toBe(false);
    expect(await bench.run(bench.pre())).toMatchObject({ aborted: true, runs: [] });
  });
});
