import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { SessionEvent } from '../src-shared/session/event.ts';
import { parseLine } from '../src-shared/session/stored-line.ts';
import { type AppLauncher, expect, ownEnvironment, test } from './app.fixture.ts';
import { living, livingUnder } from './living.ts';

/*
 * However work ends, nothing of it lives on, whatever the programs do against it (spec 3.6). Each row has the same
 * programs, in one command of a call (`call`) or of a background shell (`background`), and another end.
 */

const projectRoot = resolve(import.meta.dirname, '..');
const node = (name: string, ...words: readonly string[]): string =>
  [process.execPath, join(import.meta.dirname, 'tools', `${name}.mjs`), ...words].join(' ');

/** Programs with the lines `ready PID` that each says. */
const PROGRAMS: readonly string[] = [
  node('ignores-sigterm'),
  node('own-session-child', 'leave'),
  node('double-forks'),
  node('forks-when-asked-to-end'),
  node('stops-itself'),
  node('floods-for-ever'),
];
/** Nothing but what it has open tells where it comes from: it is found while somebody knows what that is. */
const NAMELESS = node('keeps-output-open');

type Form = 'call' | 'background';

/** A scenario with the programs, in which the turn goes on until there is a file `go` in the working folder. */
function scenario(form: Form, programs: readonly string[], timeout = 600_000): object {
  const all = `${programs.map((program) => `${program} &`).join('\n')}\nwait`;
  const waits = { tool: 'Bash', input: { command: 'until [ -e go ]; do sleep 0.05; done' }, id: 'waits' };
  const turn =
    form === 'call'
      ? [{ tool: 'Bash', input: { command: all, timeout }, id: 'programs' }]
      : [{ tool: 'Bash', input: { command: all, run_in_background: true }, id: 'programs' }, waits];
  return { name: `programs-${form}`, title: 'Programs', prompt: 'Run them.', turns: [turn, [{ text: 'Done.' }]] };
}

/** Every `ready PID` and `forked PID` in the outputs of a folder. */
function pidsIn(results: string, word = 'ready|forked'): readonly number[] {
  if (!existsSync(results)) return [];
  return readdirSync(results).flatMap((name) =>
    [...readFileSync(join(results, name), 'utf8').matchAll(new RegExp(`^(?:${word}) (\\d+)$`, 'gm'))].map((match) =>
      Number(match[1]),
    ),
  );
}

const allReady = (results: () => string, programs: readonly string[]): Promise<void> =>
  expect
    .poll(() => new Set(pidsIn(results(), 'ready')).size, { message: 'all programs are ready', timeout: 20_000 })
    .toBe(programs.length);

const eventsIn = (path: string): readonly SessionEvent[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => parseLine(line))
    .flatMap((line) => (line.ok ? [line.value] : []));

/** What the journal says of what was left when the work had ended. */
const survivorsTold = (events: readonly SessionEvent[], form: Form): unknown =>
  events.find((event) =>
    form === 'call' ? event.type === 'process-tree-ended' && event.callId === 'programs' : event.type === 'shell-ended',
  );

/** A run of the command line, with a home of its own. */
class Run {
  readonly home: string;
  readonly child: ChildProcess;
  readonly ended: Promise<void>;

  constructor(home: string, what: object) {
    this.home = home;
    const file = join(home, 'scenario.json');
    writeFileSync(file, JSON.stringify(what));
    const words = ['run', file, '--cwd', this.cwd, '--journal', this.journal, '--mode', 'bypassPermissions'];
    this.child = spawn(process.execPath, [join(projectRoot, 'scripts/gantry.mjs'), ...words], {
      env: ownEnvironment(home),
      stdio: 'ignore',
    });
    this.ended = new Promise((done) => this.child.once('exit', () => done()));
  }

  get cwd(): string {
    return join(this.home, 'work');
  }

  get journal(): string {
    return join(this.home, 'journal.jsonl');
  }

  get results(): string {
    return join(this.home, 'journal', 'tool-results');
  }

  get hostPid(): number {
    return hostUnder(this.home);
  }
}

/** The process host of what runs under a home. */
function hostUnder(home: string): number {
  const host = livingUnder(home).find(({ command }) => command.includes('process-host.js'));
  if (host === undefined) throw new Error('there is no process host');
  return host.pid;
}

