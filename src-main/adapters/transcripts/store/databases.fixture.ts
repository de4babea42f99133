import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';

/*
 * Databases as the programs make them: tables and columns are theirs (OpenCode 1.2 to 1.18 and 2.0, goose's tables of
 * version 15), the sessions are made up. Nothing is prepared, since the binding closes a connection only without statements.
 */

/** Wall ms at which all made-up sessions begin. */
export const BEGAN = Date.UTC(2026, 2, 4, 10, 0, 0);

const quoted = (value: unknown): string => {
  if (value === undefined || value === null) return 'NULL';
  if (typeof value === 'number') return String(value);
  return `'${(typeof value === 'string' ? value : JSON.stringify(value)).replaceAll("'", "''")}'`;
};

export const insertInto = (db: DatabaseSyncInstance, table: string, row: Readonly<Record<string, unknown>>): void =>
  db.exec(
    `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.values(row).map(quoted).join(', ')})`,
  );

/** A database in the mode both programs use. The caller closes it. */
export function newDatabase(file: string, tables: string): DatabaseSyncInstance {
  const db = new DatabaseSync(file);
  db.exec(`PRAGMA journal_mode = WAL; ${tables}`);
  return db;
}

const SESSION_COLUMNS = `id text PRIMARY KEY, project_id text NOT NULL, workspace_id text, parent_id text,
  slug text NOT NULL, directory text NOT NULL, path text, title text NOT NULL, version text NOT NULL, share_url text,
  summary_additions integer, summary_deletions integer, summary_files integer, summary_diffs text, revert text,
  permission text, agent text, model text, time_created integer NOT NULL, time_updated integer NOT NULL,
  time_compacting integer, time_archived integer`;

export const OPENCODE_FIRST = `
  CREATE TABLE project (id text PRIMARY KEY, worktree text NOT NULL, sandboxes text NOT NULL);
  CREATE TABLE session (${SESSION_COLUMNS});
  CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL REFERENCES session(id) ON DELETE CASCADE,
    time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
  CREATE INDEX message_session_time_created_id_idx ON message (session_id, time_created, id);
  CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL REFERENCES message(id) ON DELETE CASCADE,
    session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
  CREATE INDEX part_message_id_id_idx ON part (message_id, id);
  CREATE TABLE todo (session_id text NOT NULL, content text NOT NULL, status text NOT NULL, priority text NOT NULL,
    position integer NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL);`;

export const OPENCODE_SECOND = `
  CREATE TABLE session_v2 (${SESSION_COLUMNS}, fork_session_id text, fork_boundary text, metadata text,
    cost real DEFAULT 0 NOT NULL, tokens_input integer DEFAULT 0 NOT NULL, time_suspended integer, idle_outcome text);
  CREATE TABLE session_message (id text PRIMARY KEY, session_id text NOT NULL, type text NOT NULL, seq integer NOT NULL,
    time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);`;

export const GOOSE = `
  CREATE TABLE schema_version (version INTEGER PRIMARY KEY, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP);
  CREATE TABLE sessions (id TEXT PRIMARY KEY, name TEXT NOT NULL DEFAULT '', description TEXT NOT NULL DEFAULT '',
    user_set_name BOOLEAN DEFAULT FALSE, session_type TEXT NOT NULL DEFAULT 'user', working_dir TEXT NOT NULL,
    created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
    extension_data TEXT DEFAULT '{}', total_tokens INTEGER, input_tokens INTEGER, output_tokens INTEGER,
    accumulated_cost REAL, schedule_id TEXT, recipe_json TEXT, provider_name TEXT, model_config_json TEXT,
    goose_mode TEXT NOT NULL DEFAULT 'auto', thread_id TEXT, archived_at TIMESTAMP, project_id TEXT,
    parent_session_id TEXT);
  CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT, session_id TEXT NOT NULL
    REFERENCES sessions(id), role TEXT NOT NULL, content_json TEXT NOT NULL, created_timestamp INTEGER NOT NULL,
    timestamp TIMESTAMP DEFAULT CURRENT_TIMESTAMP, tokens INTEGER, metadata_json TEXT);
  CREATE TABLE usage_ledger (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, created_timestamp INTEGER
    NOT NULL, model TEXT, input_tokens INTEGER, output_tokens INTEGER, total_tokens INTEGER, cache_read_tokens INTEGER,
    cache_write_tokens INTEGER, cost REAL, cost_source TEXT, is_compaction INTEGER DEFAULT 0);`;

