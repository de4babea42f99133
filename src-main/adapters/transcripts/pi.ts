import { join } from 'node:path';
import { fieldsOf, textAt } from './common/fields.ts';
import { likenessOf } from './common/likeness.ts';
import type { Importer } from './importer.ts';
import { EntryReader, isPiMessage } from './pi/reader.ts';
import { readOneByOne } from './plain/one-by-one.ts';

const OWN_TYPES = /^(?:model_change|thinking_level_change|compaction|branch_summary|session_info)$/;
const STREAM_TYPES =
  /^(?:agent|turn)_(?:start|end)$|^message_(?:start|update|end)$|^tool_execution_(?:start|update|end)$/;

/** How much one object looks like an entry of a Pi session, 0 to 1. */
function likeness(value: unknown): number {
  const entry = fieldsOf(value);
  const type = textAt(entry, 'type') ?? '';
  if (entry === undefined || 'uuid' in entry || 'sessionId' in entry || 'payload' in entry || 'data' in entry) return 0;
  if (type === 'session') return 'cwd' in entry && 'timestamp' in entry ? 1 : 0;
  if (type === 'message' || /^message_(?:start|end)$/.test(type)) return isPiMessage(entry) ? 1 : 0;
  if (OWN_TYPES.test(type)) return 'timestamp' in entry ? 0.8 : 0;
  return STREAM_TYPES.test(type) ? 0.5 : 0;
}

/** Sessions that Pi keeps under `~/.pi/agent/sessions` (JSONL, a list or a tree), and the events of `pi --mode json`. */
export const pi: Importer = {
  name: 'pi',

  sniff: (head) => likenessOf(head, likeness),

  places: ({ home, env }) => [join(env.PI_CODING_AGENT_DIR || join(home, '.pi', 'agent'), 'sessions')],

  read: (source, options) =>
    readOneByOne(source, options, { format: pi.name, records: 'entries', readerOf: (file) => new EntryReader(file) }),
};
