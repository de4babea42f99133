import { fieldsOf, numberAt, textAt } from '../common/fields.ts';
import type { ReadOptions } from '../importer.ts';
import { parseJson } from '../json-scan.ts';
import { readStore, type Store, type StoreRow } from '../store/sqlite-file.ts';
import {
  damageTo,
  noSuchSession,
  type StoredEntry,
  type StoredPlace,
  type StoreFormat,
  untold,
} from '../store/stored.ts';
import type { SessionTree } from './agents.ts';
import type { SessionParts } from './read-storage.ts';
import { Message, Part, Session } from './records.ts';
import { messageOfRow } from './second-store.ts';
import type { WithParts } from './steps.ts';

/**
 * The database of OpenCode. Version 1.2 keeps the records it had in files, in `session`, `message` and `part`: ids stand in
 * columns, all else as JSON in `data`. Version 2 keeps a message whole, in `session_message` of `session_v2`, and leaves the
 * older tables as they were.
 */
export const opencodeStore: StoreFormat = {
  fits: (store) => hasFirst(store) || hasSecond(store),

  list(store) {
    const sizes = new Map<string, Size>();
    const entries = new Map<string, StoredEntry>();
    for (const table of ['message', 'part', 'session_message']) addSizes(store, table, sizes);
    for (const table of ['session', 'session_v2']) {
      for (const row of store.select({ table, columns: SESSION }, untold)) {
        const entry = entryOf(row, sizes);
        if (entry !== undefined) entries.set(entry.sessionId, entry);
      }
    }
    return [...entries.values()];
  },
};

const SESSION = ['id', 'project_id', 'parent_id', 'directory', 'title', 'version', 'time_created', 'time_updated'];

const hasFirst = (store: Store): boolean =>
  store.has('session', ['id', 'directory', 'time_created']) &&
  store.has('message', ['id', 'session_id', 'data']) &&
  store.has('part', ['message_id', 'data']);
const hasSecond = (store: Store): boolean =>
  store.has('session_v2', ['id', 'directory']) && store.has('session_message', ['session_id', 'type', 'data']);

type Size = { readonly updatedAt: number; readonly bytes: number };

function addSizes(store: Store, table: string, sizes: Map<string, Size>): void {
  const there = store.columnsOf(table);
  if (!there.has('session_id') || !there.has('data')) return;
  const columns = {
    session_id: 'session_id',
    updated: there.has('time_updated') ? 'max(time_updated)' : '0',
    bytes: 'sum(octet_length(data))',
  };
  for (const row of store.select({ table, columns, groupBy: 'session_id' }, untold)) {
    const id = String(row.session_id);
    const before = sizes.get(id);
    sizes.set(id, {
      updatedAt: Math.max(before?.updatedAt ?? 0, Number(row.updated) || 0),
      bytes: (before?.bytes ?? 0) + (Number(row.bytes) || 0),
    });
  }
}

function entryOf(row: StoreRow, sizes: ReadonlyMap<string, Size>): StoredEntry | undefined {
  const sessionId = textAt(row, 'id');
  if (sessionId === undefined) return undefined;
  const size = sizes.get(sessionId);
  return {
    sessionId,
    title: textAt(row, 'title'),
    cwd: textAt(row, 'directory'),
    parentId: textAt(row, 'parent_id'),
    updatedAt: Math.max(numberAt(row, 'time_updated') ?? 0, size?.updatedAt ?? 0),
    bytes: size?.bytes ?? 0,
  };
}

/**
 * A session with the sessions it started.
 * @throws TranscriptUnreadable when there is none of this id, or the database cannot be read
 */
export function storedTree(place: StoredPlace, options: ReadOptions): Promise<SessionTree> {
  return readStore(place.file, (store) => {
    const tree = treeIn(store, place, options, new Set());
    if (tree !== undefined) return tree;
    throw noSuchSession(place);
  });
}

/** `seen`: sessions that were read already, for parents that go round in a circle. */
function treeIn(store: Store, place: StoredPlace, options: ReadOptions, seen: Set<string>): SessionTree | undefined {
  const key = place.sessionId;
  seen.add(key);
  const session = sessionIn(store, place, options);
  if (session === undefined) return undefined;
  const children = childIds(store, key)
    .filter((id) => !seen.has(id))
    .flatMap((sessionId) => treeIn(store, { ...place, sessionId }, options, seen) ?? []);
  return { key, session, children };
}

