import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { foldSession } from '../../../src-shared/session/state.ts';
import type { ToolCall } from '../../../src-shared/tool-call/state.ts';
import { openTranscript } from './open-transcript.ts';

/** Session time 0 of written transcripts. */
export const START = Date.UTC(2026, 5, 1, 12);
export const timeAt = (ms: number): string => new Date(START + ms).toISOString();

type Extra = Readonly<Record<string, unknown>>;

/** Writes the lines of a transcript in Claude Code's shape, each at its time in ms, chained as the program does. For tests. */
export class Writer {
  readonly lines: unknown[] = [];
  readonly #defaults: Extra;
  readonly #prefix: string;
  #count = 0;
  #parent: string | null = null;
  readonly #useLines = new Map<string, string>();

  constructor(defaults: Extra = {}) {
    this.#defaults = { sessionId: 'session-1', version: '2.1.92', cwd: '/work', isSidechain: false, ...defaults };
    this.#prefix = typeof defaults.agentId === 'string' ? defaults.agentId : 'u';
  }

  raw(line: unknown): this {
    this.lines.push(line);
    return this;
  }

  line(ms: number, fields: Extra): this {
    const uuid = `${this.#prefix}-${++this.#count}`;
    this.lines.push({ parentUuid: this.#parent, uuid, timestamp: timeAt(ms), ...this.#defaults, ...fields });
    this.#parent = (fields.uuid as string | undefined) ?? uuid;
    return this;
  }

  says(ms: number, text: string, extra: Extra = {}): this {
    return this.line(ms, { type: 'user', message: { role: 'user', content: text }, ...extra });
  }

  answers(ms: number, id: string, text: string, extra: Extra = {}): this {
    return this.#assistant(ms, id, { type: 'text', text }, extra);
  }

  calls(ms: number, id: string, callId: string, tool: string, input: unknown, extra: Extra = {}): this {
    this.#assistant(ms, id, { type: 'tool_use', id: callId, name: tool, input }, extra);
    this.#useLines.set(callId, this.#parent as string);
    return this;
  }

  #assistant(ms: number, id: string, block: Extra, { usage, stop_reason, ...extra }: Extra): this {
    const message = { id, role: 'assistant', model: 'claude-test', content: [block], usage, stop_reason };
    return this.line(ms, { type: 'assistant', requestId: `req-${id}`, message, ...extra });
  }

  result(ms: number, callId: string, content: unknown, extra: Extra = {}): this {
    const { is_error, ...rest } = extra;
    const block = { type: 'tool_result', tool_use_id: callId, content, ...(is_error ? { is_error } : {}) };
    const parentUuid = this.#useLines.get(callId) ?? this.#parent;
    return this.line(ms, { type: 'user', message: { role: 'user', content: [block] }, parentUuid, ...rest });
  }

  fails(ms: number, callId: string, text: string, extra: Extra = {}): this {
    return this.result(ms, callId, text, { is_error: true, ...extra });
  }

  toString(): string {
    return this.lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
  }
}

/** Opens a session made of these files (path below a fresh folder → content) and removes the folder again. */
export async function opened(files: Readonly<Record<string, Writer | string>> | Writer, path?: string) {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-transcript-'));
  try {
    const all = files instanceof Writer ? { 'session-1.jsonl': files } : files;
    for (const [name, content] of Object.entries(all)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), content.toString());
    }
    const read = await openTranscript(join(folder, path ?? Object.keys(all)[0] ?? ''));
    const state = foldSession(read.events);
    return { ...read, folder, state, call: (id: string) => state.calls.find((call) => call.callId === id) as ToolCall };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A call in a line: `ok 10–50 lane 0`, `cancelled never`. */
export function brief(call: ToolCall): string {
  const end = call.phase === 'completed' || call.phase === 'yielded' ? call.end : undefined;
  const run = call.phase === 'queued' ? undefined : call.run;
  return run === undefined ? `${end?.outcome} never` : `${end?.outcome} ${run.at}–${end?.at} lane ${run.lane}`;
}
