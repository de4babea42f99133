import { basename, dirname, isAbsolute, join } from 'node:path';
import { fieldsOf, textAt } from './common/fields.ts';
import type { Importer, ReadOptions, TranscriptSource } from './importer.ts';
import { agentsUnder, type SessionTree } from './opencode/agents.ts';
import { childrenOf, exportOf, readStored, type SessionParts } from './opencode/read-storage.ts';
import { stepsOf } from './opencode/steps.ts';
import { messageFiles, partFiles, rootOf, type StoredSession, sessionsIn, storageRoot } from './opencode/storage.ts';
import { opencodeStore, storedTree } from './opencode/store.ts';
import { MAIN, type PlainAgent, type PlainSession, type PlainStep } from './plain/session.ts';
import { plainToReading } from './plain/to-reading.ts';
import { UnknownKinds } from './plain/unknown.ts';
import { titleFrom } from './plain/values.ts';
import { readValues } from './read-values.ts';

/** How much one object looks like a file or an export of OpenCode, 0 to 1. */
function likeness(value: unknown): number {
  const fields = fieldsOf(value);
  if (fields === undefined) return 0;
  const info = fieldsOf(fields.info);
  if (info !== undefined && Array.isArray(fields.messages)) {
    const [first] = fields.messages;
    return first === undefined || 'parts' in (fieldsOf(first) ?? {}) ? 0.95 : 0;
  }
  const time = fieldsOf(fields.time);
  const isSession = 'directory' in fields && 'id' in fields && typeof time?.created === 'number';
  if (isSession) return 'projectID' in fields || 'version' in fields ? 0.9 : 0.6;
  const role = textAt(fields, 'role');
  if ('sessionID' in fields && (role === 'user' || role === 'assistant')) return 0.9;
  return 'messageID' in fields && 'type' in fields ? 0.8 : 0;
}

/**
 * Sessions of OpenCode: its storage folder of sessions, messages and parts (up to 1.1), the database that has them since,
 * and what `opencode export` writes.
 */
export const opencode: Importer = {
  name: 'opencode',

  // One file holds one object, so more of them are something else.
  sniff: (head) => (head.length === 1 ? likeness(head[0]) : 0),

  places: ({ home, env }) => {
    const data = join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'opencode');
    const named = env.OPENCODE_DB !== undefined && isAbsolute(env.OPENCODE_DB) ? [env.OPENCODE_DB] : [];
    return [...named, join(data, 'opencode.db'), join(data, 'storage', 'session')];
  },

  store: opencodeStore,

  // Messages, parts of them, and sessions that another one started.
  isPart: ([first]) => {
    const fields = fieldsOf(first);
    return ['sessionID', 'messageID'].some((key) => key in (fields ?? {})) || textAt(fields, 'parentID') !== undefined;
  },

  async sourceOf(main, { path }) {
    const stored = await storedSession(main);
    return stored === undefined ? { path, main, agentFiles: [], resultFolders: [] } : sourceOfStored(stored, path);
  },

  async sessionsIn(folder) {
    const root = await storageRoot(folder);
    if (root === undefined) return [];
    const all = await sessionsIn(root);
    const known = new Set(all.map(({ sessionId }) => sessionId));
    const sources: TranscriptSource[] = [];
    for (const stored of all) {
      const parent = textAt(fieldsOf(stored.info && (await readQuietly(stored.info))[0]?.value), 'parentID');
      // Sub-agents are read with the session that started them.
      if (parent !== undefined && known.has(parent)) continue;
      sources.push({ path: folder, main: await mainOf(stored), agentFiles: [], resultFolders: [] });
    }
    return sources;
  },

  async read(source, options) {
    const plain = await sessionOf(source, options);
    return plainToReading(plain, { format: opencode.name, source });
  },
};

/** The session's own file, or a message of it where that is gone. */
const mainOf = async (stored: StoredSession): Promise<string> =>
  stored.info ?? (await messageFiles(stored.root, stored.sessionId))[0] ?? messagesOf(stored);

const messagesOf = ({ root, sessionId }: StoredSession): string => join(root, 'message', sessionId);

