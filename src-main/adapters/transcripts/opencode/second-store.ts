import { type Fields, fieldsOf, listAt, numberAt, textAt } from '../common/fields.ts';
import type { StoreRow } from '../store/sqlite-file.ts';
import { Message, Part } from './records.ts';
import type { WithParts } from './steps.ts';

/** Rows that say nothing a person or a model did. */
const INERT: ReadonlySet<string> = new Set(['agent-switched', 'model-switched', 'location-switched', 'idle']);

/** A row of `session_message`, as version 2 keeps a message, in the words of the versions before. */
export function messageOfRow(row: StoreRow, data: Fields): readonly WithParts[] {
  const type = String(row.type);
  const time = data.time ?? { created: row.time_created };
  const base = { id: row.id, sessionID: row.session_id, time };
  if (type === 'assistant') return [answerOf(data, base)];
  if (type === 'shell') return [shellOf(data, base)];
  if (INERT.has(type)) return [];
  const said = { type: 'text', text: data.text, synthetic: type !== 'user' };
  const parts: object[] =
    type === 'compaction' ? [{ type }, { ...said, text: data.summary ?? data.text }] : [said, ...filesOf(data)];
  const known = ['user', 'system', 'synthetic', 'compaction'].includes(type) ? parts : [{ ...data, type }];
  const role = known === parts ? 'user' : 'assistant';
  return [{ info: Message.parse({ ...base, role }), parts: known.map((part) => Part.parse(part)) }];
}

const filesOf = (data: Fields): readonly object[] =>
  listAt(data, 'files').map((file) => ({
    type: 'file',
    filename: textAt(fieldsOf(file), 'name'),
    url: textAt(fieldsOf(file), 'uri'),
  }));

function answerOf(data: Fields, base: object): WithParts {
  const error = fieldsOf(data.error);
  const name = textAt(error, 'type') ?? textAt(error, 'name');
  const info = Message.parse({
    ...data,
    ...base,
    role: 'assistant',
    modelID: textAt(fieldsOf(data.model), 'id'),
    error:
      error === undefined
        ? undefined
        : {
            name: /abort|interrupt/i.test(name ?? '') ? 'MessageAbortedError' : name,
            data: { message: error.message },
          },
  });
  return { info, parts: listAt(data, 'content').map((block) => partOf(fieldsOf(block) ?? {})) };
}

/** A call has three times: when it was asked for, when it began to run, and when it was done. */
function partOf(block: Fields): Part {
  if (block.type !== 'tool') return Part.parse(block);
  const state = fieldsOf(block.state) ?? {};
  const time = fieldsOf(block.time);
  const asked = numberAt(time, 'created');
  const ran = numberAt(time, 'ran') ?? (state.status === 'pending' ? undefined : asked);
  return Part.parse({
    type: 'tool',
    id: block.id,
    callID: block.id,
    tool: block.name,
    time: { start: asked },
    state: {
      ...state,
      output: contentOf(state),
      error: textAt(fieldsOf(state.error), 'message') ?? state.error,
      metadata: state.metadata ?? state.structured,
      time: { start: ran, end: numberAt(time, 'completed') },
    },
  });
}

/** What a call gave; a call that only failed gave nothing. */
const contentOf = (state: Fields): unknown =>
  state.status === 'completed' || listAt(state, 'content').length > 0 ? (state.content ?? '') : undefined;

/** A command that the person ran is told as words, as other formats have it. */
function shellOf(data: Fields, base: object): WithParts {
  const command = { type: 'text', text: `! ${textAt(data, 'command') ?? ''}` };
  const output = { type: 'text', text: data.output, synthetic: true };
  return { info: Message.parse({ ...base, role: 'user' }), parts: [command, output].map((part) => Part.parse(part)) };
}
