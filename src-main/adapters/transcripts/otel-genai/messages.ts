import { type Fields, fieldsOf, listAt, textAt } from '../common/fields.ts';
import { parseJson } from '../json-scan.ts';
import { asText, inputOf } from '../plain/values.ts';
import type { Span } from './spans.ts';

/** A part of a message as either convention has it. */
export type MessagePart =
  | { readonly kind: 'text' | 'thinking'; readonly text: string }
  | { readonly kind: 'call'; readonly id: string | undefined; readonly tool: string; readonly input: unknown }
  | { readonly kind: 'response'; readonly id: string | undefined; readonly value: unknown }
  | { readonly kind: 'other'; readonly raw: unknown };
export type SpanMessage = { readonly role: string; readonly parts: readonly MessagePart[] };

/** What the model was sent. */
export const inputMessages = (span: Span): readonly SpanMessage[] =>
  genAiMessages(span.attributes['gen_ai.input.messages']) ?? openInference(span.attributes, 'llm.input_messages');

/** What the model answered. */
export const outputMessages = (span: Span): readonly SpanMessage[] =>
  genAiMessages(span.attributes['gen_ai.output.messages']) ?? openInference(span.attributes, 'llm.output_messages');

function genAiMessages(value: unknown): readonly SpanMessage[] | undefined {
  const list = typeof value === 'string' ? parseJson(value) : value;
  if (!Array.isArray(list)) return undefined;
  return list.map((one) => {
    const fields = fieldsOf(one);
    const parts = Array.isArray(fields?.parts) ? fields.parts.map(partOf) : textParts(fields?.content);
    return { role: textAt(fields, 'role') ?? 'unknown', parts };
  });
}

const textParts = (content: unknown): MessagePart[] => (content ? [{ kind: 'text', text: asText(content) }] : []);

function partOf(value: unknown): MessagePart {
  const part = fieldsOf(value);
  switch (part?.type) {
    case 'text':
      return { kind: 'text', text: asText(part.content ?? part.text) };
    case 'reasoning':
    case 'thinking':
      return { kind: 'thinking', text: asText(part.content ?? part.text) };
    case 'tool_call':
      return {
        kind: 'call',
        id: textAt(part, 'id'),
        tool: textAt(part, 'name') ?? 'unknown tool',
        input: inputOf(part.arguments),
      };
    case 'tool_call_response':
      return { kind: 'response', id: textAt(part, 'id'), value: part.response ?? part.result ?? part.content };
    default:
      return { kind: 'other', raw: value };
  }
}

/** OpenInference writes lists as numbered keys: `llm.output_messages.0.message.role`. */
function openInference(attributes: Fields, prefix: string): readonly SpanMessage[] {
  const list = numbered(attributes, prefix);
  return list.map((one) => {
    const message = fieldsOf(one.message) ?? one;
    const role = textAt(message, 'role') ?? 'unknown';
    const contents = Array.isArray(message.contents) ? message.contents : [];
    const parts: MessagePart[] = [
      ...(role === 'tool' ? [] : textParts(message.content)),
      ...contents.flatMap((content) => textParts(fieldsOf(fieldsOf(content)?.message_content)?.text)),
      ...listAt(message, 'tool_calls').map(toolCallOf),
    ];
    if (role === 'tool') parts.push({ kind: 'response', id: textAt(message, 'tool_call_id'), value: message.content });
    return { role, parts };
  });
}

function toolCallOf(value: unknown): MessagePart {
  const fields = fieldsOf(value);
  const call = fieldsOf(fields?.tool_call) ?? fields;
  const made = fieldsOf(call?.function);
  const tool = textAt(made, 'name') ?? 'unknown tool';
  return { kind: 'call', id: textAt(call, 'id'), tool, input: inputOf(made?.arguments) };
}

/** The list under a prefix, whether it is a list already or spread over numbered keys. */
function numbered(attributes: Fields, prefix: string): readonly Fields[] {
  const whole = attributes[prefix] ?? fieldsOf(attributes[prefix.split('.')[0] ?? ''])?.[prefix.split('.')[1] ?? ''];
  if (Array.isArray(whole)) return whole.flatMap((one) => (fieldsOf(one) ? [one as Fields] : []));
  const tree = new Map<string, unknown>();
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith(`${prefix}.`)) tree.set(key.slice(prefix.length + 1), value);
  }
  const nested = nest(tree);
  return Array.isArray(nested) ? nested.flatMap((one) => (fieldsOf(one) ? [one as Fields] : [])) : [];
}

/** `0.message.role` and its like as nested objects; objects with only numbers for keys become lists. */
function nest(flat: ReadonlyMap<string, unknown>): unknown {
  const groups = new Map<string, Map<string, unknown>>();
  const leaves = new Map<string, unknown>();
  for (const [path, value] of flat) {
    const dot = path.indexOf('.');
    if (dot === -1) {
      leaves.set(path, value);
      continue;
    }
    const head = path.slice(0, dot);
    const group = groups.get(head) ?? new Map<string, unknown>();
    groups.set(head, group);
    group.set(path.slice(dot + 1), value);
  }
  const entries = [...leaves, ...[...groups].map(([key, group]) => [key, nest(group)] as const)];
  if (entries.length > 0 && entries.every(([key]) => /^\d{1,6}$/.test(key))) {
    return entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, value]) => value);
  }
  return Object.fromEntries(entries);
}

/** The text of the last message of a person among what was sent. */
export function lastPrompt(messages: readonly SpanMessage[]): string | undefined {
  const last = messages.at(-1);
  if (last?.role !== 'user') return undefined;
  const text = last.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
  return text === '' ? undefined : text;
}