/** The session that a file of a session, a message or a part belongs to, or that a folder of messages is. */
async function storedSession(main: string): Promise<StoredSession | undefined> {
  const root = await rootOf(main);
  if (root === undefined) return undefined;
  const all = await sessionsIn(root);
  const inside = (folder: string) => main === folder || dirname(main) === folder;
  const own = all.find((one) => one.info === main || inside(messagesOf(one)));
  if (own !== undefined) return own;
  const [value] = await readQuietly(main);
  const fields = fieldsOf(value?.value);
  const named = all.find((one) => one.sessionId === textAt(fields, 'sessionID'));
  if (named !== undefined) return named;
  const messageId = textAt(fields, 'messageID') ?? basename(dirname(main));
  for (const one of all) {
    for (const file of await messageFiles(root, one.sessionId)) {
      if (
        basename(file) === `${messageId}.json` ||
        textAt(fieldsOf((await readQuietly(file))[0]?.value), 'id') === messageId
      )
        return one;
    }
  }
  return undefined;
}

const readQuietly = (file: string) =>
  readValues(file, { signal: new AbortController().signal, onBytes: () => {}, onFinding: () => {} }).catch(() => []);

async function sourceOfStored(stored: StoredSession, path: string): Promise<TranscriptSource> {
  const messages = await messageFiles(stored.root, stored.sessionId);
  const parts: string[] = [];
  for (const file of messages) parts.push(...(await partFiles(stored.root, basename(file).replace(/\.json$/, ''))));
  const main = await mainOf(stored);
  return { path, main, agentFiles: [], resultFolders: [], partFiles: [...messages, ...parts] };
}

async function sessionOf(source: TranscriptSource, options: ReadOptions): Promise<PlainSession> {
  const file = source.main ?? source.path;
  const unknown = new UnknownKinds();
  const tree = await treeOf(source, file, options);
  const { session } = tree;
  const own = stepsOf(session.messages, { agent: MAIN, unknown, file: session.file });
  const { steps, agents } = agentsUnder(tree, own, unknown);
  unknown.tell(options.onFinding);
  return plainOf(session, [...own, ...steps], agents);
}

async function treeOf(source: TranscriptSource, file: string, options: ReadOptions): Promise<SessionTree> {
  if (source.stored !== undefined) return storedTree(source.stored, options);
  const stored = await storedSession(file);
  if (stored !== undefined) return fileTree(stored, options, 0);
  const values = await readValues(file, options);
  const exported = values.map(({ value }) => exportOf(value, file)).find((one) => one !== undefined);
  const session = exported ?? { info: {}, messages: loose(values.map(({ value }) => value)), file };
  return { key: session.info.id ?? MAIN, session, children: [] };
}

/** Agents of agents of agents are more than was seen; deeper is a circle. */
const MOST_DEPTH = 8;

/** Sub-agents are sessions of their own that name their parent. */
async function fileTree(stored: StoredSession, options: ReadOptions, depth: number): Promise<SessionTree> {
  const session = await readStored(stored, options);
  const key = session.info.id ?? stored.sessionId;
  const children: SessionTree[] = [];
  for (const child of depth < MOST_DEPTH ? await childrenOf(stored, key, options) : []) {
    children.push(await fileTree(child, options, depth + 1));
  }
  return { key, session, children };
}

/** A message or a part that was opened by itself and has no session around it. */
function loose(values: readonly unknown[]) {
  return values.flatMap((value) => {
    const asMessage = exportOf({ messages: [{ info: value, parts: [] }] }, '');
    const fields = fieldsOf(value);
    if ('messageID' in (fields ?? {})) {
      const info = { id: textAt(fields, 'messageID'), role: 'assistant', time: fields?.time };
      return exportOf({ messages: [{ info, parts: [value] }] }, '')?.messages ?? [];
    }
    return asMessage?.messages ?? [];
  });
}

function plainOf({ info }: SessionParts, steps: readonly PlainStep[], agents: readonly PlainAgent[]): PlainSession {
  return {
    sessionId: info.id,
    title: titleFrom(info.title) ?? titleFrom(steps.find((step) => step.kind === 'entry')?.text),
    cwd: info.directory,
    version: info.version,
    startedAt: info.time?.created,
    steps,
    agents,
  };
}
