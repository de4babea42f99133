import { type Fields, fieldsOf, listAt, textAt, timeOf } from '../common/fields.ts';

/** A record without what is around it: the newest write an envelope, the oldest bare items. */
export type Rollout = {
  readonly kind: string;
  readonly payload: Fields;
  /** Wall ms. */
  readonly at: number | undefined;
};

/** Items of a response that some writers name by what they hold alone. */
function itemKind(payload: Fields): string | undefined {
  const type = textAt(payload, 'type');
  if (type !== undefined) return type;
  if (textAt(payload, 'role') !== undefined) return 'message';
  if (!('call_id' in payload)) return 'text' in payload ? 'reasoning' : undefined;
  if ('output' in payload) return 'function_call_output';
  return 'arguments' in payload || 'name' in payload ? 'function_call' : undefined;
}

/** Kinds of items of a response, bare or in an envelope. */
const BARE_ITEMS: ReadonlySet<string> = new Set([
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'local_shell_call',
  'web_search_call',
  'function_result',
]);

export function rolloutOf(value: unknown): Rollout | undefined {
  const line = fieldsOf(value);
  if (line === undefined) return undefined;
  const at = timeOf(line.timestamp ?? line.created_at);
  const payload = fieldsOf(line.payload);
  const type = textAt(line, 'type');
  if (payload !== undefined && type !== undefined) {
    const kind = type === 'response_item' || type === 'event_msg' ? `${type}/${itemKind(payload) ?? '?'}` : type;
    return { kind, payload, at };
  }
  // A damaged line of the newest kind has a payload that is none.
  if (type !== undefined && 'payload' in line) return { kind: `${type}/?`, payload: {}, at };
  if (textAt(line, 'record_type') === 'state') return { kind: 'state', payload: line, at };
  const bare = itemKind(line);
  if (bare !== undefined && BARE_ITEMS.has(bare)) return { kind: `response_item/${bare}`, payload: line, at };
  if (type === undefined && 'id' in line && 'timestamp' in line) return { kind: 'session_meta', payload: line, at };
  return undefined;
}

/** How much one object looks like a record of a rollout, 0 to 1. */
export function likeness(value: unknown): number {
  const line = fieldsOf(value);
  if (line === undefined) return 0;
  const payload = fieldsOf(line.payload);
  const type = textAt(line, 'type');
  if (payload !== undefined && OWN_TYPES.has(type ?? '')) return 1;
  if (type === undefined && textAt(line, 'id') && 'timestamp' in line && 'instructions' in line) return 1;
  if (textAt(line, 'record_type') === 'state') return 0.8;
  // Bare items of a response: other programs talk to the same service, so they say less.
  if ('uuid' in line || 'sessionId' in line || 'session_id' in line) return 0;
  if (/^(?:function_call|custom_tool_call)(?:_output)?$|^local_shell_call$/.test(type ?? '')) return 0.9;
  // Programs of other makers keep these items among their own lines.
  if (type === 'reasoning' && 'encrypted_content' in line) return 0.2;
  const blocks = type === 'message' && 'role' in line ? listAt(line, 'content') : [];
  return blocks.some((one) => /^(?:in|out)put_text$/.test(textAt(fieldsOf(one), 'type') ?? '')) ? 0.9 : 0;
}

const OWN_TYPES: ReadonlySet<string> = new Set([
  'session_meta',
  'response_item',
  'event_msg',
  'turn_context',
  'compacted',
  'world_state',
  'token_usage_record',
  'inter_agent_communication_metadata',
]);
