import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inspect } from '../../core/inspect/inspect.ts';
import { faultsOf } from './invariants.ts';
import { openTranscript } from './open-transcript.ts';
import { brief, opened } from './write-transcript.ts';

const folder = join(import.meta.dirname, 'fixtures', 'claude-code-2.1.92');
const recorded = readdirSync(folder).filter((name) => readdirSync(join(folder, name)).includes('stream.jsonl'));

/** What a stream and the transcript of the same session must agree in. */
const essence = async (path: string) => {
  const { events, findings } = await openTranscript(path);
  expect(faultsOf(events)).toEqual([]);
  expect(findings).toEqual([]);
  const { callList = [], cancelledBySibling, strategy, subagents } = inspect(events, findings, { calls: true });
  const calls = callList.map(({ id, tool, agent, outcome, started }) => ({ id, tool, agent, outcome, started }));
  return { cancelledBySibling, strategy, subagents, calls: calls.sort((a, b) => (a.id < b.id ? -1 : 1)) };
};

test.each(recorded)('the stream of %s tells the same as the transcript', async (name) => {
  const stream = await essence(join(folder, name, 'stream.jsonl'));
  const transcript = await essence(join(folder, name));
  // Blocks have no times in a stream, so it shows less often when calls were let go.
  expect({ ...stream, strategy: transcript.strategy }).toEqual(transcript);
});

const lines = (...all: readonly object[]) => all.map((line) => `${JSON.stringify(line)}\n`).join('');
const session = { session_id: 's', parent_tool_use_id: null };
const init = { type: 'system', subtype: 'init', session_id: 's', cwd: '/w', claude_code_version: '2.1.92' };
const use = {
  type: 'assistant',
  message: { id: 'm', content: [{ type: 'tool_use', id: 'a', name: 'Read', input: {} }] },
  ...session,
};
const result = {
  type: 'user',
  message: { content: [{ type: 'tool_result', tool_use_id: 'a', content: 'x' }] },
  ...session,
};
const end = { type: 'result', subtype: 'success', duration_ms: 900, ...session };

describe('clocks', () => {
  test('without any time the order of lines is all there is, and nothing is measured from it', async () => {
    const { events, call, state } = await opened({ 's.jsonl': lines(init, use, result, end) });
    expect(state.origin).toMatchObject({ format: 'claude-stream-json', clock: 'order-only' });
    expect(brief(call('a'))).toBe('ok 100–200 lane 0');
    expect(call('a')).toMatchObject({
      run: { timing: { source: 'order-only' } },
      end: { timing: { source: 'order-only' } },
    });
    const { concurrency, wallMs, sumMs, callList } = inspect(events, [], { calls: true });
    expect({ concurrency, wallMs, sumMs }).toEqual({ concurrency: { max: 1, mean: null }, wallMs: null, sumMs: null });
    expect(callList).toMatchObject([{ startMs: null, endMs: null, startSource: 'order-only', started: true }]);
  });

  test('a recorder that stamped the lines is believed', async () => {
    const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms).toISOString();
    const { call, state } = await opened({
      's.jsonl': lines(
        { ts: at(0), ...init },
        { ts: at(10), ...use },
        { ts: at(35), ...result },
        { ts: at(40), ...end },
      ),
    });
    expect(state.origin).toMatchObject({ clock: 'recorded' });
    expect(brief(call('a'))).toBe('ok 10–35 lane 0');
  });

  test('stamps on some lines: what came before the first is placed by the length the end reports', async () => {
    const timestamp = '2026-01-01T00:00:00.000Z';
    const { call } = await opened({ 's.jsonl': lines(init, use, { ...result, timestamp }, end) });
    expect(call('a')).toMatchObject({
      run: { at: 0, timing: { source: 'line-time', earliest: 0, latest: 900 } },
      end: { at: 900, timing: { certainty: 'measured' } },
    });
  });

  test('lines inside the lines of another log, with minutes and seconds beside them', async () => {
    const wrap = (content: object | string) => ({
      schema_version: 'x.v1',
      source: {},
      content: typeof content === 'string' ? content : JSON.stringify(content),
    });
    const { call, state, findings } = await opened({
      's.jsonl': lines(
        wrap('# started: 2026-07-05T03:23:05.000Z'),
        wrap({ time: '00:02', data: init }),
        wrap({ time: '00:05', type: 'assistant', data: use }),
        wrap({ time: '01:07.5', data: result }),
      ),
    });
    expect(brief(call('a'))).toBe('ok 3000–65500 lane 0');
    expect(new Date(state.startedAt).toISOString()).toBe('2026-07-05T03:23:07.000Z');
    expect(findings).toEqual([]);
  });
});

test('the end of a stream says what was refused and how the turn ended', async () => {
  const failed = { ...result.message.content[0], is_error: true, content: 'no' };
  const { call, state } = await opened({
    's.jsonl': lines(
      init,
      use,
      { ...result, message: { content: [failed] } },
      { ...end, subtype: 'error_max_turns', permission_denials: [{ tool_name: 'Read', tool_use_id: 'a' }] },
    ),
  });
  expect(brief(call('a'))).toBe('denied 100–200 lane 0');
  expect(state.turns).toMatchObject([{ end: { reason: 'limit' } }]);
});

test('lines of a sub-agent hang on the call they name', async () => {
  const inner = { ...use, message: { id: 'n', content: [{ type: 'tool_use', id: 'b', name: 'Grep', input: {} }] } };
  const outer = {
    ...use,
    message: { id: 'm', content: [{ type: 'tool_use', id: 'a', name: 'Task', input: { prompt: 'p' } }] },
  };
  const { call, state } = await opened({
    's.jsonl': lines(
      init,
      outer,
      { type: 'system', subtype: 'task_started', task_id: 'agent7', tool_use_id: 'a', description: 'look', ...session },
      { ...inner, parent_tool_use_id: 'a' },
      result,
    ),
  });
  expect(state.agents[0]).toMatchObject({ agentId: 'agent7', parentCallId: 'a', name: 'look', depth: 1 });
  expect(call('b').agentId).toBe('agent7');
});
