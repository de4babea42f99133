import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { inspect } from '../../../core/inspect/inspect.ts';
import { TranscriptUnreadable } from '../importer.ts';
import { openTranscript } from '../open-transcript.ts';
import {
  BEGAN,
  firstOpencode,
  insertInto,
  newDatabase,
  OPENCODE_FIRST,
  OPENCODE_SECOND,
  shopOpencode,
} from './databases.fixture.ts';

let folder: string;
let file: string;
const opened: DatabaseSyncInstance[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gantry-opencode-'));
  file = join(folder, 'opencode.db');
});
afterEach(() => {
  for (const db of opened.splice(0)) if (db.isOpen) db.close();
  rmSync(folder, { recursive: true, force: true });
});

const keep = (db: DatabaseSyncInstance): DatabaseSyncInstance => {
  opened.push(db);
  return db;
};
const callsOf = async (path: string) => {
  const { events, findings } = await openTranscript(path);
  const inspection = inspect(events, findings, { calls: true });
  return { inspection, calls: Object.fromEntries((inspection.callList ?? []).map((call) => [call.id, call])) };
};
const refusal = async (path: string): Promise<TranscriptUnreadable> => {
  const error = await openTranscript(path).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof TranscriptUnreadable) return error;
  throw new Error(`expected a refusal of ${path}, not ${String(error)}`);
};

describe('the newest session of a database', () => {
  test('has the times, ends and outcomes that were recorded, and its sub-agent', async () => {
    shopOpencode(file).close();
    const { inspection, calls } = await callsOf(file);
    expect(inspection).toMatchObject({ format: 'opencode', version: '1.2.6', messages: 6, calls: 6, subagents: 1 });
    expect(calls.call_read).toMatchObject({ startMs: 1_000, endMs: 1_250, outcome: 'ok', startSource: 'measured' });
    expect(calls.call_task).toMatchObject({ startMs: 1_100, endMs: 5_000, agent: 'main' });
    expect(calls.call_glob).toMatchObject({ startMs: 2_000, endMs: 2_010, agent: 'ses_sub' });
    expect(calls.call_bash).toMatchObject({ outcome: 'error' });
    expect(calls.call_edit).toMatchObject({ outcome: 'rejected', started: false });
    expect(calls.call_long).toMatchObject({ outcome: 'interrupted' });
    const state = (await openTranscript(file)).events.find((event) => event.type === 'agent-started');
    expect(state).toMatchObject({ parentCallId: 'call_task' });
  });

  test('is told from the others, which a finding names as they can be opened', async () => {
    shopOpencode(file).close();
    const { findings, path, title, cwd } = await openTranscript(file);
    expect({ path, title, cwd }).toEqual({ path: `${file}#ses_shop`, title: 'Fix the prices', cwd: '/work/shop' });
    expect(findings.map(({ kind }) => kind)).toEqual(['other-sessions']);
    expect(findings[0]?.message).toContain('opencode.db#ses_old (Old one)');
    expect(findings[0]?.message).not.toContain('ses_sub');
    expect((await openTranscript(`${file}#ses_old`)).title).toBe('Old one');
    expect((await openTranscript(`${file}#ses_sub`)).title).toBe('Explore');
  });

  test('is what its folder opens with, also beside the files of older versions', async () => {
    shopOpencode(file).close();
    const old = join(folder, 'storage', 'session', 'global');
    mkdirSync(old, { recursive: true });
    mkdirSync(join(folder, 'storage', 'message', 'ses_old'), { recursive: true });
    writeFileSync(join(old, 'ses_old.json'), JSON.stringify({ id: 'ses_old', directory: '/x', time: { created: 1 } }));
    expect((await openTranscript(folder)).path).toBe(`${file}#ses_shop`);
  });

  test('that is not there is refused in words', async () => {
    shopOpencode(file).close();
    expect((await refusal(`${file}#ses_none`)).what).toBe('holds no session ses_none');
    expect((await refusal(join(folder, 'none.db#ses_none'))).what).toBe('does not exist');
  });
});

