import { describe, expect, test } from 'vitest';
import { type AgentId, type CallId, MAIN_AGENT, type ShellId } from '../../src-shared/ids.ts';
import type { SessionEvent } from '../../src-shared/session/event.ts';
import { foldSession } from '../../src-shared/session/state.ts';
import { createRegistry } from '../adapters/tools/registry.ts';
import { ManualClock } from '../ports/clock.fake.ts';
import { FakeProcessRunner } from '../ports/process-runner.fake.ts';
import { BackgroundShells } from './background-shells.ts';
import { recover } from './recover.ts';
import { SessionLog } from './session-log.ts';
import { countingIds, MoodyStore, quiet } from './testing/bench.ts';
import { begins, ends, says } from './testing/hand-model.ts';
import { SessionBench, told } from './testing/session-bench.ts';

/** A session whose commands the test holds in its hand. */
function sessionWith(past?: readonly SessionEvent[]) {
  const processes = new FakeProcessRunner();
  const clock = new ManualClock();
  const tools = createRegistry({ processes, clock, markerFor: (callId) => `test:${callId}`, ripgrep: 'rg' });
  const on = new SessionBench({
    tools,
    settings: { mode: 'bypassPermissions' },
    ...(past === undefined ? {} : { past, newId: countingIds(1_000) }),
  });
  const uses = (id: string, name: string, input: object) => ({ type: 'tool-use', id, name, input }) as const;
  return Object.assign(on, {
    processes,
    /** A turn in which the model launches these commands; it has the results then and is being asked again. */
    async launch(...commands: readonly string[]) {
      await on.send('Start them.');
      const calls = commands.map((command, at) => uses(`c${at + 1}`, 'Bash', { command, run_in_background: true }));
      await on.model.now.send(begins('m1'), ...calls, ends('tool-use'));
      await quiet();
    },
    call: (id: string, name: string, input: object) =>
      on.model.now.send(begins(id), uses(id, name, input), ends('tool-use')),
    finish: (id = 'm9') => on.model.now.send(begins(id), says('Done.'), ends()),
    sent: () => told(on.model.now.request.messages),
  });
}

const reminder = (words: string): string =>
  `user: <system-reminder>\n${words} BashOutput with bash_id bash_1 gives what it has written since the last look.\n</system-reminder>`;

