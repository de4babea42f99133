import type { StopReason, Usage } from '../../../../src-shared/model/event.ts';
import { type Fields, fieldsOf, listAt, numberAt, textAt, timeOf } from '../common/fields.ts';
import type { BestTime } from '../common/judged.ts';
import { nothingLearned, type ReadFile, type RecordReader } from '../plain/one-by-one.ts';
import { MAIN, type PlainBlock, type PlainCall, type PlainMessage, type PlainStep } from '../plain/session.ts';
import { numbersOf, resultOf } from '../plain/values.ts';

/** A result: a message of its own, written when the tool was done. */
type Result = { readonly at: number | undefined; readonly fields: Fields; readonly waited: boolean };

type OpenCall = {
  readonly id: string | undefined;
  readonly tool: string;
  readonly input: unknown;
  readonly askedAt: number | undefined;
  /** Only the event stream has it, and only with the time of the line before. */
  result: Result | undefined;
  /** A person stopped the answer that asked for it. */
  readonly aborted: boolean;
};
type OpenBlock = { readonly kind: 'call'; readonly open: OpenCall } | Exclude<PlainBlock, { kind: 'call' }>;
type OpenMessage = Omit<PlainMessage, 'blocks' | 'left'> & {
  readonly blocks: OpenBlock[];
  readonly entry: string | undefined;
};
type Listed = Exclude<PlainStep, PlainMessage> | OpenMessage;

/** Results this near to each other were written at one time. */
const TOGETHER_MS = 20;

const STOP_REASONS: Readonly<Record<string, StopReason>> = {
  stop: 'end-turn',
  toolUse: 'tool-use',
  length: 'max-tokens',
};

/** Kinds of entries and stream events that say nothing that is shown, or say it again. */
const INERT: ReadonlySet<string> = new Set([
  'thinking_level_change',
  'label',
  'agent_start',
  'agent_end',
  'turn_start',
  'turn_end',
  'message_start',
  'message_update',
  'tool_execution_start',
  'tool_execution_update',
  'tool_execution_end',
  'queue_update',
]);

/** Takes the entries of a session one by one. Finish with `done`. */
export class EntryReader implements RecordReader {
  readonly #file: ReadFile;
  readonly #list: Listed[] = [];
  readonly #calls = new Map<string, OpenCall>();
  readonly #results: { readonly id: string; readonly result: Result; readonly line: number }[] = [];
  readonly #parents = new Map<string, string>();
  readonly #seen = new Set<string>();
  #leaf: string | undefined;
  #model = 'unknown';
  /** When the result directly before was written. */
  #resultAt: number | undefined;
  readonly learned = nothingLearned();

  constructor(file: ReadFile) {
    this.#file = file;
  }

  take(entry: Fields, line: number): void {
    const type = textAt(entry, 'type') ?? '?';
    const id = textAt(entry, 'id');
    // Files copy history when a session is branched into another one of the same folder.
    if (id !== undefined && type !== 'session' && this.#seen.has(id)) return;
    if (id !== undefined) this.#noteEntry(id, textAt(entry, 'parentId'), type);
    const at = timeOf(entry.timestamp);
    switch (type) {
      case 'session':
        this.#takeSession(entry, at);
        return;
      case 'message':
      case 'message_end':
        this.#takeMessage(fieldsOf(entry.message) ?? {}, at, id, line);
        return;
      case 'model_change':
        this.#model = textAt(entry, 'modelId') ?? this.#model;
        return;
      case 'session_info':
        this.learned.title = textAt(entry, 'name') ?? this.learned.title;
        return;
      case 'compaction':
      case 'branch_summary':
      case 'custom_message':
        this.#takeNote(type, entry, at);
        return;
      default:
        if (!INERT.has(type)) this.#file.unknown(`entries of type "${type}"`, line);
    }
  }

  #noteEntry(id: string, parent: string | undefined, type: string): void {
    this.#seen.add(id);
    if (parent !== undefined) this.#parents.set(id, parent);
    if (type !== 'label') this.#leaf = id;
  }

