import { describe, expect, test } from 'vitest';
import { spentOf } from '../../../src-shared/session/tokens.ts';
import { faultsOf } from './invariants.ts';
import { opened } from './write-transcript.ts';

/** Properties of files at which readers of others have failed (public reports), for formats told in plain words. */
const rollout = (type: string, payload: unknown, timestamp: unknown = '2026-02-11T09:30:00.000Z') => ({
  timestamp,
  type,
  payload,
});
const meta = rollout('session_meta', { id: 's1', cwd: '/work', cli_version: '0.98.0' });
const call = rollout('response_item', {
  type: 'function_call',
  call_id: 'c1',
  name: 'exec_command',
  arguments: '{"cmd":"ls"}',
});
const output = rollout('response_item', {
  type: 'function_call_output',
  call_id: 'c1',
  output: 'Exit code: 0\nOutput:\nx',
});
const thoughts = rollout('response_item', {
  type: 'reasoning',
  summary: [],
  content: [{ type: 'reasoning_text', text: 'hm' }, { type: 'text', text: 'well' }, 5],
  encrypted_content: null,
});
const copilot = (type: string, data: unknown, n: number) => ({
  type,
  data,
  id: `e${n}`,
  timestamp: `2026-02-11T09:30:0${n}.000Z`,
  parentId: n === 1 ? null : `e${n - 1}`,
});
const start = copilot('session.start', { sessionId: 's2', copilotVersion: '1.0.71' }, 1);
const asks = copilot(
  'assistant.message',
  { messageId: 'm', content: '', toolRequests: [{ toolCallId: 'c1', name: 'bash', arguments: {} }] },
  2,
);
const runs = copilot('tool.execution_start', { toolCallId: 'c1', toolName: 'bash' }, 3);
const done = copilot('tool.execution_complete', { toolCallId: 'c1', success: true, result: { content: 'a\nb' } }, 4);

const lines = (...values: readonly unknown[]): string =>
  values.map((value) => `${typeof value === 'string' ? value : JSON.stringify(value)}\n`).join('');
const text = (value: unknown): string => JSON.stringify(value);

describe.each([
  ['a record written half, then whole on the next line', lines(meta, call, text(output).slice(0, 60), output)],
  ['a byte order mark', `\uFEFF${lines(meta, call, output)}`],
  [
    'times that are numbers',
    lines(meta, { ...call, timestamp: 1_770_802_201 }, { ...output, timestamp: 1_770_802_202_000 }),
  ],
  ['a first record without a payload', lines({ timestamp: meta.timestamp, type: 'session_meta' }, meta, call, output)],
  ['a record without an ordinal among others', lines({ ...meta, ordinal: 0 }, { ...call, ordinal: 1 }, output)],
  ['an event directly behind a truncated one', lines(start, asks, text(runs).slice(0, 50) + text(runs), done)],
  ['bare line breaks inside of a text', lines(start, asks, runs, text(done).replace('a\\nb', 'a\nb'))],
  ['NULs at its end', `${lines(start, asks, runs, done)}${'\0'.repeat(1728)}`],
  ['a line separator inside of a text', lines(start, asks, runs, text(done).replace('a\\nb', 'a\u2028b'))],
  ['fields of another version', lines(start, { ...asks, ephemeral: 7 }, runs, done)],
  ['thoughts of another service', lines(meta, thoughts, call, output)],
  ['a first record that names no thread', lines({ ...meta, payload: { cwd: '/work' } }, call, output)],
  ['kinds of events that came later', lines(start, asks, runs, copilot('system.brand_new', {}, 9), done)],
  ['the sum of a session without a summary', lines(start, asks, runs, done, copilot('session.shutdown', {}, 9))],
] as const)('a file with %s', (_name, content) => {
  test('opens with its call and result', async () => {
    const { events, call: callOf } = await opened({ 'session.jsonl': content });
    expect(faultsOf(events)).toEqual([]);
    expect(callOf('c1')).toMatchObject({ phase: 'yielded', end: { outcome: 'ok' } });
  });
});

test('a request that was never carried out is a mark', async () => {
  const { call: callOf, events } = await opened({ 'session.jsonl': lines(start, asks) });
  expect(faultsOf(events)).toEqual([]);
  expect(callOf('c1')).toMatchObject({ end: { outcome: 'unknown' } });
});

test('tokens of a thread that began with a copy of another one are its own, whatever its sum began with', async () => {
  const counted = (total: number) =>
    rollout('event_msg', {
      type: 'token_count',
      info: {
        total_token_usage: { input_tokens: total, cached_input_tokens: 0, output_tokens: total },
        last_token_usage: { input_tokens: 7, cached_input_tokens: 0, output_tokens: 3 },
      },
    });
  const forked = rollout('session_meta', { id: 's2', forked_from_id: 's1', cwd: '/work', cli_version: '0.120.0' });
  const began = rollout('event_msg', { type: 'task_started', turn_id: 't1' });
  const said = rollout('response_item', {
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_text', text: 'x' }],
  });
  for (const total of [7, 90_007]) {
    const { state } = await opened({ 'session.jsonl': lines(forked, began, call, said, counted(total), output) });
    expect(spentOf(state)).toMatchObject({ tokensIn: 7, tokensOut: 3 });
  }
});

test.each([
  ['words of two roles', lines({ role: 'user', content: 'hi' }, { role: 'assistant', content: 'hello' })],
  [
    'words with a type that anybody uses',
    lines({ type: 'user', content: 'hi' }, { type: 'assistant', content: 'hello' }),
  ],
  ['text with markers', 'user: hi\nassistant: hello\n'],
])('%s are no session', async (_name, content) => {
  await expect(opened({ 'session.jsonl': content })).rejects.toThrow('is in no known format');
});
