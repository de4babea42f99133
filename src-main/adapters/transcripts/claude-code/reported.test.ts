import { describe, expect, test } from 'vitest';
import { faultsOf } from '../invariants.ts';
import { opened, timeAt, Writer } from '../write-transcript.ts';

/** Properties of Claude Code's files at which readers of others have failed (public reports). */
const prompt = () => new Writer().says(0, 'go');
const oneCall = (writer: Writer, at = 1_000): Writer =>
  writer.calls(at, 'm-last', 'last', 'Read', { file_path: '/work/a' }).result(at + 10, 'last', 'x');
const answersOf = ({ state }: Awaited<ReturnType<typeof opened>>) =>
  state.entries.flatMap((entry) => (entry.kind === 'assistant' ? [entry] : []));

const kinds: readonly (readonly [name: string, line: object])[] = [
  ['a latch', { type: 'atis-latch', atis: true }],
  ['a mode', { type: 'mode', mode: 'plan', sessionId: 'session-1' }],
  ['a last prompt that only names its leaf', { type: 'last-prompt', leafUuid: 'u-1', sessionId: 'session-1' }],
  ['a session that is worked from afar', { type: 'bridge-session', sessionId: 'session-1', bridgeSessionId: 'b' }],
  ['a status of it', { type: 'system', subtype: 'bridge_status', url: 'https://example.com', timestamp: timeAt(5) }],
  ['the length of a turn', { type: 'system', subtype: 'turn_duration', durationMs: 5, timestamp: timeAt(5) }],
  ['words taken back', { type: 'queue-operation', operation: 'popAll', content: 'never mind', timestamp: timeAt(5) }],
  ['words removed, without them', { type: 'queue-operation', operation: 'remove', timestamp: timeAt(5) }],
  ['a local command without content', { type: 'system', subtype: 'local_command', timestamp: timeAt(5) }],
  ['the sum of stop hooks', { type: 'system', subtype: 'stop_hook_summary', hookCount: 1, timestamp: timeAt(5) }],
  ['a cost', { type: 'cost-state', totalCostUSD: 1.5, modelUsage: {} }],
  ['a snapshot of files that names a message', { type: 'file-history-snapshot', messageId: 'u-1', snapshot: {} }],
];

describe.each(kinds)('a session with %s', (_name, line) => {
  test('has its call and nothing that fails', async () => {
    const { events, call, state } = await opened(oneCall(prompt().raw(line).raw(line)));
    expect(faultsOf(events)).toEqual([]);
    expect(call('last')).toMatchObject({ phase: 'yielded', end: { outcome: 'ok', at: 1_010 } });
    expect(state.entries.filter((entry) => entry.kind === 'assistant' && entry.discarded)).toEqual([]);
  });
});

test('odd fields cost no line: usage, stop reason, twin of the result, mode, version', async () => {
  const writer = prompt()
    .calls(10, 'm', 'a', 'Bash', { command: 'ls' }, { usage: 'much', stop_reason: 7, version: 2, permissionMode: [] })
    .result(20, 'a', 'out', { toolUseResult: 42, sourceToolAssistantUUID: {} });
  const { events, call } = await opened(writer);
  expect(faultsOf(events)).toEqual([]);
  expect(call('a')).toMatchObject({ end: { outcome: 'ok', at: 20, result: { content: [{ text: 'out' }] } } });
});

test('contents that are JSON in a text, or an object, are kept as they are', async () => {
  const blocks = JSON.stringify([{ type: 'text', text: 'inner' }]);
  const { call } = await opened(
    prompt()
      .calls(10, 'm', 'a', 'mcp__x__y', {})
      .result(20, 'a', blocks)
      .calls(30, 'n', 'b', 'mcp__x__y', {})
      .fails(40, 'b', { code: 5, message: 'no such table' } as unknown as string),
  );
  expect(call('a')).toMatchObject({ end: { result: { content: [{ type: 'text', text: blocks }] } } });
  expect(JSON.stringify(call('b'))).toContain('no such table');
  expect(call('b')).toMatchObject({ end: { outcome: 'error' } });
});

test('words before a call in its message are shown, and messages of calls alone have them', async () => {
  const session = await opened(
    prompt().answers(10, 'm', 'I look first.').calls(11, 'm', 'a', 'Read', {}).calls(20, 'n', 'b', 'Read', {}),
  );
  expect(answersOf(session).map(({ blocks }) => blocks.map(({ kind }) => kind))).toEqual([
    ['text', 'tool-use'],
    ['tool-use'],
  ]);
});

test('progress lines that stand as second children of a message leave nothing behind', async () => {
  const writer = prompt().calls(10, 'm', 'a', 'Bash', { command: 'sleep 9' });
  for (let n = 0; n < 5; n++) {
    writer.raw({
      type: 'progress',
      uuid: `p-${n}`,
      parentUuid: n === 0 ? 'u-2' : `p-${n - 1}`,
      toolUseID: `x-${n}`,
      parentToolUseID: 'a',
      timestamp: timeAt(100 + n),
      data: { type: 'bash_progress', output: '', fullOutput: '', elapsedTimeSeconds: n, totalLines: 0 },
      sessionId: 'session-1',
    });
  }
  const session = await opened(oneCall(writer.result(200, 'a', 'x').answers(300, 'n', 'Done.')));
  expect(answersOf(session).map(({ discarded }) => discarded)).toEqual([false, false, false]);
  expect(session.state.calls).toHaveLength(2);
});