function sessionIn(store: Store, place: StoredPlace, options: ReadOptions): SessionParts | undefined {
  const tell = damageTo(place, options);
  const byId = { where: 'id = ?', values: [place.sessionId] };
  const [row] = ['session_v2', 'session'].flatMap((table) => store.select({ table, columns: SESSION, ...byId }, tell));
  if (row === undefined) return undefined;
  const second = secondMessages(store, place, tell, options);
  const messages = second.length > 0 ? second : firstMessages(store, place, tell, options);
  return { info: infoOf(row), messages, file: place.file };
}

/** Sessions that name this one as their parent, oldest first. */
function childIds(store: Store, sessionId: string): readonly string[] {
  const rows = ['session', 'session_v2'].flatMap((table) =>
    store.columnsOf(table).has('parent_id')
      ? store.select({ table, columns: ['id', 'time_created'], where: 'parent_id = ?', values: [sessionId] }, untold)
      : [],
  );
  return [...new Set(byTime(rows).flatMap((row) => textAt(row, 'id') ?? []))];
}

const infoOf = (row: StoreRow): Session =>
  Session.parse({
    id: row.id,
    title: row.title,
    directory: row.directory,
    version: row.version,
    parentID: row.parent_id,
    projectID: row.project_id,
    time: { created: row.time_created, updated: row.time_updated },
  });

type Tell = (why: string) => void;

/** Ids rise with time, and rows of one moment are in the order of their ids. */
const byTime = (rows: readonly StoreRow[]): readonly StoreRow[] =>
  [...rows].sort(
    (a, b) =>
      (numberAt(a, 'seq') ?? 0) - (numberAt(b, 'seq') ?? 0) ||
      (numberAt(a, 'time_created') ?? 0) - (numberAt(b, 'time_created') ?? 0) ||
      (String(a.id) < String(b.id) ? -1 : 1),
  );

const ofSession = ({ sessionId }: StoredPlace) => ({ where: 'session_id = ?', values: [sessionId] });

function dataOf(row: StoreRow, place: StoredPlace, options: ReadOptions) {
  const text = textAt(row, 'data') ?? '';
  options.onBytes(text.length);
  const data = fieldsOf(parseJson(text));
  if (data === undefined) {
    const message = `The row ${String(row.id)} holds no JSON object and was left out`;
    options.onFinding({ file: place.file, line: 0, kind: 'odd-value', message });
  }
  return data;
}

function firstMessages(store: Store, place: StoredPlace, tell: Tell, options: ReadOptions): readonly WithParts[] {
  const partsOf = new Map<string, Part[]>();
  const messages: WithParts[] = [];
  const columns = ['id', 'time_created', 'data'];
  for (const row of byTime(store.select({ table: 'message', columns, ...ofSession(place) }, tell))) {
    const data = dataOf(row, place, options);
    if (data === undefined) continue;
    const id = String(row.id);
    const parts: Part[] = [];
    partsOf.set(id, parts);
    // A time in the record is when it happened; the column's when it was written.
    const time = data.time ?? { created: row.time_created };
    messages.push({ info: Message.parse({ ...data, time, id, sessionID: place.sessionId }), parts });
  }
  const own = store.columnsOf('part').has('session_id')
    ? ofSession(place)
    : { where: 'message_id IN (SELECT id FROM message WHERE session_id = ?)', values: [place.sessionId] };
  const rows = store.select({ table: 'part', columns: ['id', 'message_id', 'data'], ...own }, tell);
  for (const row of [...rows].sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1))) {
    const data = dataOf(row, place, options);
    if (data === undefined) continue;
    const messageID = String(row.message_id);
    const part = Part.parse({ ...data, id: row.id, messageID, sessionID: place.sessionId });
    partsOf.get(messageID)?.push(part);
  }
  return messages;
}

function secondMessages(store: Store, place: StoredPlace, tell: Tell, options: ReadOptions): readonly WithParts[] {
  if (!store.columnsOf('session_message').has('type')) return [];
  const columns = ['id', 'type', 'seq', 'time_created', 'data'];
  const rows = store.select({ table: 'session_message', columns, ...ofSession(place) }, tell);
  return byTime(rows).flatMap((row) => {
    const data = dataOf(row, place, options);
    return data === undefined ? [] : messageOfRow(row, data);
  });
}
