import type { Outcome } from '../../../../src-shared/tool-call/event.ts';
import { type Fields, fieldsOf, textAt, timeOf } from '../common/fields.ts';
import type { BestTime, Refusal } from '../common/judged.ts';
import type { PlainCall } from '../plain/session.ts';
import { asText, resultOf } from '../plain/values.ts';
import { ToolCall } from './records.ts';

/** What is known of a message's time when its calls are read. Wall ms. */
export type CallFrame = {
  /** The latest thing that is known to lie before the message. */
  readonly before: number | undefined;
  /** When the message was written down: with newer versions, when its first calls were done. */
  readonly written: number | undefined;
};

/** Ids are `<tool>-<ms since 1970>-<hex>`; the number is the moment the program took the call from the answer. */
function askedAt(id: string | undefined, { before }: CallFrame, doneAt: number | undefined): number | undefined {
  const found = /[-_](\d{13})[-_]/.exec(id ?? '')?.[1];
  const at = timeOf(found === undefined ? undefined : Number(found));
  // A number that fits nothing else in the file is no time.
  if (at === undefined || doneAt === undefined || at > doneAt) return undefined;
  return before !== undefined && at < before ? undefined : at;
}

/** The calls of one message, with the rounds they went in: calls that were done in one moment went together. */
export function callsOf(values: readonly unknown[], frame: CallFrame): readonly PlainCall[] {
  const calls = values.flatMap((value) => {
    const parsed = ToolCall.safeParse(value);
    return parsed.success ? [parsed.data] : [];
  });
  const rounds = new Map<number | undefined, number>();
  for (const call of calls) rounds.set(timeOf(call.timestamp), (rounds.get(timeOf(call.timestamp)) ?? 0) + 1);
  const groups = [...rounds.keys()];
  let before = frame.before;
  return calls.map((call) => {
    const doneAt = timeOf(call.timestamp);
    const told = callOf(call, { ...frame, before }, rounds.get(doneAt) ?? 1);
    before = told.askedAt ?? before;
    return { ...told, group: doneAt === undefined ? undefined : groups.indexOf(doneAt) };
  });
}

function callOf(call: ToolCall, frame: CallFrame, together: number): PlainCall {
  const doneAt = timeOf(call.timestamp);
  const asked = askedAt(call.id, frame, doneAt);
  const response = responseOf(call);
  const { outcome, refusal, ran } = outcomeOf(call, response.error);
  const exit = exitIn(response.text);
  const shown = response.found ? response.value : (call.resultDisplay ?? undefined);
  return {
    id: call.id,
    tool: call.name ?? 'unknown tool',
    input: call.args,
    askedAt: asked,
    start: ran ? startOf(asked, doneAt, frame) : 'never',
    end: endOf(call, { asked, doneAt, together }),
    group: undefined,
    outcome,
    exit: exit === undefined ? undefined : { code: exit },
    refusal,
    cancel: outcome === 'interrupted' ? 'escape' : undefined,
    result: shown === undefined || shown === null ? undefined : resultOf(shown, response.error !== undefined),
    isShell: call.name === 'run_shell_command',
  };
}

function startOf(asked: number | undefined, doneAt: number | undefined, frame: CallFrame): BestTime | 'unknown' {
  if (doneAt === undefined) return 'unknown';
  if (asked !== undefined) return { at: asked, source: 'block-time', earliest: asked, latest: doneAt };
  const { before, written } = frame;
  const at = Math.min(written ?? before ?? doneAt, doneAt);
  return { at, source: 'line-time', earliest: Math.min(before ?? at, at), latest: doneAt };
}

/** The time of a call that went alone is its own; of several that went together it is that of the slowest. */
function endOf(
  call: ToolCall,
  {
    asked,
    doneAt,
    together,
  }: { readonly asked: number | undefined; readonly doneAt: number | undefined; together: number },
): BestTime | 'unknown' | 'open' {
  if (doneAt === undefined) return call.result === undefined && call.status === undefined ? 'open' : 'unknown';
  if (together === 1) return { at: doneAt, source: 'measured', earliest: doneAt, latest: doneAt };
  return { at: doneAt, source: 'line-time', earliest: asked ?? doneAt, latest: doneAt };
}

type Response = {
  readonly found: boolean;
  readonly value: unknown;
  readonly text: string;
  readonly error: string | undefined;
};

/** What the model was told: the output of a response, its error, or all of it. */
function responseOf({ result, status }: ToolCall): Response {
  const parts = Array.isArray(result) ? result : result === undefined || result === null ? [] : [result];
  const values: unknown[] = [];
  let error: string | undefined;
  for (const part of parts) {
    const response = fieldsOf(fieldsOf(fieldsOf(part)?.functionResponse)?.response);
    if (response !== undefined && 'error' in response) error ??= asText(response.error);
    values.push(response === undefined ? part : outputOf(response));
  }
  if (status === 'error') error ??= values.map(asText).join('\n');
  const text = values.filter((value) => typeof value === 'string').join('\n');
  return { found: values.length > 0, value: values.length === 1 ? values[0] : values, text, error };
}

const outputOf = (response: Fields): unknown => response.output ?? response.error ?? response;

/** The program writes how a call was cancelled into its result. */
function outcomeOf(
  call: ToolCall,
  error: string | undefined,
): { readonly outcome: Outcome; readonly refusal: Refusal | undefined; readonly ran: boolean } {
  const refused = /did not allow tool call/i.test(error ?? '');
  if (refused) {
    const refusal: Refusal = { by: 'user', text: error ?? '', feedback: undefined };
    return { outcome: 'rejected', refusal, ran: false };
  }
  switch (call.status) {
    case 'cancelled':
      return { outcome: 'interrupted', refusal: undefined, ran: /tool execution/i.test(error ?? '') };
    case 'error':
      return {
        outcome: 'error',
        refusal: undefined,
        ran: !/not found in registry|invalid parameters/i.test(error ?? ''),
      };
    case 'success':
      return { outcome: 'ok', refusal: undefined, ran: true };
    default:
      return {
        outcome: error === undefined ? (call.result === undefined ? 'unknown' : 'ok') : 'error',
        refusal: undefined,
        ran: true,
      };
  }
}

function exitIn(text: string): number | undefined {
  const found = /(?:^|\n)Exit Code: (\d+)(?:\n|$)/.exec(text.slice(-4000))?.[1];
  return found === undefined ? undefined : Number(found);
}

/** The responses among the parts of a content. */
export function responsesIn(parts: readonly unknown[]): readonly Fields[] {
  return parts.flatMap((part) => {
    const response = fieldsOf(fieldsOf(part)?.functionResponse);
    return response === undefined ? [] : [response];
  });
}

export const thoughtText = (thought: unknown): string => {
  const fields = fieldsOf(thought);
  return [textAt(fields, 'subject'), textAt(fields, 'description')].filter((one) => one !== undefined).join('\n');
};

export const partsText = (content: unknown): string => {
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? content : [content];
  return parts.map((part) => (typeof part === 'string' ? part : (textAt(fieldsOf(part), 'text') ?? ''))).join('');
};
