import { fieldsOf, listAt, textAt } from '../common/fields.ts';
import type { UnknownKinds } from '../plain/unknown.ts';
import type { ReadValue } from '../read-values.ts';
import { Head, MESSAGE_TYPES, Message } from './records.ts';

/** A message as it was last written, and whether the session went on without it. */
export type KeptMessage = { message: Message; readonly line: number; left: boolean };

/** All that one file of a session says. */
export type SessionFile = { readonly head: Head; readonly messages: readonly KeptMessage[] };

/**
 * Puts a session together from its records. A message is written again when it changes; `$set` changes the head or puts
 * all messages anew, `$rewindTo` leaves what came after a message.
 */
export function sessionFileOf(
  values: readonly ReadValue[],
  file: string,
  unknown: UnknownKinds,
): SessionFile | undefined {
  let head: Head = Head.parse({});
  let known = false;
  const messages = new KeptMessages();
  for (const { value, line } of values) {
    const fields = fieldsOf(value);
    if (fields === undefined) {
      unknown.count('values that are no objects', { file, line });
      continue;
    }
    const set = fieldsOf(fields.$set);
    const rewindTo = textAt(fields, '$rewindTo');
    if (set !== undefined) {
      head = Head.parse({ ...head, ...set });
      if (Array.isArray(set.messages)) messages.replace(set.messages, line);
    } else if (rewindTo !== undefined) {
      messages.rewind(rewindTo);
    } else if (isHead(fields)) {
      head = Head.parse({ ...head, ...fields });
      for (const one of listAt(fields, 'messages')) messages.put(one, line);
    } else if (MESSAGE_TYPES.has(textAt(fields, 'type') ?? '')) {
      messages.put(fields, line);
    } else {
      unknown.count(`records of type "${textAt(fields, 'type') ?? 'none'}"`, { file, line });
      continue;
    }
    known = true;
  }
  return known ? { head, messages: messages.all() } : undefined;
}

export const isHead = (fields: Readonly<Record<string, unknown>>): boolean =>
  'sessionId' in fields && !('messageId' in fields) && ('projectHash' in fields || Array.isArray(fields.messages));

class KeptMessages {
  #list: KeptMessage[] = [];
  readonly #byId = new Map<string, KeptMessage>();

  put(value: unknown, line: number): void {
    const parsed = Message.safeParse(value);
    if (!parsed.success) return;
    const message = parsed.data;
    const known = message.id === undefined ? undefined : this.#byId.get(message.id);
    if (known !== undefined) {
      known.message = { ...known.message, ...message };
      known.left = false;
      return;
    }
    const kept: KeptMessage = { message, line, left: false };
    this.#list.push(kept);
    if (message.id !== undefined) this.#byId.set(message.id, kept);
  }

  /** All messages anew: those that are missing were left. */
  replace(values: readonly unknown[], line: number): void {
    for (const kept of this.#list) kept.left = true;
    for (const value of values) this.put(value, line);
  }

  rewind(id: string): void {
    const at = this.#list.findIndex((kept) => kept.message.id === id);
    if (at === -1) return;
    for (const kept of this.#list.slice(at + 1)) kept.left = true;
  }

  all(): readonly KeptMessage[] {
    return this.#list;
  }
}
