import { z } from 'zod';
import type { StopReason, Usage } from '../../../src-shared/model/event.ts';
import type { ModelItem } from '../../ports/model-provider.ts';
import type { MessageReader } from './message-reader.ts';
import { callItem, cutOffCall } from './tool-input.ts';

const Count = z.number().nonnegative().nullish().catch(undefined);
const WireUsage = z
  .object({
    input_tokens: Count,
    output_tokens: Count,
    cache_read_input_tokens: Count,
    cache_creation_input_tokens: Count,
  })
  .nullish()
  .catch(undefined);

const WireBlock = z.looseObject({ type: z.string() });
type WireBlock = z.output<typeof WireBlock>;

const Text = z.string().nullish().catch(undefined);
const Index = z.number().int().catch(0);

/** The events that mean something to us. Servers add kinds and fields as they like. */
const WireEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('message_start'),
    message: z.object({ id: Text, model: Text, usage: WireUsage }),
  }),
  z.object({ type: z.literal('content_block_start'), index: Index, content_block: WireBlock }),
  z.object({
    type: z.literal('content_block_delta'),
    index: Index,
    delta: z.object({ type: z.string(), text: Text, thinking: Text, signature: Text, partial_json: Text }),
  }),
  z.object({ type: z.literal('content_block_stop'), index: Index }),
  z.object({
    type: z.literal('message_delta'),
    delta: z.object({ stop_reason: Text }).nullish(),
    usage: WireUsage,
  }),
  z.object({ type: z.literal('message_stop') }),
]);
type WireEvent = z.output<typeof WireEvent>;
type Delta = Extract<WireEvent, { type: 'content_block_delta' }>['delta'];

/** A whole message, as it is answered without streaming. */
const WireMessage = z.looseObject({
  content: z.array(WireBlock),
  stop_reason: Text,
  usage: WireUsage,
});

const STOP_REASONS: Readonly<Record<string, StopReason>> = {
  end_turn: 'end-turn',
  tool_use: 'tool-use',
  max_tokens: 'max-tokens',
  model_context_window_exceeded: 'model-context-window-exceeded',
  stop_sequence: 'stop-sequence',
  refusal: 'refusal',
};

/** A block that is on its way. */
type OpenBlock = { readonly start: WireBlock; text: string; json: string; signature: string | undefined };

/**
 * Reads the events of the Messages API. A block is handed over when its own `content_block_stop` has come.
 *
 * https://docs.claude.com/en/docs/build-with-claude/streaming
 */
export class AnthropicReader implements MessageReader {
  readonly #model: string;
  #hasStarted = false;
  #hasEnded = false;
  readonly #open = new Map<number, OpenBlock>();
  #stopReason: StopReason | undefined;
  #usage: Usage = {};

  /** @param model what was asked for, where the server does not say what answers. */
  constructor(model: string) {
    this.#model = model;
  }

  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  get isWhole(): boolean {
    return this.#hasEnded || this.#stopReason !== undefined;
  }

  take(event: unknown): readonly ModelItem[] {
    const parsed = WireEvent.safeParse(event);
    return parsed.success ? this.#take(parsed.data) : [];
  }

  /** Some servers stop after the reason, without `message_stop`. */
  finish(): readonly ModelItem[] {
    return this.#hasEnded || this.#stopReason === undefined ? [] : this.#end();
  }

