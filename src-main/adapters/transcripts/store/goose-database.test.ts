import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { foldSession } from '../../../../src-shared/session/state.ts';
import { spentOf } from '../../../../src-shared/session/tokens.ts';
import { inspect } from '../../../core/inspect/inspect.ts';
import { openTranscript } from '../open-transcript.ts';
import { BEGAN, GOOSE, insertInto, newDatabase } from './databases.fixture.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gantry-goose-'));
  file = join(folder, 'sessions.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const SECONDS = BEGAN / 1_000;
const text = (words: string) => ({ type: 'text', text: words });
const asked = (id: string, name: string, args: object) => ({
  type: 'toolRequest',
  id,
  toolCall: { status: 'success', value: { name, arguments: args } },
});
const answered = (id: string, words: string, isError = false) => ({
  type: 'toolResponse',
  id,
  toolResult: { status: 'success', value: { content: [text(words)], isError } },
});

function tell(
  db: DatabaseSyncInstance,
  session: string,
  at: number,
  role: string,
  content: unknown,
  more: object = {},
) {
  insertInto(db, 'messages', {
    message_id: `msg_${session}_${at}`,
    session_id: session,
    role,
    content_json: content,
    created_timestamp: SECONDS + at,
    metadata_json: { userVisible: true, agentVisible: true },
    ...more,
  });
}

function newSession(db: DatabaseSyncInstance, id: string, at: number, more: object = {}): void {
  const stamp = new Date(BEGAN + at * 1_000).toISOString().slice(0, 19).replace('T', ' ');
  insertInto(db, 'sessions', { id, working_dir: '/work/shop', created_at: stamp, updated_at: stamp, ...more });
}

function shop(): DatabaseSyncInstance {
  const db = newDatabase(file, GOOSE);
  newSession(db, '20260303_1', -3_600, { name: 'Old one' });
  tell(db, '20260303_1', -3_600, 'user', [text('hello')]);
  newSession(db, '20260304_1', 0, { name: 'Prices', model_config_json: { model_name: 'm-1' } });
  tell(db, '20260304_1', 0, 'user', [text('Fix the rounding')]);
  tell(db, '20260304_1', 2, 'assistant', [
    text('I look.'),
    asked('call_1', 'developer__shell', { command: 'ls' }),
    asked('call_2', 'subagent_execute_task', { task: 'look around' }),
  ]);
  tell(db, '20260304_1', 5, 'user', [answered('call_1', 'no such file', true)]);
  tell(db, '20260304_1', 9, 'user', [answered('call_2', 'done')]);
  tell(db, '20260304_1', 10, 'user', [text('Summary of what was said')], {
    metadata_json: { userVisible: false, agentVisible: true },
  });
  tell(db, '20260304_1', 12, 'assistant', [text('Done.')]);
  newSession(db, '20260304_2', 3, { name: 'Look', session_type: 'sub_agent', parent_session_id: '20260304_1' });
  tell(db, '20260304_2', 3, 'user', [text('look around')]);
  tell(db, '20260304_2', 4, 'assistant', [asked('call_3', 'developer__read', {})]);
  tell(db, '20260304_2', 6, 'user', [answered('call_3', 'a.ts')]);
  const ledger = {
    session_id: '20260304_1',
    input_tokens: 100,
    cache_read_tokens: 60,
    cache_write_tokens: 30,
    cost: 0.5,
  };
  insertInto(db, 'usage_ledger', { ...ledger, created_timestamp: SECONDS + 2, output_tokens: 5 });
  insertInto(db, 'usage_ledger', { ...ledger, created_timestamp: SECONDS + 12, output_tokens: 7 });
  insertInto(db, 'usage_ledger', { ...ledger, created_timestamp: SECONDS + 13, output_tokens: 1, is_compaction: 1 });
  newSession(db, '20260305_1', 99, { name: 'New Chat' });
  return db;
}

test('the newest session has its calls, ends, sub-agent, words and tokens', async () => {
  shop().close();
  const { events, findings, title, path, cwd } = await openTranscript(file);
  expect({ title, path, cwd }).toEqual({ title: 'Prices', path: `${file}#20260304_1`, cwd: '/work/shop' });
  const { calls, subagents, format, callList } = inspect(events, findings, { calls: true });
  expect({ calls, subagents, format }).toEqual({ calls: 3, subagents: 1, format: 'goose' });
  const byId = Object.fromEntries((callList ?? []).map((call) => [call.id, call]));
  expect(byId.call_1).toMatchObject({ outcome: 'error', endMs: 5_000, startSource: 'line-time' });
  expect(byId.call_2).toMatchObject({ outcome: 'ok', endMs: 9_000 });
  expect(byId.call_3).toMatchObject({ agent: '20260304_2', endMs: 6_000 });
  const state = foldSession(events);
  expect(state.agents.find(({ agentId }) => agentId === '20260304_2')?.parentCallId).toBe('call_2');
  expect(spentOf(state)).toMatchObject({ tokensOut: 13, cost: 1.5 });
  expect(JSON.stringify(events)).toContain('"inputTokens":10,"outputTokens":5,"cacheReadTokens":60');
  const hidden = state.entries.find((entry) => entry.kind === 'user' && entry.text.startsWith('Summary'));
  expect(hidden).toMatchObject({ from: 'program' });
  expect(findings.map(({ kind }) => kind)).toEqual(['other-sessions']);
  expect(findings[0]?.message).toContain('sessions.db#20260303_1 (Old one)');
  expect(findings[0]?.message).not.toContain('20260305_1');
});

test('a database beside the files of older versions is what the folder opens with', async () => {
  shop().close();
  writeFileSync(
    join(folder, '20260101_1.jsonl'),
    `${JSON.stringify({ working_dir: '/x', description: 'd', message_count: 0 })}\n`,
  );
  expect((await openTranscript(folder)).path).toBe(`${file}#20260304_1`);
});

test('tables of the first version are read, and rows that hold no list are told', async () => {
  const db = newDatabase(
    file,
    `CREATE TABLE sessions (id TEXT PRIMARY KEY, description TEXT NOT NULL DEFAULT '', working_dir TEXT NOT NULL,
       created_at TIMESTAMP, updated_at TIMESTAMP, extension_data TEXT DEFAULT '{}');
     CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, role TEXT NOT NULL,
       content_json TEXT NOT NULL, created_timestamp INTEGER NOT NULL, timestamp TIMESTAMP, tokens INTEGER);`,
  );
  newSession(db, 'first', 0, { description: 'As it began' });
  const row = { session_id: 'first', role: 'user', created_timestamp: SECONDS };
  insertInto(db, 'messages', { ...row, content_json: [text('Hi there')] });
  insertInto(db, 'messages', { ...row, content_json: '{"half":' });
  db.close();
  const { events, findings, title } = await openTranscript(file);
  expect(title).toBe('As it began');
  expect(JSON.stringify(events)).toContain('Hi there');
  expect(findings.map(({ kind }) => kind)).toEqual(['odd-value']);
});