async function gantry(
  home: string,
  ...words: readonly string[]
): Promise<{ readonly code: number; readonly stdout: string }> {
  const child = spawn(process.execPath, [join(projectRoot, 'scripts/gantry.mjs'), ...words], {
    env: ownEnvironment(home),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let stdout = '';
  child.stdout.on('data', (data: Buffer) => {
    stdout += data.toString();
  });
  const code = await new Promise<number>((done) => child.once('close', (exit) => done(exit ?? -1)));
  return { code, stdout };
}

type CliRow = {
  readonly end: string;
  readonly form: Form;
  readonly timeout?: number;
  readonly act: (run: Run) => void;
  /** Where the end is orderly, the journal says what was left. */
  readonly orderly: boolean;
};

const CLI_ROWS: readonly CliRow[] = [
  { end: 'Ctrl C', form: 'call', act: ({ child }) => child.kill('SIGINT'), orderly: true },
  { end: 'its time-out', form: 'call', timeout: 8_000, act: () => undefined, orderly: true },
  { end: 'Ctrl C', form: 'background', act: ({ child }) => child.kill('SIGINT'), orderly: true },
  {
    end: 'the end of the session',
    form: 'background',
    act: ({ cwd }) => writeFileSync(join(cwd, 'go'), ''),
    orderly: true,
  },
  { end: 'SIGTERM', form: 'call', act: ({ child }) => child.kill('SIGTERM'), orderly: true },
  { end: 'kill -9', form: 'call', act: ({ child }) => child.kill('SIGKILL'), orderly: false },
  { end: 'kill -9', form: 'background', act: ({ child }) => child.kill('SIGKILL'), orderly: false },
];

test.describe('on the command line', () => {
  let home: string;
  test.beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'gantry-endings-'));
  });
  test.afterEach(async () => {
    for (const { pid } of livingUnder(home)) end(pid);
    await rm(home, { recursive: true, force: true, maxRetries: 3 });
  });

  for (const { end, form, timeout, act, orderly } of CLI_ROWS) {
    test(`nothing of a ${form} lives on after ${end}`, async () => {
      const programs = [...PROGRAMS, NAMELESS];
      const run = new Run(home, scenario(form, programs, timeout));
      await allReady(() => run.results, programs);
      expect(living(pidsIn(run.results)).length).toBe(programs.length);
      act(run);
      await run.ended;
      if (orderly) {
        expect(livingUnder(home)).toEqual([]);
        expect(living(pidsIn(run.results))).toEqual([]);
        expect(survivorsTold(eventsIn(run.journal), form)).toMatchObject({ survivors: [] });
      } else {
        await expect.poll(() => livingUnder(home), { timeout: 10_000 }).toEqual([]);
        await expect.poll(() => living(pidsIn(run.results)), { timeout: 10_000 }).toEqual([]);
      }
      expect((await gantry(home, 'leftovers', '--json')).stdout).toBe('{"leftovers":[]}\n');
    });
  }

  test('what outlives a run and its process host is named by gantry leftovers, and ended by it', async () => {
    const run = new Run(home, scenario('call', PROGRAMS));
    await allReady(() => run.results, PROGRAMS);
    const pids = pidsIn(run.results);
    killWithHost(run.child.pid ?? 0, run.hostPid);
    await run.ended;
    expect(living(pids).length).toBe(pids.length);

    const { code, stdout } = await gantry(home, 'leftovers', '--json');
    expect(code).toBe(0);
    const { leftovers } = JSON.parse(stdout) as { leftovers: { pid: number; command: string; since: number }[] };
    const named = leftovers.map(({ pid }) => pid);
    expect(named.sort()).toEqual(
      livingUnder(home)
        .map(({ pid }) => pid)
        .sort(),
    );
    for (const pid of pids) expect(named).toContain(pid);
    for (const { since } of leftovers) expect(Math.abs(Date.now() - since)).toBeLessThan(60_000);

    const ended = await gantry(home, 'leftovers', '--end', '--json');
    expect(ended.code).toBe(0);
    expect(JSON.parse(ended.stdout)).toMatchObject({ survivors: [] });
    expect(livingUnder(home)).toEqual([]);
    expect(living(pidsIn(run.results))).toEqual([]);
  });
});

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone meanwhile.
  }
}

/** Both at once: neither may learn of the other's end. */
function killWithHost(mainPid: number, hostPid: number): void {
  process.kill(hostPid, 'SIGSTOP');
  process.kill(mainPid, 'SIGKILL');
  process.kill(hostPid, 'SIGKILL');
}

