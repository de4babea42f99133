import { basename, dirname } from 'node:path';
import { fieldsOf } from '../common/fields.ts';
import type { ReadOptions } from '../importer.ts';
import { readValues } from '../read-values.ts';
import { Message, Part, Session } from './records.ts';
import type { WithParts } from './steps.ts';
import { flatPartFiles, messageFiles, partFiles, type StoredSession, sessionsIn } from './storage.ts';

/** A session with its messages, however they were kept. */
export type SessionParts = { readonly info: Session; readonly messages: readonly WithParts[]; readonly file: string };

/** The one object of a small file; undefined, with a finding, where there is none. */
async function objectIn(file: string, options: ReadOptions): Promise<unknown> {
  const [first] = await readValues(file, options);
  const fields = fieldsOf(first?.value);
  if (fields === undefined) {
    options.onFinding({ file, line: 1, kind: 'odd-value', message: 'The file holds no object and was left out' });
  }
  return fields;
}

export async function readStored(stored: StoredSession, options: ReadOptions): Promise<SessionParts> {
  const { root, sessionId } = stored;
  const info = Session.parse((stored.info === undefined ? undefined : await objectIn(stored.info, options)) ?? {});
  const messages: { info: Message; parts: Part[] }[] = [];
  const byId = new Map<string, Part[]>();
  for (const file of await messageFiles(root, sessionId)) {
    options.signal.throwIfAborted();
    const value = await objectIn(file, options);
    if (value === undefined) continue;
    const message = Message.parse(value);
    const id = message.id ?? basename(file).replace(/\.json$/, '');
    const parts: Part[] = [];
    byId.set(id, parts);
    messages.push({ info: { ...message, id }, parts });
    for (const partFile of await partFiles(root, id)) {
      const part = await objectIn(partFile, options);
      if (part !== undefined) parts.push(Part.parse(part));
    }
  }
  for (const file of await flatPartFiles(root)) {
    options.signal.throwIfAborted();
    const part = Part.parse((await objectIn(file, options)) ?? {});
    byId.get(part.messageID ?? '')?.push(part);
  }
  // Ids rise with time; files of older versions are numbered.
  messages.sort((a, b) => (a.info.time?.created ?? 0) - (b.info.time?.created ?? 0));
  return { info: { ...info, id: info.id ?? sessionId }, messages, file: stored.info ?? root };
}

/** Sessions that a session's calls started: they name it as their parent. */
export async function childrenOf(
  stored: StoredSession,
  parentId: string,
  options: ReadOptions,
): Promise<readonly StoredSession[]> {
  const children: StoredSession[] = [];
  for (const other of await sessionsIn(stored.root)) {
    // Children lie in the folder of the same project.
    if (other.info === undefined || stored.info === undefined) continue;
    if (other.info === stored.info || dirname(other.info) !== dirname(stored.info)) continue;
    const quiet = { ...options, onBytes: () => {}, onFinding: () => {} };
    const session = Session.safeParse((await readValues(other.info, quiet))[0]?.value);
    if (session.success && session.data.parentID === parentId) children.push(other);
  }
  return children;
}

/** What `opencode export` writes: `{info, messages: [{info, parts}]}`. */
export function exportOf(value: unknown, file: string): SessionParts | undefined {
  const fields = fieldsOf(value);
  if (!Array.isArray(fields?.messages)) return undefined;
  const messages = fields.messages.flatMap((one): WithParts[] => {
    const entry = fieldsOf(one);
    const info = Message.safeParse(entry?.info);
    if (!info.success) return [];
    const parts = Array.isArray(entry?.parts) ? entry.parts : [];
    return [{ info: info.data, parts: parts.flatMap((part) => (fieldsOf(part) ? [Part.parse(part)] : [])) }];
  });
  return { info: Session.safeParse(fields.info).data ?? Session.parse({}), messages, file };
}
