import { join } from 'node:path';
import { type Fields, fieldsOf, listAt, textAt, timeOf } from './common/fields.ts';
import type { Importer } from './importer.ts';
import { MAIN, type PlainBlock, type PlainCall, type PlainSession, type PlainStep } from './plain/session.ts';
import { plainToReading } from './plain/to-reading.ts';
import { UnknownKinds } from './plain/unknown.ts';
import { asText, inputOf, resultOf, titleFrom } from './plain/values.ts';
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

const contentsOf = (message: Fields | undefined): readonly Fields[] =>
  listAt(message, 'content').flatMap((one) => fieldsOf(one) ?? []) as Fields[];

const isMessage = (fields: Fields | undefined): boolean =>
  (fields?.role === 'user' || fields?.role === 'assistant') &&
  Array.isArray(fields.content) &&
  typeof fields.created === 'number';

/** The first line of an older session, which says what it is. */
const isHead = (fields: Fields | undefined): boolean =>
  fields !== undefined &&
  typeof fields.working_dir === 'string' &&
  ('message_count' in fields || 'conversation' in fields || 'description' in fields);

/** Sessions of goose: an export (one document), or the JSONL files of versions before its database. */
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

  places: ({ home, env }) => [join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'goose', 'sessions')],

  async read(source, options) {
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

function sessionOf(head: Fields | undefined, messages: readonly Fields[]): PlainSession {
  const responses = new Map<string, { readonly response: Fields; readonly at: number | undefined }>();
  for (const message of messages) {
    for (const content of contentsOf(message)) {
      const id = textAt(content, 'id');
      if (content.type === 'toolResponse' && id !== undefined)
        responses.set(id, { response: content, at: timeOf(message.created) });
    }
  }
  const model = textAt(fieldsOf(head?.model_config), 'model_name') ?? 'unknown';
  const steps = messages.flatMap((message) => stepsOf(message, { responses, model }));
  const prompt = steps.flatMap((step) => (step.kind === 'entry' && step.says === 'prompt' ? [step.text] : []))[0];
  return {
    sessionId: textAt(head, 'id'),
    title: titleFrom(textAt(head, 'name') ?? textAt(head, 'description')) ?? titleFrom(prompt),
    cwd: textAt(head, 'working_dir'),
    version: undefined,
    startedAt: timeOf(head?.created_at),
    steps,
    agents: [],
  };
}

type Around = {
  readonly responses: ReadonlyMap<string, { readonly response: Fields; readonly at: number | undefined }>;
  readonly model: string;
};

function stepsOf(message: Fields, { responses, model }: Around): readonly PlainStep[] {
  const at = timeOf(message.created);
  const contents = contentsOf(message);
  if (message.role === 'user') {
    const text = contents
      .map((one) => (one.type === 'text' ? asText(one.text) : ''))
      .filter((one) => one !== '')
      .join('\n');
    // Results come as messages of the user, with nothing a person said in them.
    return text === '' ? [] : [{ kind: 'entry', agent: MAIN, at, text, says: 'prompt', from: 'person' }];
  }
  const blocks = contents.map((content): PlainBlock => {
    const text = textAt(content, 'text') ?? textAt(content, 'thinking');
    if (content.type === 'text') return { kind: 'text', text: text ?? '', at: undefined };
    if (content.type === 'thinking') return { kind: 'thinking', text: text ?? '', at: undefined };
    if (content.type !== 'toolRequest' && content.type !== 'frontendToolRequest')
      return { kind: 'other', raw: content, at: undefined };
    return { kind: 'call', call: callOf(content, at, responses.get(textAt(content, 'id') ?? '')) };
  });
  return [
    {
      kind: 'message',
      agent: MAIN,
      at,
      until: undefined,
      askedAt: undefined,
      id: textAt(message, 'id'),
      model,
      blocks,
      usage: {},
      stopReason: blocks.some((block) => block.kind === 'call') ? 'tool-use' : 'unknown',
      failed: false,
      left: false,
    },
  ];
}

/** Messages are stamped in whole seconds, so both ends lie within one. */
const SECOND = 1000;

function callOf(
  request: Fields,
  at: number | undefined,
  answer: { readonly response: Fields; readonly at: number | undefined } | undefined,
): PlainCall {
  const call = fieldsOf(fieldsOf(request.toolCall)?.value);
  const result = fieldsOf(answer?.response.toolResult);
  const value = fieldsOf(result?.value);
  const failed = result?.status === 'error' || value?.isError === true;
  const shown = result?.error ?? value?.content ?? result?.value;
  const text = asText(shown);
  const declined = failed && /declined|denied/i.test(text);
  const doneAt = answer?.at;
  const known = at !== undefined && doneAt !== undefined && doneAt >= at;
  return {
    id: textAt(request, 'id'),
    tool: textAt(call, 'name') ?? 'unknown tool',
    input: inputOf(call?.arguments),
    askedAt: undefined,
    start: declined ? 'never' : known ? { at, source: 'line-time', earliest: at, latest: doneAt + SECOND } : 'unknown',
    end:
      answer === undefined
        ? 'open'
        : known
          ? { at: doneAt, source: 'line-time', earliest: at, latest: doneAt + SECOND }
          : 'unknown',
    group: 0,
    outcome: answer === undefined ? 'unknown' : declined ? 'rejected' : failed ? 'error' : 'ok',
    exit: undefined,
    refusal: declined ? { by: 'user', text: text.slice(0, 500), feedback: undefined } : undefined,
    cancel: undefined,
    result: answer === undefined ? undefined : resultOf(shown, failed),
    isShell: false,
  };
}