test.describe('in the window', () => {
  // Most rows start the app, with half a dozen programs beside it, or start it twice.
  test.describe.configure({ timeout: 120_000 });

  /** Lays the scenario, and the rule that lets its commands run. */
  function lay({ home }: AppLauncher, what: object): void {
    mkdirSync(join(home, 'claude'), { recursive: true });
    mkdirSync(join(home, 'scenarios'), { recursive: true });
    writeFileSync(join(home, 'claude', 'settings.json'), JSON.stringify({ permissions: { allow: ['Bash'] } }));
    writeFileSync(join(home, 'scenarios', 'programs.json'), JSON.stringify(what));
  }

  async function begin(launcher: AppLauncher, form: Form, programs: readonly string[]) {
    lay(launcher, scenario(form, programs));
    const started = await launcher.start();
    await started.gantry.startScenario('Programs');
    await allReady(() => resultsOf(launcher), programs);
    return { ...started, pids: pidsIn(resultsOf(launcher)) };
  }

  function resultsOf({ home }: AppLauncher): string {
    const [session = 'none'] = existsSync(join(home, 'sessions')) ? readdirSync(join(home, 'sessions')) : [];
    return join(home, 'sessions', session, 'tool-results');
  }

  const programs = [...PROGRAMS, NAMELESS];

  for (const form of ['call', 'background'] as const) {
    test(`nothing of a ${form} lives on after quitting`, async ({ launcher }) => {
      const { app } = await begin(launcher, form, programs);
      await app.close();
      expect(livingUnder(launcher.home)).toEqual([]);
      expect(living(pidsIn(resultsOf(launcher)))).toEqual([]);
      expect(survivorsTold(await launcher.journal(), form)).toMatchObject({ survivors: [] });
    });

    test(`nothing of a ${form} lives on after kill -9, and the app that starts again names nothing`, async ({
      launcher,
    }) => {
      const { app } = await begin(launcher, form, programs);
      const exited = new Promise((done) => app.process().once('exit', done));
      app.process().kill('SIGKILL');
      await exited;
      await expect.poll(() => living(pidsIn(resultsOf(launcher))), { timeout: 10_000 }).toEqual([]);
      await expect.poll(() => livingUnder(launcher.home), { timeout: 10_000 }).toEqual([]);
      const { gantry: again } = await launcher.start();
      await again.idle();
      await expect(again.page.getByRole('region', { name: 'Left over from an earlier run' })).toHaveCount(0);
    });
  }

  test('nothing of a call lives on after Esc', async ({ launcher }) => {
    const { page, gantry: window, pids } = await begin(launcher, 'call', programs);
    await page.keyboard.press('Escape');
    await window.timeline.waitForOutcome('programs', 'interrupted');
    expect(living([...pids, ...pidsIn(resultsOf(launcher))])).toEqual([]);
    expect(survivorsTold(await launcher.journal(), 'call')).toMatchObject({ survivors: [] });
  });

  test('a background shell outlives Esc, shows what it prints, and ends when it is stopped', async ({ launcher }) => {
    const quiet = PROGRAMS.filter((program) => !program.includes('floods'));
    const { page, gantry: window, pids } = await begin(launcher, 'background', quiet);
    await page.keyboard.press('Escape');
    await window.timeline.waitForOutcome('waits', 'interrupted');
    expect(living(pids).length).toBe(pids.length);
    await page.getByRole('button', { name: '1 in background' }).click();
    const row = page.getByRole('list', { name: 'Background shells' }).getByRole('listitem');
    await expect(row).toContainText(/ready \d+/);
    await row.getByRole('button', { name: 'Stop bash_1' }).click();
    await expect(page.getByRole('button', { name: '1 in background' })).toHaveCount(0);
    expect(living([...pids, ...pidsIn(resultsOf(launcher))])).toEqual([]);
    await expect(window.conversation).toContainText('bash_1 was ended by the user');
  });

  test('a renderer that crashes disturbs nothing, and nothing lives on after the app has ended', async ({
    launcher,
  }) => {
    const { app, pids } = await begin(launcher, 'background', programs);
    await app.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      const gone = new Promise<void>((done) => contents?.once('render-process-gone', () => done()));
      contents?.forcefullyCrashRenderer();
      return gone;
    });
    expect(living(pids).length).toBe(pids.length);
    await app.close();
    expect(livingUnder(launcher.home)).toEqual([]);
    expect(living(pidsIn(resultsOf(launcher)))).toEqual([]);
  });

  test('what outlives the app and its process host is named when it starts again, and ended when told', async ({
    launcher,
  }) => {
    const { app, pids } = await begin(launcher, 'background', PROGRAMS);
    const exited = new Promise((done) => app.process().once('exit', done));
    killWithHost(app.process().pid ?? 0, hostUnder(launcher.home));
    await exited;
    expect(living(pids).length).toBe(pids.length);

    const { page } = await launcher.start();
    const bar = page.getByRole('region', { name: 'Left over from an earlier run' });
    for (const pid of pids) await expect(bar).toContainText(String(pid));
    await expect(bar).toContainText('of Programs');
    await bar.getByRole('button', { name: 'End them' }).click();
    await expect(bar).toHaveCount(0);
    expect(living([...pids, ...pidsIn(resultsOf(launcher))])).toEqual([]);
  });
});