  #takeSession(entry: Fields, at: number | undefined): void {
    this.learned.sessionId ??= textAt(entry, 'id');
    this.learned.cwd ??= textAt(entry, 'cwd');
    this.learned.startedAt ??= at;
    this.#model = textAt(entry, 'modelId') ?? this.#model;
  }

  #takeNote(type: string, entry: Fields, at: number | undefined): void {
    const text = type === 'compaction' ? 'The conversation was compacted' : 'A branch of the session was summed up';
    const detail = textAt(entry, 'summary') ?? textAt(entry, 'content');
    if (type === 'custom_message') {
      this.#list.push({ kind: 'entry', agent: MAIN, at, text: detail ?? '', says: 'said', from: 'program' });
      return;
    }
    this.#list.push({
      kind: 'fact',
      at,
      facts: { type: 'notice-given', level: 'info', text, ...(detail ? { detail } : {}) },
    });
  }

  /** Two clocks: the message's own says when it was made, the line's when it was written. */
  #takeMessage(message: Fields, written: number | undefined, entry: string | undefined, line: number): void {
    const made = timeOf(message.timestamp);
    const role = textAt(message, 'role');
    const isResult = role === 'toolResult';
    if (!isResult) this.#resultAt = undefined;
    if (role === 'user') this.#takePrompt(textOf(message.content), made ?? written);
    else if (role === 'assistant') this.#takeAnswer(message, { made, written, entry, line });
    else if (isResult) this.#takeResult(message, made ?? written, line);
    else if (role === 'bashExecution') this.#takeShell(message, made ?? written);
    else this.#file.unknown(`messages of role "${role ?? 'none'}"`, line);
  }

  #takePrompt(text: string, at: number | undefined): void {
    this.learned.firstPrompt ??= text;
    this.#list.push({ kind: 'entry', agent: MAIN, at, text, says: 'prompt', from: 'person' });
  }

  #takeAnswer(
    message: Fields,
    at: {
      readonly made: number | undefined;
      readonly written: number | undefined;
      readonly entry: string | undefined;
      readonly line: number;
    },
  ): void {
    const stop = textAt(message, 'stopReason') ?? '';
    this.#model = textAt(message, 'model') ?? this.#model;
    // Made when the request was sent, written when the answer was whole.
    const whole = at.written ?? at.made;
    const blocks: OpenBlock[] = [];
    const content = message.content;
    for (const value of Array.isArray(content) ? content : [{ type: 'text', text: content }]) {
      const block = this.#blockOf(fieldsOf(value), value, whole, { aborted: stop === 'aborted', line: at.line });
      if (block !== undefined) blocks.push(block);
    }
    this.#list.push({
      kind: 'message',
      agent: MAIN,
      at: whole,
      until: undefined,
      askedAt: at.written === undefined ? undefined : at.made,
      id: textAt(message, 'responseId'),
      model: this.#model,
      blocks,
      usage: usageOf(fieldsOf(message.usage)),
      stopReason: STOP_REASONS[stop] ?? 'unknown',
      failed: stop === 'error',
      entry: at.entry,
    });
    const text = textAt(message, 'errorMessage');
    if (stop === 'error') {
      this.#list.push({ kind: 'mark', agent: MAIN, at: whole, says: 'error', message: text });
    } else if (stop === 'aborted') {
      this.#list.push({
        kind: 'entry',
        agent: MAIN,
        at: whole,
        text: text ?? 'The answer was stopped',
        says: 'interrupt',
        from: 'program',
      });
    }
  }

  #blockOf(
    block: Fields | undefined,
    raw: unknown,
    at: number | undefined,
    { aborted, line }: { readonly aborted: boolean; readonly line: number },
  ): OpenBlock | undefined {
    const type = textAt(block, 'type');
    if (type === 'text' || type === 'thinking') {
      const text = textAt(block, type) ?? '';
      return text === '' ? undefined : { kind: type, text, at };
    }
    if (type !== 'toolCall') return { kind: 'other', raw, at };
    const id = textAt(block, 'id');
    if (id !== undefined && this.#calls.has(id)) {
      this.#file.odd('repeated-call', `The call ${id} was already there; shown once`, line);
      return undefined;
    }
    const input = block?.arguments ?? {};
    const open: OpenCall = {
      id,
      tool: textAt(block, 'name') ?? 'unknown',
      input,
      askedAt: at,
      result: undefined,
      aborted,
    };
    if (id !== undefined) this.#calls.set(id, open);
    return { kind: 'call', open };
  }

  /** Results stand in the order of the calls; one that was written with another may have been there before it. */
  #takeResult(message: Fields, at: number | undefined, line: number): void {
    const id = textAt(message, 'toolCallId');
    // Calls that ran side by side have their results written together, those that ran in turn as each ended.
    const waited = at !== undefined && this.#resultAt !== undefined && at - this.#resultAt <= TOGETHER_MS;
    this.#resultAt = at;
    if (id === undefined) this.#file.odd('result-without-id', 'A result names no call and was left out', line);
    else this.#results.push({ id, line, result: { at, fields: message, waited } });
  }

  /** A command that the person typed: no call of the model. */
  #takeShell(message: Fields, at: number | undefined): void {
    const text = `! ${textAt(message, 'command') ?? ''}\n${textAt(message, 'output') ?? ''}`;
    this.#list.push({ kind: 'entry', agent: MAIN, at, text, says: 'said', from: 'person' });
  }

  done() {
    for (const { id, result, line } of this.#results) {
      const call = this.#file.callOf(id, this.#calls, (one) => one.result !== undefined, line);
      if (call !== undefined) call.result = result;
    }
    const path = this.#pathToLeaf();
    return { steps: this.#list.map((step) => plainStep(step, path)), agents: [] };
  }

  /** The branch the session ended on; entries beside it were left. Empty where the file has no tree. */
  #pathToLeaf(): ReadonlySet<string> {
    const path = new Set<string>();
    if (this.#parents.size === 0) return path;
    for (let id = this.#leaf; id !== undefined && !path.has(id); id = this.#parents.get(id)) path.add(id);
    return path;
  }
}

function plainStep(step: Listed, path: ReadonlySet<string>): PlainStep {
  if (step.kind !== 'message') return step;
  const { entry, blocks, ...message } = step;
  const group = blocks.some((block) => block.kind === 'call' && block.open.result?.waited) ? 0 : undefined;
  const plain = blocks.map(
    (block): PlainBlock => (block.kind === 'call' ? { kind: 'call', call: plainCall(block.open, group) } : block),
  );
  return { ...message, blocks: plain, left: path.size > 0 && entry !== undefined && !path.has(entry) };
}

const known = (at: number): BestTime => ({ at, source: 'measured', earliest: at, latest: at });

/** Nothing records a start; a result that stands behind another may have ended before it. */
function plainCall({ id, tool, input, askedAt, result, aborted }: OpenCall, group: number | undefined): PlainCall {
  const isError = result?.fields.isError === true;
  const details = fieldsOf(result?.fields.details);
  const shown = result === undefined ? undefined : resultOf(result.fields.content, isError);
  return {
    id,
    tool,
    input,
    askedAt,
    start: result === undefined && aborted ? 'never' : 'unknown',
    end: result === undefined ? 'open' : endOf(result, askedAt, group !== undefined),
    group,
    outcome: result === undefined ? (aborted ? 'interrupted' : 'unknown') : isError ? 'error' : 'ok',
    exit: undefined,
    refusal: undefined,
    cancel: result === undefined && aborted ? 'escape' : undefined,
    result: shown === undefined || details === undefined ? shown : { ...shown, display: { ...details } },
    isShell: tool === 'bash',
  };
}

function endOf({ at }: Result, askedAt: number | undefined, together: boolean): PlainCall['end'] {
  if (at === undefined) return 'unknown';
  if (!together || askedAt === undefined) return known(at);
  return { at, source: 'line-time', earliest: Math.min(askedAt, at), latest: at };
}

const textOf = (content: unknown): string => {
  if (typeof content === 'string') return content;
  const texts = (Array.isArray(content) ? content : []).map((one) => textAt(fieldsOf(one), 'text'));
  return texts.filter((text) => text !== undefined).join('\n');
};

function usageOf(raw: Fields | undefined): Usage {
  const cost = fieldsOf(raw?.cost);
  return numbersOf([
    ['inputTokens', numberAt(raw, 'input')],
    ['outputTokens', numberAt(raw, 'output')],
    ['cacheReadTokens', numberAt(raw, 'cacheRead')],
    ['cacheCreationTokens', numberAt(raw, 'cacheWrite')],
    ['costUsd', numberAt(cost, 'total')],
  ]);
}

/** What a line of a session, or of the event stream, looks like. */
export const isPiMessage = (entry: Fields): boolean => {
  const message = fieldsOf(entry.message);
  const role = textAt(message, 'role') ?? '';
  if (!/^(?:user|assistant|toolResult|bashExecution)$/.test(role)) return false;
  const blocks = listAt(message, 'content').map((one) => textAt(fieldsOf(one), 'type'));
  return (
    'stopReason' in (message ?? {}) ||
    'toolCallId' in (message ?? {}) ||
    blocks.includes('toolCall') ||
    typeof message?.timestamp === 'number'
  );
};
