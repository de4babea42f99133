import { stat } from 'node:fs/promises';
import { Collector } from './claude-code/collect.ts';
import { storyToReading } from './claude-code/story-to-reading.ts';
import { type Fields, fieldsOf, numberAt, textAt, timeOf } from './common/fields.ts';
import type { Importer } from './importer.ts';
import { parseJson } from './json-scan.ts';
import { readRecords } from './read-records.ts';

/** A line with what a recorder wrapped around it. */
type Unwrapped = {
  readonly line: Fields | undefined;
  /** Wall ms, where the recorder stamped the line with a date. */
  readonly at: number | undefined;
  /** Ms since the recording began, where it only counted. */
  readonly elapsed: number | undefined;
  /** Wall ms of a remark that says when the recording began. */
  readonly started: number | undefined;
};

const STAMP_KEYS = ['ts', 'time', 'timestamp', 'received_at'] as const;
const INNER_KEYS = ['data', 'line', 'event', 'message'] as const;

/** Takes off what recorders put around lines: a time beside them, the line as text in another log's line. */
function unwrap(value: unknown): Unwrapped {
  const outer = fieldsOf(value);
  const nothing = { line: undefined, at: undefined, elapsed: undefined, started: undefined };
  if (outer === undefined) return nothing;
  const content = textAt(outer, 'content');
  if (content !== undefined && 'schema_version' in outer) {
    const inner = parseJson(content);
    return inner === undefined ? { ...nothing, started: startedIn(content) } : unwrap(inner);
  }
  const stamp = STAMP_KEYS.map((key) => outer[key]).find((one) => typeof one === 'string' || typeof one === 'number');
  const elapsed = typeof stamp === 'string' ? elapsedIn(stamp) : undefined;
  const at = elapsed === undefined ? timeOf(stamp as string | number | undefined) : undefined;
  if (isLine(outer)) return { ...nothing, line: outer, at, elapsed };
  const inner = INNER_KEYS.map((key) => fieldsOf(outer[key])).find((one) => one !== undefined && isLine(one));
  return inner === undefined
    ? nothing
    : { ...nothing, line: inner, at: timeOf(textAt(inner, 'timestamp')) ?? at, elapsed };
}

const LINE_TYPES: ReadonlySet<string> = new Set([
  'system',
  'assistant',
  'user',
  'result',
  'stream_event',
  'control_response',
  'control_request',
  'rate_limit_event',
  'tool_progress',
]);
const NAMES = ['session_id', 'subtype', 'parent_tool_use_id', 'uuid', 'response', 'request', 'claude_code_version'];

/** A wrapper repeats the type of its line, but has none of a line's own fields. */
const isLine = (fields: Fields): boolean =>
  LINE_TYPES.has(textAt(fields, 'type') ?? '') && NAMES.some((name) => name in fields);

/** `00:05`, `01:02:03.5`: since the start. */
function elapsedIn(stamp: string): number | undefined {
  const found = /^(?:(\d+):)?(\d{1,2}):(\d{2}(?:\.\d+)?)$/.exec(stamp);
  if (found === null) return undefined;
  return (Number(found[1] ?? 0) * 3600 + Number(found[2]) * 60 + Number(found[3])) * 1000;
}

const startedIn = (remark: string): number | undefined => {
  const found = /^#\s*started:\s*(\S+)/i.exec(remark)?.[1];
  return timeOf(found);
};

/** Output of `claude -p --output-format stream-json` and of its SDK, bare or wrapped by a recorder. */
export const claudeStreamJson: Importer = {
  name: 'claude-stream-json',

  sniff(head) {
    if (head.length === 0) return 0;
    const lines = head.map((value) => unwrap(value).line);
    const sure = lines.filter((line) => line !== undefined && isStreamLine(line)).length;
    const remarks = head.filter((value) => 'schema_version' in (fieldsOf(value) ?? {})).length;
    return sure === 0 ? 0 : Math.min(1, 0.4 + (0.6 * (sure + remarks)) / head.length);
  },

  async read(source, options) {
    const collector = new Collector(options.onFinding);
    const path = source.main ?? source.path;
    collector.startFile({ path, agentKey: undefined });
    const clock = new StreamClock();
    for await (const records of readRecords(path, options)) {
      for (const { value, line: lineNo, length } of records) {
        const { line, at, elapsed, started } = unwrap(value);
        clock.started ??= started;
        if (line === undefined) {
          if (!('schema_version' in (fieldsOf(value) ?? {}))) {
            collector.countUnknown('unknown-line', 'lines that are no part of a stream', lineNo);
          }
          continue;
        }
        const time = clock.timeOf(at, elapsed);
        clock.note(line, time);
        collector.add(line, lineNo, length, time);
      }
    }
    const { mtimeMs } = await stat(path);
    const story = collector.finish(Math.round(mtimeMs), clock.leadMs);
    return storyToReading(story, { format: claudeStreamJson.name, source });
  },
};

/** A line that only a stream has: other programs also write `session_id` and a type. */
function isStreamLine(line: Fields): boolean {
  switch (line.type) {
    case 'assistant':
    case 'user':
      return fieldsOf(line.message) !== undefined && ('session_id' in line || 'parent_tool_use_id' in line);
    case 'control_response':
    case 'control_request':
      return true;
    default:
      return 'session_id' in line && ('subtype' in line || 'event' in line);
  }
}

/**
 * Streams have no times of their own. Some versions stamp the lines of results, some recorders every line; what came
 * before the first stamp is then placed by the length the stream's end reports.
 */
class StreamClock {
  /** Wall ms of the recording's start, for recorders that count from there. */
  started: number | undefined;
  #first: number | undefined;
  #last: number | undefined;
  #duration: number | undefined;

  timeOf(at: number | undefined, elapsed: number | undefined): number | undefined {
    return at ?? (elapsed === undefined ? undefined : (this.started ?? 0) + elapsed);
  }

  note(line: Fields, time: number | undefined): void {
    const at = time ?? timeOf(textAt(line, 'timestamp'));
    if (at !== undefined) {
      this.#first ??= at;
      this.#last = at;
    }
    if (line.type === 'result') this.#duration ??= numberAt(line, 'duration_ms');
  }

  /** The earliest the first line can have been before the first stamp. */
  get leadMs(): number {
    if (this.#first === undefined || this.#last === undefined || this.#duration === undefined) return 0;
    return Math.max(0, this.#duration - (this.#last - this.#first));
  }
}
