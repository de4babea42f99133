import type { Usage } from '../../../../src-shared/model/event.ts';
import { type Fields, fieldsOf, listAt, numberAt, textAt, timeOf } from '../common/fields.ts';
import { MAIN, type PlainBlock, type PlainCall, type PlainSession, type PlainStep } from '../plain/session.ts';
import { asText, inputOf, numbersOf, resultOf, titleFrom } from '../plain/values.ts';

export const contentsOf = (message: Fields | undefined): readonly Fields[] =>
  listAt(message, 'content').flatMap((one) => fieldsOf(one) ?? []) as Fields[];

/** What of a session says who it is, under the names an export has. */
export type Head = Fields | undefined;

export function sessionOf(head: Head, messages: readonly Fields[]): PlainSession {
  const steps = stepsIn(head, messages, MAIN);
  const prompt = steps.flatMap((step) => (step.kind === 'entry' && step.says === 'prompt' ? [step.text] : []))[0];
  return {
    sessionId: textAt(head, 'id'),
    title: titleFrom(textAt(head, 'name') || textAt(head, 'description')) ?? titleFrom(prompt),
    cwd: textAt(head, 'working_dir'),
    version: undefined,
    startedAt: timeOf(head?.created_at),
    steps,
    agents: [],
  };
}

/** The steps of one agent. */
export function stepsIn(head: Head, messages: readonly Fields[], agent: string): readonly PlainStep[] {
  const responses = new Map<string, { readonly response: Fields; readonly at: number | undefined }>();
  for (const message of messages) {
    for (const content of contentsOf(message)) {
      const id = textAt(content, 'id');
      if (content.type === 'toolResponse' && id !== undefined)
        responses.set(id, { response: content, at: timeOf(message.created) });
    }
  }
  const model = textAt(fieldsOf(head?.model_config), 'model_name') ?? 'unknown';
  return messages.flatMap((message) => stepsOf(message, { responses, model, agent }));
}

type Around = {
  readonly responses: ReadonlyMap<string, { readonly response: Fields; readonly at: number | undefined }>;
  readonly model: string;
  readonly agent: string;
};

function stepsOf(message: Fields, { responses, model, agent }: Around): readonly PlainStep[] {
  const at = timeOf(message.created);
  const contents = contentsOf(message);
  if (message.role === 'user') {
    const text = contents
      .map((one) => (one.type === 'text' ? asText(one.text) : ''))
      .filter((one) => one !== '')
      .join('\n');
    // Results come as messages of the user, with nothing a person said in them.
    if (text === '') return [];
    // What only the model is shown was written by the program: a summary, or the order to go on.
    const isHidden = fieldsOf(message.metadata)?.userVisible === false;
    const from = isHidden || agent !== MAIN ? 'program' : 'person';
    return [{ kind: 'entry', agent, at, text, says: isHidden ? 'said' : 'prompt', from }];
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
      agent,
      at,
      until: undefined,
      askedAt: undefined,
      id: textAt(message, 'id'),
      model,
      blocks,
      usage: usageOf(fieldsOf(message.usage)),
      stopReason: blocks.some((block) => block.kind === 'call') ? 'tool-use' : 'unknown',
      failed: false,
      left: false,
    },
  ];
}

/** A row of the program's ledger, whose input holds the tokens of the cache too. */
function usageOf(row: Fields | undefined): Usage {
  const read = numberAt(row, 'cache_read_tokens');
  const written = numberAt(row, 'cache_write_tokens');
  const input = numberAt(row, 'input_tokens');
  return numbersOf([
    ['inputTokens', input === undefined ? undefined : Math.max(0, input - (read ?? 0) - (written ?? 0))],
    ['outputTokens', row?.output_tokens],
    ['cacheReadTokens', read],
    ['cacheCreationTokens', written],
    ['costUsd', row?.cost],
  ]);
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