type SessionRow = { readonly id: string; readonly at: number; readonly title?: string; readonly parent?: string };

const sessionRow = ({ id, at, title, parent }: SessionRow) => ({
  id,
  project_id: 'global',
  parent_id: parent,
  slug: 'calm-otter',
  directory: '/work/shop',
  title: title ?? id,
  version: '1.2.6',
  time_created: BEGAN + at,
  time_updated: BEGAN + at,
});

/** Writes sessions of OpenCode 1.2 and later. Moments are ms since the beginning. */
export function firstOpencode(db: DatabaseSyncInstance) {
  let n = 0;
  const stamped = (at: number) => ({ time_created: BEGAN + at, time_updated: BEGAN + at });
  return {
    session: (row: SessionRow) => insertInto(db, 'session', sessionRow(row)),
    message(session: string, id: string, at: number, data: object, parts: readonly object[]): void {
      insertInto(db, 'message', {
        id,
        session_id: session,
        ...stamped(at),
        data: { time: { created: BEGAN + at }, ...data },
      });
      for (const data of parts) {
        const partId = `prt_${id}_${String(n++).padStart(4, '0')}`;
        insertInto(db, 'part', { id: partId, message_id: id, session_id: session, ...stamped(at), data });
      }
    },
  };
}

/** A call of OpenCode 1, from when to when it ran. */
export const toolPart = (callID: string, tool: string, from: number, until: number | undefined, state: object) => ({
  type: 'tool',
  callID,
  tool,
  state: {
    status: 'completed',
    input: {},
    title: '',
    metadata: {},
    time: { start: BEGAN + from, ...(until === undefined ? {} : { end: BEGAN + until }) },
    ...state,
  },
});

/** A session with a sub-agent, a failed, a refused and an aborted call, and another one that is older. */
export function shopOpencode(file: string): DatabaseSyncInstance {
  const db = newDatabase(file, OPENCODE_FIRST);
  const { session, message } = firstOpencode(db);
  session({ id: 'ses_old', at: -60_000, title: 'Old one' });
  message('ses_old', 'msg_00', -60_000, { role: 'user' }, [{ type: 'text', text: 'Say hello' }]);
  session({ id: 'ses_shop', at: 0, title: 'Fix the prices' });
  message('ses_shop', 'msg_01', 0, { role: 'user', agent: 'build' }, [{ type: 'text', text: 'Fix the rounding' }]);
  const answer = { role: 'assistant', modelID: 'm-1', providerID: 'p', cost: 0.25, finish: 'tool-calls' };
  const tokens = { input: 10, output: 4, reasoning: 1, cache: { read: 90, write: 0 } };
  message('ses_shop', 'msg_02', 500, { ...answer, tokens }, [
    { type: 'step-start' },
    { type: 'text', text: 'I look and ask.', time: { start: BEGAN + 600, end: BEGAN + 700 } },
    toolPart('call_read', 'read', 1_000, 1_250, { output: 'price.ts', input: { filePath: 'price.ts' } }),
    toolPart('call_task', 'task', 1_100, 5_000, { output: 'done', metadata: { sessionId: 'ses_sub' } }),
    toolPart('call_bash', 'bash', 1_200, 1_900, { status: 'error', error: 'Command failed', metadata: { exit: 2 } }),
    { type: 'step-finish' },
  ]);
  message(
    'ses_shop',
    'msg_03',
    5_500,
    { ...answer, error: { name: 'MessageAbortedError', data: { message: 'Stop' } } },
    [
      toolPart('call_edit', 'edit', 6_000, 6_100, { status: 'error', error: 'The user rejected permission to use it' }),
      toolPart('call_long', 'bash', 6_200, undefined, { status: 'running' }),
    ],
  );
  session({ id: 'ses_sub', at: 1_150, parent: 'ses_shop', title: 'Explore' });
  message('ses_sub', 'msg_04', 1_200, { role: 'user' }, [{ type: 'text', text: 'Look around' }]);
  message('ses_sub', 'msg_05', 1_300, answer, [toolPart('call_glob', 'glob', 2_000, 2_010, { output: 'a.ts' })]);
  return db;
}
