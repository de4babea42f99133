import { fieldsOf, listAt, textAt } from '../common/fields.ts';
import type { PlainBlock, PlainCall, PlainStep } from '../plain/session.ts';
import { asText, resultOf } from '../plain/values.ts';
import { partsText, responsesIn } from './calls.ts';
import { Content } from './records.ts';

/** Is this an entry of a conversation as the model's server has it? */
export const isContent = (value: unknown): boolean => {
  const fields = fieldsOf(value);
  return (fields?.role === 'user' || fields?.role === 'model') && Array.isArray(fields.parts);
};

/**
 * The list of contents in a checkpoint (`clientHistory`) or a saved chat (`history`, or the file is the list itself). No
 * part of it has a time.
 */
export function contentsIn(values: readonly unknown[]): readonly Content[] | undefined {
  for (const value of values) {
    const fields = fieldsOf(value);
    const lists = Array.isArray(value) ? [value] : [listAt(fields, 'clientHistory'), listAt(fields, 'history')];
    const found = lists.find((list) => list.some(isContent));
    if (found !== undefined) return found.filter(isContent).map((one) => Content.parse(one));
  }
  const loose = values.filter(isContent);
  return loose.length === 0 ? undefined : loose.map((one) => Content.parse(one));
}

/** Calls are paired with responses by id, and where there is none by name and order in the content that follows. */
export function stepsOfContents(contents: readonly Content[], agent: string): readonly PlainStep[] {
  return contents.flatMap((content, index): PlainStep[] => {
    const parts = content.parts ?? [];
    if (content.role === 'model') {
      const following = contents[index + 1]?.role === 'user' ? (contents[index + 1]?.parts ?? []) : [];
      return [answerOf(parts, [...responsesIn(following)], agent)];
    }
    const text = partsText(parts);
    if (text === '') return [];
    return [{ kind: 'entry', agent, at: undefined, text, says: 'prompt', from: 'person' }];
  });
}

function answerOf(parts: readonly unknown[], responses: Readonly<Record<string, unknown>>[], agent: string): PlainStep {
  const blocks = parts.flatMap((part): PlainBlock[] => {
    const fields = fieldsOf(part);
    const call = fieldsOf(fields?.functionCall);
    if (call !== undefined) return [{ kind: 'call', call: callOf(call, responses) }];
    const text = textAt(fields, 'text');
    if (text === undefined) return [{ kind: 'other', raw: part, at: undefined }];
    return [{ kind: fields?.thought === true ? 'thinking' : 'text', text, at: undefined }];
  });
  return {
    kind: 'message',
    agent,
    at: undefined,
    until: undefined,
    askedAt: undefined,
    id: undefined,
    model: 'unknown',
    blocks,
    usage: {},
    stopReason: blocks.some((block) => block.kind === 'call') ? 'tool-use' : 'unknown',
    failed: false,
    left: false,
  };
}

function callOf(call: Readonly<Record<string, unknown>>, responses: Readonly<Record<string, unknown>>[]): PlainCall {
  const id = textAt(call, 'id');
  const name = textAt(call, 'name') ?? 'unknown tool';
  const at = responses.findIndex((one) =>
    id !== undefined && one.id !== undefined ? one.id === id : one.name === name,
  );
  const [response] = at === -1 ? [] : responses.splice(at, 1);
  const body = fieldsOf(response?.response);
  const failed = body !== undefined && 'error' in body;
  return {
    id,
    tool: name,
    input: call.args,
    askedAt: undefined,
    start: 'unknown',
    end: response === undefined ? 'open' : 'unknown',
    group: 0,
    outcome: response === undefined ? 'unknown' : failed ? 'error' : 'ok',
    exit: undefined,
    refusal: undefined,
    cancel: undefined,
    result: response === undefined ? undefined : resultOf(body?.output ?? (failed ? asText(body.error) : body), failed),
    isShell: name === 'run_shell_command',
  };
}
