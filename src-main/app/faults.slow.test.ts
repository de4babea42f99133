import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { CallId } from '../../src-shared/ids.ts';
import type { ScenarioBlock } from '../../src-shared/scenario/scenario.ts';
import { callById } from '../../src-shared/session/state.ts';
import { resultText } from '../../src-shared/tool-call/content.ts';
import { HookBench } from '../adapters/hooks/testing/hook-bench.ts';
import { bundleProcessHost, type HostBundle } from '../adapters/process/host-bundle.fixture.ts';
import { type ProcessHost, startProcessHost } from '../adapters/process/process-host-client.ts';
import { isAlive } from '../adapters/process/runs.fixture.ts';
import { until } from '../adapters/process/until.fixture.ts';
import type { LiveSession } from './live-session.ts';
import { journalIn, openRealSession, type RealSessionOptions } from './testing/real-session.ts';

/** What the world does to a session (spec 7.5): each ends in words, and the session goes on. */

let bundle: HostBundle;
let host: ProcessHost;
beforeAll(async () => {
  bundle = await bundleProcessHost();
  host = startProcessHost({ execPath: process.execPath, entryPath: bundle.hostPath, env: process.env });
});
afterAll(async () => {
  await host.close();
  bundle.dispose();
});

let folder: string;
let cwd: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gantry-faults-')));
  cwd = join(folder, 'work');
  mkdirSync(cwd);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const bash = (id: string, command: string): ScenarioBlock => ({ tool: 'Bash', input: { command }, id });

const open = (turns: readonly (readonly ScenarioBlock[])[], more: Partial<RealSessionOptions> = {}): LiveSession =>
  openRealSession({
    folder,
    cwd,
    processes: host,
    settings: { mode: 'bypassPermissions', strategy: 'serial' },
    scenario: { name: 'faults', turns: turns.map((turn) => [...turn]) },
    ...more,
  });

function ended(session: LiveSession, id: string) {
  const call = callById(session.log.state, id as CallId);
  if (call === undefined || !('end' in call)) throw new Error(`${id} has not ended`);
  return { outcome: call.end.outcome, text: resultText(call.end.result) };
}

const runs = (session: LiveSession, id: string): boolean =>
  callById(session.log.state, id as CallId)?.phase === 'executing';

/** The session says something, does a call, and is closed. */
async function expectUsable(session: LiveSession, id: string): Promise<void> {
  session.send('And now?');
  await session.idle;
  expect(ended(session, id)).toMatchObject({ outcome: 'ok', text: expect.stringContaining('still here') });
  expect(session.log.state.turns.at(-1)?.end?.reason).toBe('completed');
  await session.close('closed');
}

const STILL_HERE: readonly (readonly ScenarioBlock[])[] = [[bash('later', 'echo still here')], [{ text: 'Fine.' }]];

test('a working directory that vanishes fails the calls that need it with its name; back again, they work', async () => {
  const session = open([
    [
      bash('removes', `mv ${cwd} ${cwd}-gone`),
      bash('runs', 'echo hello'),
      { tool: 'Read', input: { file_path: 'notes.txt' }, id: 'reads' },
      { tool: 'Write', input: { file_path: join(folder, 'elsewhere.txt'), content: 'x' }, id: 'elsewhere' },
    ],
    [{ text: 'Hm.' }],
    ...STILL_HERE,
  ]);
  session.send('Go.');
  await session.idle;
  expect(ended(session, 'runs')).toMatchObject({ outcome: 'error', text: expect.stringContaining(cwd) });
  expect(ended(session, 'runs').text).toContain('does not exist');
  expect(ended(session, 'reads')).toMatchObject({ outcome: 'error', text: expect.stringContaining('does not exist') });
  mkdirSync(cwd);
  await expectUsable(session, 'later');
});

test('a process host that is suspended loses nothing: it goes on when it may', async () => {
  const session = open([[bash('waits', 'echo waited')], [{ text: 'Hm.' }], ...STILL_HERE]);
  await host.listTree('nothing');
  const pid = host.hostPid as number;
  process.kill(pid, 'SIGSTOP');
  session.send('Go.');
  try {
    await until('the call to be at the host', () => runs(session, 'waits'));
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await session.idle;
  expect(ended(session, 'waits')).toEqual({ outcome: 'ok', text: 'waited' });
  expect(host.hostPid).toBe(pid);
  await expectUsable(session, 'later');
});

test('one that stays suspended is replaced after Esc, with everything it ran', async () => {
  const session = open([[bash('sleeps', 'echo $$; exec sleep 1000')], ...STILL_HERE]);
  session.send('Go.');
  const shell = await until('the command to run', () => {
    const news = session.log.events.findLast((event) => event.type === 'process-spawned');
    return news?.type === 'process-spawned' ? news.pid : undefined;
  });
  const pid = host.hostPid as number;
  process.kill(pid, 'SIGSTOP');
  session.interrupt('escape');
  await session.idle;
  expect(session.log.state.turns.at(-1)?.end?.reason).toBe('interrupted');
  // The turn has not waited for it.
  await until('host and command to be gone', () => ![pid, shell].some(isAlive), 60_000);
  await expectUsable(session, 'later');
  expect(host.hostPid).not.toBe(pid);
});

test('hooks that print without end and in masses cost a call its hook, not the session', async () => {
  const hooks = new HookBench();
  hooks.set(
    'PreToolUse',
    'head -c 100000000 /dev/zero | tr "\\0" x',
    'head -c 50000000 /dev/zero | tr "\\0" y >&2; exit 1',
    { command: 'yes | head -c 20000000', timeout: 60 },
  );
  const session = open(
    [Array.from({ length: 5 }, (_, n) => bash(`call-${n}`, 'echo still here')), [{ text: 'Done.' }], ...STILL_HERE],
    { hooks: { runner: hooks.runner, transcriptPath: journalIn(folder) } },
  );
  session.send('Go.');
  await session.idle;
  const outcomes = session.log.state.calls.map(({ callId }) => ended(session, callId).outcome);
  expect(outcomes).toEqual(outcomes.map(() => 'ok'));
  expect(session.log.state.hookRuns.filter(({ end }) => end !== undefined)).toHaveLength(15);
  // 850 MB were printed; 4 MB of each hook are kept.
  expect(statSync(journalIn(folder)).size).toBeLessThan(15 * 4.5e6);
  await expectUsable(session, 'later');
  hooks.close();
});

test('a wall clock that is set back in the middle turns no time round', async () => {
  const real = Date.now;
  const session = open([[bash('before', 'echo before')], [{ text: 'Hm.' }], ...STILL_HERE]);
  try {
    session.send('Go.');
    await session.idle;
    Date.now = () => real() - 86_400_000;
    await expectUsable(session, 'later');
  } finally {
    Date.now = real;
  }
  const times = session.log.events.map(({ t }) => t);
  expect(times).toEqual([...times].sort((a, b) => a - b));
});

test('a folder in which nothing can be written is said by name, and what only reads works', async () => {
  // A file in the place of a folder refuses everybody, also a root that may do all.
  const closed = join(cwd, 'closed');
  writeFileSync(closed, 'no folder');
  const session = open([
    [{ tool: 'Write', input: { file_path: join(closed, 'new.txt'), content: 'x' }, id: 'writes' }],
    [{ text: 'Hm.' }],
    ...STILL_HERE,
  ]);
  session.send('Go.');
  await session.idle;
  expect(ended(session, 'writes')).toMatchObject({ outcome: 'error', text: expect.stringContaining(closed) });
  await expectUsable(session, 'later');
});
