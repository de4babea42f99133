import { describe, expect, test } from 'vitest';
import type { ToolCall } from '../../../../src-shared/tool-call/state.ts';
import { opened, timeAt, Writer } from '../write-transcript.ts';

const prompt = (extra = {}) => new Writer(extra).says(0, 'go');
const startOf = (call: ToolCall) => (call.phase === 'queued' ? undefined : { at: call.run?.at, ...call.run?.timing });

describe('the best source of a start wins', () => {
  test.each([
    ['durationMs', { durationMs: 300 }],
    ['totalDurationMs', { totalDurationMs: 300 }],
    ['durationSeconds', { durationSeconds: 0.3 }],
  ])('%s in the result', async (_, toolUseResult) => {
    const { call } = await opened(
      prompt().calls(10, 'm', 'a', 'WebFetch', { url: 'u' }).result(900, 'a', 'x', { toolUseResult }),
    );
    expect(startOf(call('a'))).toMatchObject({ at: 600, source: 'duration-in-result', earliest: 10, latest: 600 });
  });

  test('a progress line that says how long the command has run is good to a second', async () => {
    const data = {
      type: 'bash_progress',
      elapsedTimeSeconds: 2,
      output: 'half',
      fullOutput: 'the half',
      totalLines: 3,
    };
    const { call } = await opened(
      prompt({ version: '2.1.39' })
        .calls(10, 'm', 'a', 'Bash', { command: 'make' })
        .line(7000, { type: 'progress', parentToolUseID: 'a', data })
        .line(8000, { type: 'progress', parentToolUseID: 'a', data: { ...data, elapsedTimeSeconds: 3 } })
        .result(9000, 'a', 'x'),
    );
    expect(startOf(call('a'))).toMatchObject({ at: 5000, source: 'progress-line', earliest: 4000, latest: 6000 });
    expect(call('a').progress).toEqual({ bytes: 8, lines: 3, tail: 'half' });
  });

  test('the start of an MCP tool is exact', async () => {
    const data = { type: 'mcp_progress', status: 'started', serverName: 's', toolName: 't' };
    const { call } = await opened(
      prompt({ version: '2.1.39' })
        .calls(10, 'm', 'a', 'mcp__s__t', {})
        .line(70, { type: 'progress', parentToolUseID: 'a', data })
        .result(90, 'a', 'x'),
    );
    expect(startOf(call('a'))).toMatchObject({ at: 70, source: 'progress-line', earliest: 70, latest: 70 });
  });

  test('the end of the last hook before the tool', async () => {
    const attachment = {
      type: 'hook_success',
      hookName: 'PreToolUse:Bash',
      hookEvent: 'PreToolUse',
      toolUseID: 'a',
      command: './look',
      exitCode: 0,
      durationMs: 30,
      stdout: '{"hookSpecificOutput":{"permissionDecision":"allow"}}',
    };
    const { call, state } = await opened(
      prompt({ version: '2.1.190' })
        .calls(10, 'm', 'a', 'Bash', { command: 'make' })
        .line(50, { type: 'attachment', attachment })
        .result(90, 'a', 'x'),
    );
    expect(startOf(call('a'))).toMatchObject({ at: 50, source: 'hook-end', earliest: 50, latest: 90 });
    expect(state.hookRuns).toMatchObject([{ callId: 'a', from: 20, end: { at: 50, outcome: 'allow', exitCode: 0 } }]);
  });

  test('a duration longer than the call has been there is not believed', async () => {
    const { call } = await opened(
      prompt()
        .calls(10, 'm', 'a', 'Glob', { pattern: '*' })
        .result(20, 'a', 'x', { toolUseResult: { durationMs: 5000 } }),
    );
    expect(startOf(call('a'))).toMatchObject({ at: 10, source: 'block-time' });
  });
});

describe('clocks', () => {
  test('history copied below a newer line does not move the start of the session', async () => {
    const { state, call } = await opened(
      new Writer()
        .line(60_000, { type: 'queue-operation', operation: 'enqueue', content: 'more', uuid: undefined })
        .says(0, 'go')
        .calls(10, 'm', 'a', 'Read', {})
        .result(20, 'a', 'x'),
    );
    expect(call('a').queuedAt).toBe(10);
    expect(state.queuedMessages).toMatchObject([{ text: 'more', at: 60_000 }]);
    expect(new Date(state.startedAt).toISOString()).toBe(timeAt(0));
  });

  test('the same line again, copied by a resumed session, is shown once', async () => {
    const lines = prompt().calls(10, 'm', 'a', 'Read', {}).result(20, 'a', 'x');
    const copied = new Writer();
    for (const line of [...lines.lines, ...lines.lines]) copied.raw(line);
    const { state, findings } = await opened(copied.answers(30, 'n', 'Done.'));
    expect([state.calls.length, state.entries.length]).toEqual([1, 3]);
    expect(findings).toEqual([]);
  });

  test('lines without a time stand with the line before them', async () => {
    const { state } = await opened(
      prompt()
        .answers(10, 'm', 'Hello.')
        .raw({ type: 'custom-title', customTitle: 'My title', sessionId: 'session-1' }),
    );
    expect(state.title).toBe('My title');
  });
});