test('tables of version 2 are read before those of version 1, which it leaves as they were', async () => {
  const db = keep(newDatabase(file, `${OPENCODE_FIRST}${OPENCODE_SECOND}`));
  const { session, message } = firstOpencode(db);
  session({ id: 'ses_a', at: 0 });
  message('ses_a', 'msg_1', 0, { role: 'user' }, [{ type: 'text', text: 'as it was before' }]);
  const of = { project_id: 'global', slug: 's', directory: '/work/shop', version: '2.0.12', time_created: BEGAN };
  insertInto(db, 'session_v2', { id: 'ses_a', ...of, title: 'Second', time_updated: BEGAN + 9_000 });
  let seq = 0;
  const say = (type: string, at: number, data: object) =>
    insertInto(db, 'session_message', {
      id: `msg_${seq}`,
      session_id: 'ses_a',
      type,
      seq: seq++,
      time_created: BEGAN + at,
      time_updated: BEGAN + at,
      data: { ...data, time: { created: BEGAN + at, ...(data as { time?: object }).time } },
    });
  say('agent-switched', 0, { agent: 'build' });
  say('user', 0, { text: 'Fix it', files: [{ uri: 'file:///work/a.ts', name: 'a.ts' }] });
  const ran = (created: number, from: number, until: number) => ({
    created: BEGAN + created,
    ran: BEGAN + from,
    completed: BEGAN + until,
  });
  const content = [
    { type: 'reasoning', text: 'hm' },
    { type: 'text', text: 'Two at once.' },
    {
      type: 'tool',
      id: 'call_1',
      name: 'shell',
      state: {
        status: 'completed',
        input: { command: 'ls' },
        content: [{ type: 'text', text: 'a.ts' }],
        metadata: { exit: 0 },
      },
      time: ran(900, 1_000, 1_400),
    },
    {
      type: 'tool',
      id: 'call_2',
      name: 'read',
      state: { status: 'error', input: {}, error: { type: 'tool.execution', message: 'No such file' } },
      time: ran(950, 1_050, 1_200),
    },
    {
      type: 'tool',
      id: 'call_3',
      name: 'shell',
      state: { status: 'running', input: {} },
      time: { created: BEGAN + 990 },
    },
  ];
  const tokens = { input: 7, output: 3, reasoning: 0, cache: { read: 0, write: 0 } };
  say('assistant', 500, {
    agent: 'build',
    model: { id: 'm-2', providerID: 'p' },
    content,
    tokens,
    finish: 'tool-calls',
  });
  say('system', 1_500, { text: 'The tools have changed.' });
  say('shell', 2_000, { callID: 'sh_1', command: 'git status', output: 'clean' });
  say('compaction', 3_000, { reason: 'auto', summary: 'What was done', recent: '' });
  say('from-the-future', 3_500, { anything: 1 });
  db.close();
  const { inspection, calls } = await callsOf(file);
  expect(inspection).toMatchObject({ version: '2.0.12', calls: 3 });
  expect(calls.call_1).toMatchObject({ startMs: 1_000, endMs: 1_400, outcome: 'ok' });
  expect(calls.call_2).toMatchObject({ startMs: 1_050, endMs: 1_200, outcome: 'error' });
  expect(calls.call_3).toMatchObject({ outcome: 'unknown', endMs: null });
  const { events, findings, title } = await openTranscript(file);
  expect(title).toBe('Second');
  const words = JSON.stringify(events);
  for (const said of ['Fix it\\n[file a.ts]', '! git status', 'clean', 'The tools have changed.', 'What was done']) {
    expect(words).toContain(said);
  }
  expect(words).not.toContain('as it was before');
  expect(words).toContain('"model":"m-2"');
  expect(findings.map(({ kind, message }) => `${kind}: ${message}`)).toEqual([
    'unknown-kind: 1 × parts of type "from-the-future"; kept as they are, the first one here',
  ]);
});

test('columns and tables that came later cost nothing, nor do missing ones', async () => {
  const db = keep(newDatabase(file, OPENCODE_FIRST));
  db.exec(
    'ALTER TABLE session ADD COLUMN mood text; CREATE TABLE event (id text); ALTER TABLE part DROP COLUMN session_id',
  );
  db.exec('ALTER TABLE session DROP COLUMN version');
  db.exec(
    "INSERT INTO session (id, project_id, slug, directory, title, time_created, time_updated, mood) VALUES ('ses_a', 'p', 's', '/w', 'New', 5, 6, 'fine')",
  );
  insertInto(db, 'message', {
    id: 'm1',
    session_id: 'ses_a',
    time_created: 5,
    time_updated: 5,
    data: { role: 'user' },
  });
  insertInto(db, 'part', {
    id: 'p1',
    message_id: 'm1',
    time_created: 5,
    time_updated: 5,
    data: { type: 'text', text: 'Hi' },
  });
  insertInto(db, 'part', { id: 'p2', message_id: 'm1', time_created: 5, time_updated: 5, data: 'no JSON' });
  db.close();
  const { events, findings } = await openTranscript(file);
  expect(JSON.stringify(events)).toContain('"text":"Hi"');
  expect(findings.map(({ kind }) => kind)).toEqual(['odd-value']);
});