describe('a background shell of a session', () => {
  test('has its launch, its progress and its end in the journal', async () => {
    const on = sessionWith();
    await on.launch('npm run dev');
    const [dev] = on.processes.runs;
    dev?.progress({ bytes: 6, lines: 1, tail: 'ready\n' });
    expect(on.log.state.shells).toMatchObject([
      { shellId: 'bash_1', callId: 'c1', command: 'npm run dev', progress: { tail: 'ready\n' }, end: undefined },
    ]);
    expect(on.sent().at(-1)).toMatch(/^result c1: The command runs in the background as bash_1/);
    dev?.exit(1, { bytes: 9 });
    await quiet();
    expect(on.log.state.shells[0]?.end).toMatchObject({ how: { kind: 'exited', code: 1 }, bytes: 9, survivors: [] });
  });

  test('tells of its output at most ten times a second', async () => {
    const on = sessionWith();
    await on.launch('yes');
    for (let bytes = 1; bytes <= 100; bytes++) {
      on.processes.runs[0]?.progress({ bytes, lines: bytes, tail: 'y\n' });
      await on.advance(10);
    }
    expect(on.all('shell-progressed').length).toBe(10);
  });

  test('that ends in mid-turn is told with the next message', async () => {
    const on = sessionWith();
    await on.launch('npm run dev', 'npm test');
    on.processes.runs[0]?.exit(1, { bytes: 9 });
    await quiet();
    on.processes.runs[1]?.exit(0);
    await quiet();
    await on.call('m2', 'BashOutput', { bash_id: 'bash_2' });
    await quiet();
    await expect.poll(on.sent).toContain(reminder('The background shell bash_1 (npm run dev) ended with exit code 1.'));
    // The look has told of the other one.
    expect(on.sent().filter((line) => line.includes('system-reminder')).length).toBe(1);
  });

  test('that ends while nothing runs wakes nobody, and is told with the next message of the person', async () => {
    const on = sessionWith();
    await on.launch('sleep 5');
    await on.finish();
    const requests = on.model.streams.length;
    on.processes.runs[0]?.exit(0, { bytes: 3 });
    await quiet();
    expect(on.model.streams.length).toBe(requests);
    await on.send('And?');
    expect(on.sent().slice(-2)).toEqual([
      'user: And?',
      reminder('The background shell bash_1 (sleep 5) ended with exit code 0.'),
    ]);
    await on.finish('m10');
    await on.send('Again?');
    expect(on.sent().at(-1)).toBe('user: Again?');
  });

  test('is not ended by stopping the turn', async () => {
    const on = sessionWith();
    await on.launch('npm run dev');
    await on.interrupt('escape');
    expect(on.processes.runs[0]?.settled).toBe(false);
    expect(on.session.running).toBe(false);
  });

  test('is ended by KillShell, which says so itself', async () => {
    const on = sessionWith();
    await on.launch('npm run dev');
    await on.call('m2', 'KillShell', { shell_id: 'bash_1' });
    await quiet();
    expect(on.processes.runs[0]?.settled).toBe(true);
    expect(on.sent().at(-1)).toBe('result m2: bash_1 was ended by KillShell. Nothing of it is left.');
  });

  test('is ended by its person, and the model is told', async () => {
    const on = sessionWith();
    await on.launch('npm run dev');
    await on.finish();
    const shell = await on.session.killShell('bash_1' as ShellId);
    expect(shell.end).toMatchObject({ how: { kind: 'killed', by: 'person' }, survivors: [] });
    await on.send('And?');
    expect(on.sent().at(-1)).toMatch(/bash_1 \(npm run dev\) was ended by the user\./);
    await expect(on.session.killShell('bash_2' as ShellId)).rejects.toThrow('There is no such background shell.');
  });

  test('ends with its session, before the journal does', async () => {
    const on = sessionWith();
    await on.launch('npm run dev', 'npm test');
    await on.session.close('quit');
    expect(on.processes.runs.map(({ settled }) => settled)).toEqual([true, true]);
    expect(on.log.state.shells.map(({ end }) => end?.how)).toEqual([
      { kind: 'session-closed' },
      { kind: 'session-closed' },
    ]);
    expect(on.store.events.at(-1)?.type).toBe('session-ended');
    const again = sessionWith(on.store.events);
    await again.send('And?');
    expect(again.sent().join('\n')).toMatch(/bash_2 \(npm test\) was ended when its session was closed/);
  });

  test('that a crash left open is closed honestly, and the model is told', async () => {
    const on = sessionWith();
    await on.launch('npm run dev');
    on.processes.runs[0]?.progress({ bytes: 6, lines: 1, tail: 'ready\n' });
    on.log.flush();
    const store = new MoodyStore();
    recover(new SessionLog({ store, clock: new ManualClock(), past: on.store.events }), 'test');
    const events = [...on.store.events, ...store.events];
    expect(foldSession(events).shells[0]?.end).toEqual({
      at: expect.anything(),
      how: { kind: 'unknown' },
      bytes: 6,
      survivors: undefined,
    });
    const again = sessionWith(events);
    await again.send('And?');
    expect(again.sent().join('\n')).toContain('bash_1 (npm run dev) ended with Gantry; how is not known.');
    await again.launch('true');
    expect(again.log.state.shells.map(({ shellId }) => shellId)).toEqual(['bash_1', 'bash_2']);
  });

  test('with survivors names them', async () => {
    const on = sessionWith();
    await on.launch('sudo server');
    on.processes.runs[0]?.exit(0, { survivors: [{ pid: 7, command: 'server' }] });
    await on.call('m2', 'BashOutput', { bash_id: 'bash_1' });
    await expect.poll(() => on.sent().join('\n')).toContain('These of its processes could not be ended: 7 server.');
  });
});

describe('news of a shell', () => {
  function shellsOf(agents: readonly ('alive' | 'gone')[]) {
    const log = new SessionLog({ store: new MoodyStore(), clock: new ManualClock() });
    const shells = new BackgroundShells({ log, clock: new ManualClock() });
    for (const [at, how] of agents.entries()) {
      const agentId = `agent-${at}` as AgentId;
      log.append({ type: 'agent-started', agentId, depth: 1, name: 'x', agentType: 'x', prompt: 'x' });
      if (how === 'gone') log.append({ type: 'agent-ended', agentId });
    }
    return shells;
  }
  const run = async (shells: BackgroundShells, agentId: AgentId) => {
    const runner = new FakeProcessRunner((fake) => fake.exit(0));
    const spec = { command: 'x', cwd: '/', env: {}, outputFile: '/x', timeoutMs: 1, maxOutputBytes: 1, marker: 'x' };
    await shells.start(
      { callId: 'c' as CallId, agentId, command: 'x', path: '/x', run: (hooks) => runner.run(spec, hooks) },
      new AbortController().signal,
    );
    await quiet();
  };

  test('goes to the agent that launched it while there is one, else to the main agent; once', async () => {
    const shells = shellsOf(['alive', 'gone']);
    await run(shells, 'agent-0' as AgentId);
    await run(shells, 'agent-1' as AgentId);
    await run(shells, MAIN_AGENT);
    expect(shells.takeNews('agent-0' as AgentId).join()).toMatch(/bash_1 /);
    expect(shells.takeNews('agent-1' as AgentId)).toEqual([]);
    expect(shells.takeNews(MAIN_AGENT).join()).toMatch(/bash_2 [\s\S]*bash_3 /);
    expect(shells.takeNews(MAIN_AGENT)).toEqual([]);
  });
});
