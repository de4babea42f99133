import { describe, expect, test } from 'vitest';
import { inspect } from '../../../core/inspect/inspect.ts';
import { faultsOf } from '../invariants.ts';
import { brief, opened, timeAt, Writer } from '../write-transcript.ts';

const prompt = (extra = {}) => new Writer(extra).says(0, 'go');
const task = (prompt: string) => ({ description: `do ${prompt}`, prompt, subagent_type: 'Explore' });

const treeOf = ({ state }: Awaited<ReturnType<typeof opened>>) =>
  state.agents.map(({ agentId, parentCallId, depth, name }) => [agentId, parentCallId, depth, name]);

describe('the four ways in which sub-agents were written down', () => {
  test('inline, several at once, without any id: told apart by their trees and linked by their prompts', async () => {
    const side = { isSidechain: true };
    const session = await opened(
      prompt({ version: '1.0.71' })
        .calls(10, 'm', 't1', 'Task', task('one'))
        .calls(11, 'm', 't2', 'Task', task('two'))
        .says(20, 'one', { ...side, uuid: 'r1', parentUuid: null })
        .says(21, 'two', { ...side, uuid: 'r2', parentUuid: null })
        .calls(30, 'x', 'c1', 'Read', { file_path: '/work/a' }, { ...side, uuid: 's1', parentUuid: 'r1' })
        .calls(31, 'y', 'c2', 'Read', { file_path: '/work/b' }, { ...side, uuid: 's2', parentUuid: 'r2' })
        .result(50, 'c2', 'b', { ...side, uuid: 's3', parentUuid: 's2' })
        .result(60, 'c1', 'a', { ...side, uuid: 's4', parentUuid: 's1' })
        .result(70, 't1', 'done')
        .result(80, 't2', 'done'),
    );
    expect(treeOf(session)).toEqual([
      ['agent-r1', 't1', 1, 'do one'],
      ['agent-r2', 't2', 1, 'do two'],
    ]);
    expect([session.call('c1').agentId, session.call('c2').agentId]).toEqual(['agent-r1', 'agent-r2']);
    expect([session.call('c1'), session.call('c2')].map(brief)).toEqual(['ok 30–60 lane 0', 'ok 31–50 lane 0']);
    expect(faultsOf(session.events)).toEqual([]);
  });

  test('flat files beside all sessions of a project: only those of this session are taken', async () => {
    const agent = (agentId: string, sessionId: string) =>
      new Writer({ isSidechain: true, agentId, sessionId, version: '2.0.64' })
        .says(20, 'one')
        .answers(40, `m-${agentId}`, 'Done.');
    const session = await opened({
      'session-1.jsonl': prompt({ version: '2.0.64' })
        .calls(10, 'm', 't1', 'Task', task('one'))
        .result(50, 't1', 'Done.', { toolUseResult: { status: 'completed', agentId: 'aaaa1111' } }),
      'agent-aaaa1111.jsonl': agent('aaaa1111', 'session-1'),
      'agent-bbbb2222.jsonl': agent('bbbb2222', 'session-2'),
    });
    expect(treeOf(session)).toEqual([['aaaa1111', 't1', 1, 'do one']]);
  });

  test('progress lines in the session, where the agent has no file of its own', async () => {
    const progress = (ms: number, uuid: string, type: string, content: unknown, id?: string) => ({
      type: 'progress',
      timestamp: timeAt(ms),
      parentToolUseID: 't1',
      data: {
        type: 'agent_progress',
        agentId: 'a1',
        prompt: 'one',
        message: { type, uuid, timestamp: timeAt(ms), message: { id, role: type, content } },
      },
    });
    const lines = prompt({ version: '2.1.39' })
      .calls(10, 'm', 't1', 'Task', task('one'))
      .line(20, progress(20, 'p1', 'user', [{ type: 'text', text: 'one' }]))
      .line(30, progress(30, 'p2', 'assistant', [{ type: 'tool_use', id: 'c1', name: 'Read', input: {} }], 'x'))
      .line(40, progress(40, 'p3', 'user', [{ type: 'tool_result', tool_use_id: 'c1', content: 'a' }]))
      .result(50, 't1', 'Done.');
    const alone = await opened(lines);
    expect(treeOf(alone)).toEqual([['a1', 't1', 1, 'do one']]);
    expect(brief(alone.call('c1'))).toBe('ok 30–40 lane 0');
    const own = new Writer({ isSidechain: true, agentId: 'a1' })
      .says(20, 'one')
      .calls(30, 'x', 'c1', 'Read', {})
      .result(40, 'c1', 'a');
    const both = await opened({ 'session-1.jsonl': lines, 'session-1/subagents/agent-a1.jsonl': own });
    expect(treeOf(both)).toEqual([['a1', 't1', 1, 'do one']]);
    expect(both.state.calls).toHaveLength(2);
    expect(both.findings).toEqual([]);
  });

  test('files of their own with a description that names the call, nested too', async () => {
    const outer = new Writer({ isSidechain: true, agentId: 'outer' })
      .says(20, 'anything')
      .calls(30, 'x', 't2', 'Agent', task('two'))
      .result(80, 't2', 'Done.');
    const inner = new Writer({ isSidechain: true, agentId: 'inner' })
      .says(40, 'whatever')
      .calls(50, 'y', 'c1', 'Grep', { pattern: 'x' })
      .result(60, 'c1', 'x');
    const session = await opened({
      'session-1.jsonl': prompt().calls(10, 'm', 't1', 'Agent', task('one')).result(90, 't1', 'Done.'),
      'session-1/subagents/agent-outer.jsonl': outer,
      'session-1/subagents/agent-outer.meta.json': '{"toolUseId":"t1","description":"look","agentType":"Explore"}',
      'session-1/subagents/workflows/wf_1/agent-inner.jsonl': inner,
      'session-1/subagents/workflows/wf_1/agent-inner.meta.json': '{"toolUseId":"t2","spawnDepth":2}',
    });
    expect(treeOf(session)).toEqual([
      ['outer', 't1', 1, 'look'],
      ['inner', 't2', 2, 'do two'],
    ]);
    expect(faultsOf(session.events)).toEqual([]);
    expect(inspect(session.events, []).subagents).toBe(2);
  });
});

