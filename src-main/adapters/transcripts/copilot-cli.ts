import { join } from 'node:path';
import { fieldsOf, textAt } from './common/fields.ts';
import { likenessOf } from './common/likeness.ts';
import { EventReader } from './copilot-cli/reader.ts';
import type { Importer } from './importer.ts';
import { readOneByOne } from './plain/one-by-one.ts';

const FAMILIES = /^(?:session|assistant|tool|hook|permission|subagent|system|user|skill|pending_messages)\.[a-z_]+$/;

/** How much one object looks like an event of Copilot CLI, 0 to 1. */
function likeness(value: unknown): number {
  const event = fieldsOf(value);
  const type = textAt(event, 'type') ?? '';
  if (event === undefined || fieldsOf(event.data) === undefined) return 0;
  if (!FAMILIES.test(type) && type !== 'abort') return 0;
  return 'parentId' in event ? 1 : 'id' in event || 'timestamp' in event ? 0.7 : 0.3;
}

/** Sessions that GitHub Copilot CLI keeps under `~/.copilot/session-state` (JSONL of events). */
export const copilotCli: Importer = {
  name: 'copilot-cli',

  sniff: (head) => likenessOf(head, likeness),

  places: ({ home, env }) => [join(env.XDG_STATE_HOME || home, '.copilot', 'session-state')],

  read: (source, options) =>
    readOneByOne(source, options, {
      format: copilotCli.name,
      records: 'events',
      readerOf: (file) => new EventReader(file),
    }),
};