  #take(event: WireEvent): readonly ModelItem[] {
    switch (event.type) {
      case 'message_start':
        return this.#start(event.message);
      case 'content_block_start':
        this.#open.set(event.index, blockOf(event.content_block));
        return [];
      case 'content_block_delta':
        return this.#grow(this.#open.get(event.index), event.delta);
      case 'content_block_stop':
        return this.#close(event.index, callItem);
      case 'message_delta':
        this.#count(event.usage);
        if (event.delta?.stop_reason) this.#stopReason = STOP_REASONS[event.delta.stop_reason] ?? 'unknown';
        return [];
      case 'message_stop':
        return this.#end();
    }
  }

  #start(message: Extract<WireEvent, { type: 'message_start' }>['message']): readonly ModelItem[] {
    this.#hasStarted = true;
    this.#count(message.usage);
    return [{ type: 'message-started', messageId: message.id ?? '', model: message.model || this.#model }];
  }

  #grow(block: OpenBlock | undefined, { text, thinking, signature, partial_json }: Delta): readonly ModelItem[] {
    if (block === undefined) return [];
    if (signature) block.signature = (block.signature ?? '') + signature;
    if (partial_json) {
      block.json += partial_json;
      if (block.start.type !== 'tool_use') return [];
      return [{ type: 'growing', kind: 'tool-use', added: partial_json, name: nameOf(block.start) }];
    }
    const kind = block.start.type;
    const added = kind === 'text' ? text : kind === 'thinking' ? thinking : undefined;
    if (!added || (kind !== 'text' && kind !== 'thinking')) return [];
    block.text += added;
    return [{ type: 'growing', kind, added }];
  }

  #close(index: number, call: typeof callItem): readonly ModelItem[] {
    const block = this.#open.get(index);
    if (block === undefined) return [];
    this.#open.delete(index);
    const { start, text, json, signature } = block;
    switch (start.type) {
      case 'text':
        return text === '' ? [] : [{ type: 'text', text }];
      case 'thinking':
        return [{ type: 'thinking', text, ...(signature === undefined ? {} : { signature }) }];
      case 'tool_use':
        return [call({ id: wordOf(start.id), name: nameOf(start), json: json === '' ? inputOf(start) : json })];
      default:
        return [{ type: 'other', raw: json === '' ? start : { ...start, input: jsonOr(json, start.input) } }];
    }
  }

  #end(): readonly ModelItem[] {
    if (this.#hasEnded) return [];
    this.#hasEnded = true;
    const left = [...this.#open.keys()].flatMap((index) => this.#close(index, cutOffCall));
    return [...left, { type: 'message-ended', stopReason: this.#stopReason ?? 'unknown', usage: this.#usage }];
  }

  /** Later counts are of the whole message so far. A zero never takes back a number: some servers send it for "as before". */
  #count(usage: z.output<typeof WireUsage>): void {
    const newest = (before: number | undefined, now: number | null | undefined) => now || (before ?? now ?? undefined);
    const counts = {
      inputTokens: newest(this.#usage.inputTokens, usage?.input_tokens),
      outputTokens: newest(this.#usage.outputTokens, usage?.output_tokens),
      cacheReadTokens: newest(this.#usage.cacheReadTokens, usage?.cache_read_input_tokens),
      cacheCreationTokens: newest(this.#usage.cacheCreationTokens, usage?.cache_creation_input_tokens),
    };
    this.#usage = Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== undefined));
  }
}

/** The events that a stream of the same message would have had. Undefined where it is no message. */
export function eventsOfMessage(message: unknown): readonly unknown[] | undefined {
  const parsed = WireMessage.safeParse(message);
  if (!parsed.success) return undefined;
  const { content, stop_reason, usage } = parsed.data;
  return [
    { type: 'message_start', message },
    ...content.flatMap((content_block, index) => [
      { type: 'content_block_start', index, content_block },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason }, usage },
    { type: 'message_stop' },
  ];
}

function blockOf(start: WireBlock): OpenBlock {
  const text = start.type === 'thinking' ? start.thinking : start.text;
  const signature = wordOf(start.signature);
  return { start, text: wordOf(text), json: '', signature: signature === '' ? undefined : signature };
}

const wordOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const nameOf = (start: WireBlock): string => wordOf(start.name);

/** An input that came whole with the start; a stream starts with an empty object. */
function inputOf(start: WireBlock): string {
  const json = JSON.stringify(start.input ?? {});
  return json === '{}' ? '' : json;
}

function jsonOr(json: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return otherwise;
  }
}