describe('messages', () => {
  test('usage repeated on each line is the largest, never the sum', async () => {
    const usage = (output_tokens: number) => ({ usage: { input_tokens: 7, output_tokens } });
    const { state } = await opened(
      prompt().answers(10, 'm', 'A', usage(3)).answers(11, 'm', 'B', usage(20)).answers(12, 'm', 'C', usage(20)),
    );
    expect(state.requests).toMatchObject([{ end: { usage: { inputTokens: 7, outputTokens: 20 } } }]);
    expect(state.entries).toHaveLength(2);
  });

  test('an id that comes again after a prompt is another message', async () => {
    const { state } = await opened(prompt().answers(10, 'gen-1', 'A').says(20, 'and?').answers(30, 'gen-1', 'B'));
    expect(state.entries.map((entry) => (entry.kind === 'assistant' ? entry.blocks.length : entry.kind))).toEqual([
      'user',
      1,
      'user',
      1,
    ]);
  });

  test('lines that repeat and extend the blocks of a message add only what is new', async () => {
    const text = (t: string) => ({ type: 'text', text: t });
    const use = { type: 'tool_use', id: 'a', name: 'Read', input: {} };
    const line = (ms: number, content: unknown[]) => ({
      type: 'assistant',
      message: { id: 'm', content },
      timestamp: timeAt(ms),
    });
    const { state, findings } = await opened(
      prompt()
        .line(10, line(10, [text('Look'), text('one')]))
        .line(11, line(11, [text('Look here'), text('one'), use]))
        .line(12, line(12, [text('Look here'), text('one'), use])),
    );
    expect(state.entries[1]).toMatchObject({
      blocks: [{ text: 'Look here' }, { text: 'one' }, { kind: 'tool-use', callId: 'a' }],
    });
    expect(findings).toEqual([]);
  });

  test('a prompt that replaced another one leaves its answers behind', async () => {
    const { state } = await opened(
      prompt()
        .answers(10, 'm1', 'First.', { uuid: 'a1' })
        .says(20, 'wrong words', { uuid: 'p1', parentUuid: 'a1' })
        .answers(30, 'm2', 'Left.', { uuid: 'a2', parentUuid: 'p1' })
        .says(40, 'right words', { uuid: 'p2', parentUuid: 'a1' })
        .answers(50, 'm3', 'Kept.', { uuid: 'a3', parentUuid: 'p2' }),
    );
    const shown = state.entries.filter((entry) => entry.kind === 'assistant');
    expect(shown.map((entry) => entry.discarded)).toEqual([false, true, false]);
  });

  test('parallel results that fork the tree leave nothing behind', async () => {
    const { state } = await opened(
      prompt()
        .calls(10, 'm', 'a', 'Read', {})
        .calls(11, 'm', 'b', 'Read', {})
        .result(20, 'a', 'x')
        .result(21, 'b', 'y')
        .answers(30, 'n', 'Done.'),
    );
    expect(state.entries.some((entry) => entry.kind === 'assistant' && entry.discarded)).toBe(false);
  });
});

describe('settings', () => {
  test.each([
    ['1.0.71', 'batch', 'none'],
    ['2.1.23', 'batch', 'none'],
    ['2.1.46', 'streaming', 'any-error'],
    ['2.1.47', 'streaming', 'except-writes'],
    ['2.1.71', 'streaming', 'except-writes'],
    ['2.1.72', 'streaming', 'bash'],
    ['2.1.127', 'streaming', 'bash'],
    ['2.1.128', 'streaming', 'bash-mutating'],
    ['2.1.160', 'streaming', 'bash-mutating'],
    ['2.1.161', 'streaming', 'none'],
  ])('version %s: %s, cascade %s', async (version, strategy, cascade) => {
    const { state } = await opened(prompt({ version }).calls(10, 'm', 'a', 'Read', {}).result(20, 'a', 'x'));
    expect(state.settings).toMatchObject({ strategy, cascade });
  });

  test('the policy follows when another version goes on with the session', async () => {
    const { events } = await opened(
      prompt().calls(10, 'm', 'a', 'Read', {}).result(20, 'a', 'x').answers(30, 'n', 'Done.', { version: '2.1.200' }),
    );
    const changes = events.filter((event) => event.type === 'settings-changed');
    expect(changes).toMatchObject([{ t: 30, settings: { cascade: 'none' } }]);
  });

  test('the mode is that of the prompts, and changes with them', async () => {
    const { events, state } = await opened(
      new Writer()
        .says(0, 'go', { permissionMode: 'plan' })
        .answers(10, 'm', 'A plan.')
        .says(20, 'do it', { permissionMode: 'acceptEdits' })
        .says(30, 'again', { permissionMode: 'no-such-mode' }),
    );
    expect(events[0]).toMatchObject({ settings: { mode: 'plan' } });
    expect(state.settings.mode).toBe('acceptEdits');
  });
});
