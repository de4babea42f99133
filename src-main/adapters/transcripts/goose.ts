import { join } from 'node:path';
import { type Fields, fieldsOf, listAt } from './common/fields.ts';
import { contentsOf, sessionOf } from './goose/steps.ts';
import { gooseStore, storedSession } from './goose/store.ts';
import type { Importer } from './importer.ts';
import { plainToReading } from './plain/to-reading.ts';
import { UnknownKinds } from './plain/unknown.ts';
import { readValues } from './read-values.ts';

/** Kinds of content that no other program writes. */
const OWN_KINDS: ReadonlySet<string> = new Set([
  'toolRequest',
  'toolResponse',
  'actionRequired',
  'frontendToolRequest',
  'systemNotification',
  'redactedThinking',
]);

const isMessage = (fields: Fields | undefined): boolean =>
  (fields?.role === 'user' || fields?.role === 'assistant') &&
  Array.isArray(fields.content) &&
  typeof fields.created === 'number';

/** The first line of an older session, which says what it is. */
const isHead = (fields: Fields | undefined): boolean =>
  fields !== undefined &&
  typeof fields.working_dir === 'string' &&
  ('message_count' in fields || 'conversation' in fields || 'description' in fields);

/** Sessions of goose: its database, an export (one document), or the JSONL files of versions before both. */
export const goose: Importer = {
  name: 'goose',

  sniff(head) {
    const values = head.map(fieldsOf);
    const [first] = values;
    if (isHead(first) && (Array.isArray(first?.conversation) || values.length === 1 || values.slice(1).some(isMessage)))
      return 0.95;
    const own = values.filter(
      (one) => isMessage(one) && contentsOf(one).some(({ type }) => OWN_KINDS.has(String(type))),
    ).length;
    return own === 0 ? 0 : 0.6 + (0.3 * own) / values.length;
  },

  places: ({ home, env }) => {
    const own = env.GOOSE_PATH_ROOT ? join(env.GOOSE_PATH_ROOT, 'data') : undefined;
    const folder = own ?? join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'goose');
    return [join(folder, 'sessions')];
  },

  store: gooseStore,

  async read(source, options) {
    if (source.stored !== undefined) {
      return plainToReading(await storedSession(source.stored, options), { format: goose.name, source });
    }
    const file = source.main ?? source.path;
    const unknown = new UnknownKinds();
    const values = (await readValues(file, options)).map(({ value, line }) => ({ fields: fieldsOf(value), line }));
    const head = values.find(({ fields }) => isHead(fields))?.fields;
    const messages = [
      ...listAt(head, 'conversation').flatMap((one) => fieldsOf(one) ?? []),
      ...values.map(({ fields }) => fields),
    ].filter((one): one is Fields => isMessage(one as Fields));
    for (const { fields, line } of values) {
      if (!isMessage(fields) && !isHead(fields)) unknown.count('records of another kind', { file, line });
    }
    const session = sessionOf(head, messages);
    unknown.tell(options.onFinding);
    return plainToReading(session, { format: goose.name, source });
  },
};