test('parents that are not in the file, and hundreds of loose ends, lose nothing', async () => {
  const writer = prompt();
  for (let n = 0; n < 375; n++) writer.answers(10 + n, `m-${n}`, `answer ${n}`, { parentUuid: `gone-${n % 22}` });
  const session = await opened(oneCall(writer));
  expect(answersOf(session)).toHaveLength(376);
  expect(answersOf(session).filter(({ discarded }) => discarded)).toEqual([]);
  expect(faultsOf(session.events)).toEqual([]);
});

test('two programs that write to one file are both told', async () => {
  const first = oneCall(prompt().answers(10, 'm1', 'One.', { uuid: 'a1' }));
  const second = new Writer({ agentName: 'second' })
    .answers(500, 'm2', 'Other.', { uuid: 'b1', parentUuid: 'u-1' })
    .calls(510, 'm3', 'other', 'Read', {}, { parentUuid: 'b1' })
    .result(520, 'other', 'y');
  for (const line of second.lines) first.raw(line);
  const session = await opened(first);
  expect(session.state.calls.map(({ callId }) => callId).sort()).toEqual(['last', 'other']);
  expect(faultsOf(session.events)).toEqual([]);
});

test('titles and last prompts that come several times show a message once', async () => {
  const title = { type: 'ai-title', aiTitle: 'A title', sessionId: 'session-1' };
  const last = { type: 'last-prompt', lastPrompt: 'go', leafUuid: 'u-1', sessionId: 'session-1' };
  const { state } = await opened(oneCall(prompt().raw(title).raw(last).raw(title).raw(last)));
  expect(
    state.entries.filter((entry) => entry.kind === 'user').map((entry) => entry.kind === 'user' && entry.text),
  ).toEqual(['go']);
});

test('usage without the id of a request counts once for a message', async () => {
  const usage = { usage: { input_tokens: 7, output_tokens: 20 }, requestId: undefined };
  const { state } = await opened(prompt().answers(10, 'gen-1', 'A', usage).answers(11, 'gen-1', 'B', usage));
  expect(state.requests).toHaveLength(1);
  expect(state.requests).toMatchObject([{ end: { usage: { inputTokens: 7, outputTokens: 20 } } }]);
});

test('a notification behind the end of a turn begins no second turn that hangs on', async () => {
  const words = '<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n</task-notification>';
  const { state } = await opened(
    oneCall(prompt()).line(2_000, { type: 'system', subtype: 'turn_duration', durationMs: 2_000 }).says(2_100, words),
  );
  expect(state.turns.every(({ end }) => end !== undefined)).toBe(true);
});

test('a task that is said to be done and goes on is shown to its last word', async () => {
  const done = (at: number) =>
    `<task-notification>\n<task-id>b1</task-id>\n<tool-use-id>a</tool-use-id>\n<status>completed</status>\n<summary>part ${at}</summary>\n</task-notification>`;
  const { state, events } = await opened(
    prompt()
      .calls(10, 'm', 'a', 'Bash', { command: 'watch', run_in_background: true })
      .result(20, 'a', 'Command running in background with ID: b1. Output is being written to: /tmp/b1.output', {
        toolUseResult: { stdout: '', stderr: '', interrupted: false, isImage: false, backgroundTaskId: 'b1' },
      })
      .says(500, done(500))
      .says(900, done(900)),
  );
  expect(faultsOf(events)).toEqual([]);
  expect(state.shells).toHaveLength(1);
  expect(state.calls).toHaveLength(1);
});

test('an agent that begins with the history of its parent has its own work alone', async () => {
  const parent = prompt()
    .answers(10, 'm0', 'Before.', { uuid: 'h1' })
    .calls(20, 'm1', 'fork', 'Agent', { prompt: 'look', subagent_type: 'fork' })
    .result(5_000, 'fork', 'done', { toolUseResult: { status: 'completed', agentId: 'f1', content: [] } });
  const agent = new Writer({ agentId: 'f1', isSidechain: true })
    .raw({
      type: 'fork-context-ref',
      agentId: 'f1',
      parentSessionId: 'session-1',
      parentLastUuid: 'u-3',
      contextLength: 3,
    })
    .says(2_000, '<fork-boilerplate>You are a fork.</fork-boilerplate> look')
    .calls(3_000, 'f-m', 'inner', 'Read', {})
    .result(3_100, 'inner', 'x');
  const { state, call } = await opened({
    'session-1.jsonl': parent,
    'session-1/subagents/agent-f1.jsonl': agent,
    'session-1/subagents/agent-f1.meta.json': '{"agentType":"fork","toolUseId":"fork"}',
  });
  expect(state.agents.map(({ agentId, parentCallId }) => [agentId, parentCallId])).toContainEqual(['f1', 'fork']);
  expect(state.entries.filter((entry) => 'agentId' in entry && entry.agentId === 'f1')).toHaveLength(2);
  expect(call('inner')).toMatchObject({ agentId: 'f1', end: { at: 3_100 } });
});
