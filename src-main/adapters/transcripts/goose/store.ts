import { type Fields, fieldsOf, numberAt, textAt, timeOf } from '../common/fields.ts';
import type { ReadOptions } from '../importer.ts';
import { parseJson } from '../json-scan.ts';
import { linkByTime } from '../plain/link-by-time.ts';
import type { PlainAgent, PlainSession, PlainStep } from '../plain/session.ts';
import { readStore, type Store, type StoreRow } from '../store/sqlite-file.ts';
import {
  damageTo,
  noSuchSession,
  type StoredEntry,
  type StoredPlace,
  type StoreFormat,
  untold,
} from '../store/stored.ts';
import { type Head, sessionOf, stepsIn } from './steps.ts';

/** The database of goose, versions 1 to 15 of its tables; a column that came later is absent before. */
export const gooseStore: StoreFormat = {
  fits: (store) =>
    store.has('sessions', ['id', 'working_dir', 'extension_data']) &&
    store.has('messages', ['session_id', 'role', 'content_json']),

  list(store) {
    const columns = {
      session_id: 'session_id',
      newest: 'max(created_timestamp)',
      bytes: 'sum(octet_length(content_json))',
    };
    const sizes = new Map<string, StoreRow>();
    for (const row of store.select({ table: 'messages', columns, groupBy: 'session_id' }, untold)) {
      sizes.set(String(row.session_id), row);
    }
    return store
      .select({ table: 'sessions', columns: SESSION }, untold)
      .flatMap((row) => entryOf(row, sizes.get(String(row.id))));
  },
};

const SESSION = [
  'id',
  'name',
  'description',
  'session_type',
  'working_dir',
  'created_at',
  'updated_at',
  'model_config_json',
  'parent_session_id',
];
const MESSAGE = ['id', 'message_id', 'role', 'content_json', 'created_timestamp', 'metadata_json'];
const LEDGER = [
  'created_timestamp',
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'cost',
  'is_compaction',
];

/** The database writes times of its own as text in UTC, without a zone. */
const columnTime = (value: unknown): number | undefined =>
  timeOf(
    typeof value === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/.test(value) ? `${value.replace(' ', 'T')}Z` : value,
  );

function entryOf(row: StoreRow, size: StoreRow | undefined): readonly StoredEntry[] {
  const sessionId = textAt(row, 'id');
  // A window that was opened and never used leaves a session without a message.
  if (sessionId === undefined || size === undefined) return [];
  return [
    {
      sessionId,
      title: textAt(row, 'name') || textAt(row, 'description') || undefined,
      cwd: textAt(row, 'working_dir'),
      parentId: textAt(row, 'parent_session_id'),
      updatedAt: Math.max(columnTime(row.updated_at) ?? 0, timeOf(size.newest) ?? 0),
      bytes: Number(size.bytes) || 0,
    },
  ];
}

/**
 * A session with the sessions its calls started.
 * @throws TranscriptUnreadable when there is none of this id, or the database cannot be read
 */
export function storedSession(place: StoredPlace, options: ReadOptions): Promise<PlainSession> {
  return readStore(place.file, (store) => {
    const head = headOf(store, place);
    if (head === undefined) {
      throw noSuchSession(place);
    }
    const session = sessionOf(head, messagesOf(store, place, options));
    const { steps, agents } = agentsUnder(store, place, { own: session.steps, options, seen: new Set() });
    return { ...session, steps: [...session.steps, ...steps], agents };
  });
}

function headOf(store: Store, { sessionId }: StoredPlace): Head {
  const selection = { table: 'sessions', columns: SESSION, where: 'id = ?', values: [sessionId] };
  const [row] = store.select(selection, untold);
  if (row === undefined) return undefined;
  const model_config = fieldsOf(parseJson(textAt(row, 'model_config_json') ?? ''));
  return { ...row, model_config, created_at: columnTime(row.created_at) };
}

/** The messages under the names an export has, with what the ledger says each of them used. */
function messagesOf(store: Store, place: StoredPlace, options: ReadOptions): readonly Fields[] {
  const tell = damageTo(place, options);
  const own = { where: 'session_id = ?', values: [place.sessionId] };
  const messages: { created: number | undefined; role: string; usage?: Fields; [key: string]: unknown }[] = [];
  const rows = store.select({ table: 'messages', columns: MESSAGE, ...own }, tell);
  for (const row of [...rows].sort((a, b) => Number(a.id) - Number(b.id))) {
    const text = textAt(row, 'content_json') ?? '';
    options.onBytes(text.length);
    const content = parseJson(text);
    if (!Array.isArray(content)) {
      const message = `The message ${String(row.id)} holds no list and was left out`;
      options.onFinding({ file: place.file, line: 0, kind: 'odd-value', message });
      continue;
    }
    const metadata = parseJson(textAt(row, 'metadata_json') ?? '');
    const created = numberAt(row, 'created_timestamp');
    messages.push({ id: row.message_id, role: String(row.role), created, content, metadata });
  }
  const answers = messages.filter(({ role }) => role === 'assistant');
  for (const row of store.select({ table: 'usage_ledger', columns: LEDGER, ...own }, tell)) {
    const at = timeOf(row.created_timestamp) ?? 0;
    const answer = answers.findLast(({ created }) => (timeOf(created) ?? 0) <= at) ?? answers[0];
    if (answer !== undefined) answer.usage = summed(answer.usage, row);
  }
  return messages;
}

const summed = (usage: Fields | undefined, row: StoreRow): Fields =>
  usage === undefined
    ? row
    : Object.fromEntries(LEDGER.map((key) => [key, (numberAt(usage, key) ?? 0) + (numberAt(row, key) ?? 0)]));

type Around = {
  readonly own: readonly PlainStep[];
  readonly options: ReadOptions;
  /** Sessions that were read already, for parents that go round in a circle. */
  readonly seen: Set<string>;
};
type Agents = { readonly steps: readonly PlainStep[]; readonly agents: readonly PlainAgent[] };

/** Sub-agents are sessions that name their parent, but no call: the time tells which one started them. */
function agentsUnder(store: Store, place: StoredPlace, { own, options, seen }: Around): Agents {
  seen.add(place.sessionId);
  if (!store.columnsOf('sessions').has('parent_session_id')) return { steps: [], agents: [] };
  const selection = { table: 'sessions', columns: SESSION, where: 'parent_session_id = ?', values: [place.sessionId] };
  const steps: PlainStep[] = [];
  const agents: PlainAgent[] = [];
  for (const row of store.select(selection, damageTo(place, options))) {
    const key = String(row.id);
    if (seen.has(key)) continue;
    const child = { ...place, sessionId: key };
    const theirs = stepsIn(headOf(store, child), messagesOf(store, child, options), key);
    const name = textAt(row, 'name') || key;
    agents.push({ ...linkByTime({ key, steps: theirs, startedAt: columnTime(row.created_at) }, own), name });
    const under = agentsUnder(store, child, { own: theirs, options, seen });
    steps.push(...theirs, ...under.steps);
    agents.push(...under.agents);
  }
  return { steps, agents };
}