describe('sub-agents', () => {
  test('their file gives the start of the call where nothing better does', async () => {
    const { call } = await opened({
      'session-1.jsonl': prompt().calls(10, 'm', 't1', 'Agent', task('one')).result(90, 't1', 'Done.'),
      'session-1/subagents/agent-a.jsonl': new Writer({ isSidechain: true, agentId: 'a' }).says(35, 'one'),
    });
    expect(call('t1')).toMatchObject({ run: { at: 35, timing: { source: 'agent-file', earliest: 10, latest: 35 } } });
  });

  test('open calls of an agent end with the call that started it', async () => {
    const { call, events } = await opened({
      'session-1.jsonl': prompt()
        .calls(10, 'm', 't1', 'Agent', task('one'))
        .result(90, 't1', 'Done.')
        .answers(500, 'n', 'So.'),
      'session-1/subagents/agent-a.jsonl': new Writer({ isSidechain: true, agentId: 'a' })
        .says(20, 'one')
        .calls(30, 'x', 'c1', 'Bash', { command: 'make' }),
    });
    expect(call('c1')).toMatchObject({ phase: 'completed', end: { outcome: 'unknown', at: 90 } });
    expect(faultsOf(events)).toEqual([]);
  });

  test('launched in the background go on after their call, and their end is told once', async () => {
    const note =
      '<task-notification><task-id>a</task-id><tool-use-id>t1</tool-use-id><status>completed</status>' +
      '<summary>Agent finished</summary></task-notification>';
    const { call, state, events } = await opened({
      'session-1.jsonl': prompt()
        .calls(10, 'm', 't1', 'Agent', task('one'))
        .result(20, 't1', 'Async agent launched successfully.', { toolUseResult: { isAsync: true, agentId: 'a' } })
        .line(400, { type: 'queue-operation', operation: 'enqueue', content: note })
        .line(401, { type: 'attachment', attachment: { type: 'queued_command', prompt: note } })
        .says(402, note, { origin: { kind: 'task-notification' } }),
      'session-1/subagents/agent-a.jsonl': new Writer({ isSidechain: true, agentId: 'a' })
        .says(30, 'one')
        .calls(40, 'x', 'c1', 'Bash', { command: 'make' })
        .result(390, 'c1', 'made'),
    });
    expect(brief(call('t1'))).toBe('ok 10–20 lane 0');
    expect(call('t1').observed).toEqual({ background: 'completed', backgroundEndedAt: 400 });
    expect(brief(call('c1'))).toBe('ok 40–390 lane 0');
    expect(state.agents[0]).toMatchObject({ from: 30, until: 390 });
    expect(events.filter((event) => event.type === 'notice-given')).toHaveLength(1);
  });

  test('launched in the background without a file of their own they still have a bar, to their notification', async () => {
    const launched = { toolUseResult: { isAsync: true, status: 'async_launched', agentId: 'a9' } };
    const note = '<task-notification><task-id>a9</task-id><status>completed</status></task-notification>';
    const { events, state } = await opened(
      new Writer()
        .says(0, 'go')
        .calls(10, 'm', 't1', 'Agent', { description: 'look', prompt: 'Look around.', subagent_type: 'Explore' })
        .result(30, 't1', 'Async agent launched successfully.', launched)
        .line(900, { type: 'queue-operation', operation: 'enqueue', content: note })
        .answers(1000, 'n', 'Done.'),
    );
    const told = events.filter((event) => event.type === 'agent-started' || event.type === 'agent-ended');
    expect(told.map((event) => [event.type, event.agentId, event.t])).toEqual([
      ['agent-started', 'a9', 30],
      ['agent-ended', 'a9', 900],
    ]);
    expect(state.agents.find((agent) => agent.agentId === 'a9')).toMatchObject({ name: 'look', parentCallId: 't1' });
  });

  test('a command launched in the background has a shell behind its call, to its notification', async () => {
    const note =
      '<task-notification><task-id>b1</task-id><tool-use-id>t1</tool-use-id><status>failed</status>' +
      '<summary>Command failed</summary></task-notification>';
    const launched = (id: string) => ({ toolUseResult: { stdout: '', interrupted: false, backgroundTaskId: id } });
    const { call, state, events } = await opened({
      'session-1.jsonl': prompt()
        .calls(10, 'm', 't1', 'Bash', { command: 'npm run dev', run_in_background: true })
        .result(20, 't1', 'Command running in background with ID: b1.', launched('b1'))
        .calls(30, 'n', 't2', 'Bash', { command: 'npm test', run_in_background: true })
        .result(40, 't2', 'Command running in background with ID: b2.', launched('b2'))
        .says(402, note, { origin: { kind: 'task-notification' } }),
    });
    expect(brief(call('t1'))).toBe('ok 10–20 lane 0');
    expect(state.shells).toMatchObject([
      { shellId: 'b1', callId: 't1', command: 'npm run dev', from: 20, end: { at: 402, how: { said: 'failed' } } },
      { shellId: 'b2', callId: 't2', command: 'npm test', from: 40, end: undefined },
    ]);
    expect(faultsOf(events)).toEqual([]);
  });

  test('a notification that names the exit code ends its shell with it', async () => {
    const note =
      '<task-notification><task-id>b1</task-id><status>failed</status>' +
      '<summary>Background command "npm test" failed with exit code 3</summary></task-notification>';
    const { events } = await opened(
      prompt()
        .calls(10, 'm', 't1', 'Bash', { command: 'npm test', run_in_background: true })
        .result(20, 't1', 'Command running in background with ID: b1.', { toolUseResult: { backgroundTaskId: 'b1' } })
        .line(900, { type: 'queue-operation', operation: 'enqueue', content: note }),
    );
    expect(events.filter((event) => event.type === 'shell-ended')).toMatchObject([
      { t: 900, end: { kind: 'exited', code: 3 } },
    ]);
  });

  test('a teammate that was called in has a bar to the end of the file', async () => {
    const spawned = { toolUseResult: { status: 'teammate_spawned', teammate_id: 'x', agent_id: 'reader@team' } };
    const { state } = await opened(
      prompt()
        .calls(10, 'm', 't1', 'Agent', { description: 'read', prompt: 'Read.', name: 'reader' })
        .result(20, 't1', 'Spawned successfully.', spawned)
        .answers(500, 'n', 'Done.'),
    );
    expect(state.agents).toMatchObject([{ agentId: 'reader@team', from: 20, until: 500, parentCallId: 't1' }]);
  });

  test('an agent that no call has started is shown all the same', async () => {
    const session = await opened({
      'session-1.jsonl': prompt().answers(10, 'm', 'Hello.'),
      'session-1/subagents/agent-w.jsonl': new Writer({ isSidechain: true, agentId: 'w' })
        .says(5, 'Warmup')
        .answers(9, 'x', 'Hi.'),
    });
    expect(treeOf(session)).toEqual([['w', undefined, 1, 'Warmup']]);
  });

  test('a file of theirs opened by itself is a session of its own', async () => {
    const own = new Writer({ isSidechain: true, agentId: 'a1' })
      .says(0, 'one')
      .calls(5, 'x', 'c1', 'Read', {})
      .result(9, 'c1', 'a');
    const { state, call } = await opened({ 'agent-a1.jsonl': own });
    expect(state.agents).toEqual([]);
    expect(call('c1').agentId).toBe('main');
  });
});