describe('a database that a program is using', () => {
  test('is read with what stands in its log, and not touched', async () => {
    const db = keep(shopOpencode(file));
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    firstOpencode(db).session({ id: 'ses_new', at: 99_000, title: 'In the log alone' });
    firstOpencode(db).message('ses_new', 'msg_99', 99_000, { role: 'user' }, [{ type: 'text', text: 'hi' }]);
    const before = readdirSync(folder);
    const [main, log] = [readFileSync(file), readFileSync(`${file}-wal`)];
    expect((await openTranscript(file)).title).toBe('In the log alone');
    expect(readdirSync(folder)).toEqual(before);
    expect(readFileSync(file).equals(main)).toBe(true);
    expect(readFileSync(`${file}-wal`).equals(log)).toBe(true);
    // The program's own end folds the log into the database, as if nobody had looked.
    db.close();
    expect(readdirSync(folder)).toEqual(['opencode.db']);
  });

  test('and that was closed is read without leaving a log behind', async () => {
    shopOpencode(file).close();
    const { mtimeMs } = statSync(file);
    await openTranscript(file);
    expect(readdirSync(folder)).toEqual(['opencode.db']);
    expect(statSync(file).mtimeMs).toBe(mtimeMs);
  });

  test('is read from its files where they were copied without the shared memory', async () => {
    const db = keep(shopOpencode(file));
    const other = join(folder, 'copy');
    mkdirSync(other);
    copyFileSync(file, join(other, 'opencode.db'));
    copyFileSync(`${file}-wal`, join(other, 'opencode.db-wal'));
    db.close();
    expect((await openTranscript(join(other, 'opencode.db'))).title).toBe('Fix the prices');
    expect(readdirSync(other)).toEqual(['opencode.db', 'opencode.db-wal']);
  });

  test('and holds a lock on is refused in words', async () => {
    const db = keep(shopOpencode(file));
    db.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
    expect((await refusal(file)).what).toBe('is locked by another program');
    db.exec('ROLLBACK');
    expect((await openTranscript(file)).title).toBe('Fix the prices');
  });
});

describe('a damaged database', () => {
  test('without sessions, or of another program, is refused in words', async () => {
    keep(newDatabase(file, OPENCODE_FIRST)).close();
    expect((await refusal(file)).what).toBe('holds no session');
    const other = join(folder, 'other.db');
    keep(newDatabase(other, 'CREATE TABLE t (a)')).close();
    expect((await refusal(other)).what).toBe('is a SQLite database of no known program');
  });

  test('that is nothing but its first bytes is refused in words', async () => {
    shopOpencode(file).close();
    writeFileSync(file, readFileSync(file).subarray(0, 3_000));
    expect((await refusal(file)).what).toBe('is a damaged SQLite database');
  });

  test('gives what can be read of it, and says what cannot', async () => {
    const db = shopOpencode(file);
    const { message } = firstOpencode(db);
    for (let n = 0; n < 400; n++) {
      const parts = [{ type: 'text', text: `line ${n} ${'x'.repeat(200)}` }];
      message('ses_shop', `msg_9${String(n).padStart(3, '0')}`, 10_000 + n, { role: 'user' }, parts);
    }
    db.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE');
    db.close();
    const bytes = readFileSync(file);
    // The last pages hold the rows that were written last.
    bytes.fill(0x5a, bytes.length - 3 * 4_096);
    writeFileSync(file, bytes);
    const { events, findings } = await openTranscript(`${file}#ses_shop`);
    expect(findings.map(({ kind }) => kind)).toContain('damaged-database');
    expect(JSON.stringify(events)).toContain('line 3 ');
  });
});
