import { type Fields, fieldsOf, listAt, numberAt, textAt } from '../common/fields.ts';
import { parseJson } from '../json-scan.ts';
import type { OpenCall } from './call.ts';
import { contentOf, type Output, readOutput } from './outputs.ts';

/** Tools that run a command. */
const SHELLS: ReadonlySet<string> = new Set([
  'shell',
  'shell_command',
  'exec_command',
  'local_shell',
  'container.exec',
  'bash',
  'unified_exec',
]);

/** What a response asks for, by the kind of its item. */
export type Asked = { readonly id: string | undefined; readonly tool: string; readonly input: unknown };

export function openCall({ id, tool, input }: Asked, at: number | undefined, endsAtLine = false): OpenCall {
  return {
    id,
    tool,
    input,
    at,
    isShell: SHELLS.has(tool),
    output: undefined,
    started: undefined,
    ended: undefined,
    duration: undefined,
    exitCode: undefined,
    failed: false,
    stopped: false,
    endsAtLine,
    eventResult: undefined,
  };
}

/** The call that an item of a response is, or undefined where it is none. */
export function askedIn(kind: string, payload: Fields): Asked | undefined {
  const id = textAt(payload, 'call_id') ?? textAt(payload, 'id');
  switch (kind) {
    case 'function_call':
      return { id: textAt(payload, 'call_id'), tool: toolName(payload), input: parsed(payload.arguments) };
    case 'custom_tool_call':
      return { id: textAt(payload, 'call_id'), tool: toolName(payload), input: { input: payload.input } };
    case 'local_shell_call':
      return { id, tool: 'local_shell', input: fieldsOf(payload.action) ?? {} };
    case 'web_search_call':
      return { id, tool: 'web_search', input: fieldsOf(payload.action) ?? {} };
    case 'tool_search_call':
      return { id, tool: 'tool_search', input: parsed(payload.arguments) ?? {} };
    case 'image_generation_call':
      return { id, tool: 'image_generation', input: { prompt: textAt(payload, 'revised_prompt') ?? '' } };
    case 'tool_call':
      return { id, tool: toolName(payload), input: parsed(payload.arguments ?? payload.input) };
    default:
      return undefined;
  }
}

/** Items the model's server worked on by itself; no output follows them. */
export const endsAtLine = (kind: string): boolean => kind === 'web_search_call' || kind === 'image_generation_call';

function toolName(payload: Fields): string {
  const name = textAt(payload, 'name') ?? textAt(fieldsOf(payload.function), 'name') ?? 'unknown';
  const namespace = textAt(payload, 'namespace');
  return namespace?.startsWith('mcp') && !name.startsWith('mcp') ? `${namespace.replace(/_+$/, '')}__${name}` : name;
}

const parsed = (value: unknown): unknown =>
  typeof value === 'string' ? (parseJson(value) ?? { input: value }) : value;

/** Output of the older and odder kinds is an object with streams. */
export function outputIn(payload: Fields): Output {
  const streams = fieldsOf(payload.result);
  const code = numberAt(streams, 'exitCode') ?? numberAt(streams, 'exit_code');
  if (streams === undefined) return readOutput(payload.output ?? payload.result, textAt(payload, 'status'));
  const texts = [textAt(streams, 'stdout'), textAt(streams, 'stderr')].filter((text) => text);
  return readOutput({ output: texts.join('\n'), metadata: code === undefined ? {} : { exit_code: code } });
}

/** Length of time in ms, of `{secs, nanos}`, a number of seconds, or a text such as `1.5s`. */
export function durationIn(value: unknown): number | undefined {
  const fields = fieldsOf(value);
  const seconds = numberAt(fields, 'secs');
  if (seconds !== undefined) return seconds * 1000 + (numberAt(fields, 'nanos') ?? 0) / 1e6;
  if (typeof value === 'number') return value * 1000;
  const found = typeof value === 'string' ? /^([\d.]+)\s*(ms|s)$/.exec(value) : null;
  return found === null ? undefined : Number(found[1]) * (found[2] === 's' ? 1000 : 1);
}

/** What a `…_end` event or a completed item tells of its call. */
export function noteEnd(call: OpenCall, event: Fields, at: number | undefined): void {
  call.duration ??= durationIn(event.duration);
  call.ended ??= at;
  call.exitCode ??= numberAt(event, 'exit_code');
  const result = fieldsOf(event.result);
  const isErr = result !== undefined && ('Err' in result || fieldsOf(result.Ok)?.is_error === true);
  if (event.success === false || isErr || event.status === 'failed' || (call.exitCode ?? 0) !== 0) call.failed = true;
}

/** Real commands of a script: they stand in no item of a response, only in completed items. */
export function scriptedCall(item: Fields): Asked | undefined {
  const id = textAt(item, 'id');
  switch (textAt(item, 'type')) {
    case 'CommandExecution':
      return { id, tool: 'exec_command', input: { command: item.command, cwd: textAt(item, 'cwd') ?? '' } };
    case 'FileChange':
      return { id, tool: 'apply_patch', input: { files: Object.keys(fieldsOf(item.changes) ?? {}).join(' ') } };
    case 'McpToolCall':
    case 'DynamicToolCall':
      return {
        id,
        tool: [textAt(item, 'server'), textAt(item, 'tool') ?? 'tool'].filter((part) => part).join('__'),
        input: item.arguments ?? {},
      };
    case 'WebSearch':
      return { id, tool: 'web_search', input: { query: textAt(item, 'query') ?? '' } };
    default:
      return undefined;
  }
}

/** The output that a completed item holds. */
export function itemResult(item: Fields, failed: boolean): OpenCall['eventResult'] {
  const whole = textAt(item, 'aggregated_output') ?? textAt(item, 'stdout');
  const streams = [whole, textAt(item, 'stderr')].filter((text) => text);
  const results = listAt(fieldsOf(item.result), 'content');
  const content =
    results.length > 0 ? contentOf(results) : contentOf(streams.length > 0 ? streams.join('\n') : undefined);
  return { content, isError: failed };
}
