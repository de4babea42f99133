import { z } from 'zod';
import type { StopReason, Usage } from '../../../src-shared/model/event.ts';
import type { ModelItem } from '../../ports/model-provider.ts';
import type { MessageReader } from './message-reader.ts';
import { IncomingCalls, WireCall } from './openai-calls.ts';

const Text = z.string().nullish().catch(undefined);
const Count = z.number().nonnegative().nullish().catch(undefined);

const WireDelta = z.object({
  content: Text,
  refusal: Text,
  /** Thoughts, as DeepSeek and vLLM call them, and as OpenRouter and Ollama do. */
  reasoning_content: Text,
  reasoning: Text,
  tool_calls: z.array(WireCall).nullish().catch(undefined),
});
type WireDelta = z.output<typeof WireDelta>;

const WireChunk = z.object({
  id: Text,
  model: Text,
  choices: z
    .array(
      z.object({
        delta: WireDelta.nullish(),
        /** In an answer that is not streamed. */
        message: WireDelta.nullish(),
        finish_reason: Text,
      }),
    )
    .nullish(),
  usage: z
    .object({
      prompt_tokens: Count,
      completion_tokens: Count,
      prompt_tokens_details: z.object({ cached_tokens: Count }).nullish().catch(undefined),
    })
    .nullish()
    .catch(undefined),
});
type WireChunk = z.output<typeof WireChunk>;

const STOP_REASONS: Readonly<Record<string, StopReason>> = {
  stop: 'end-turn',
  tool_calls: 'tool-use',
  function_call: 'tool-use',
  length: 'max-tokens',
  content_filter: 'refusal',
};

/**
 * Reads the chunks of chat completions. A call is handed over when the next one begins or the message ends; words when
 * something else begins.
 *
 * https://platform.openai.com/docs/api-reference/chat-streaming
 */
export class OpenAiReader implements MessageReader {
  readonly #model: string;
  readonly #newId: (prefix: string) => string;
  readonly #calls: IncomingCalls;
  #hasStarted = false;
  #hasEnded = false;
  #words: { readonly kind: 'text' | 'thinking'; text: string } | undefined;
  #stopReason: StopReason | undefined;
  #refused = false;
  #usage: Usage | undefined;

  constructor(model: string, newId: (prefix: string) => string) {
    this.#model = model;
    this.#newId = newId;
    this.#calls = new IncomingCalls(() => newId('call'));
  }

  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  get isWhole(): boolean {
    return this.#stopReason !== undefined;
  }

  take(event: unknown): readonly ModelItem[] {
    const parsed = WireChunk.safeParse(event);
    return parsed.success && !this.#hasEnded ? this.#take(parsed.data) : [];
  }

  /** The numbers, which come after the reason, are missing with many servers. */
  finish(): readonly ModelItem[] {
    return this.#stopReason === undefined || this.#hasEnded ? [] : [this.#end(this.#stopReason)];
  }

  #take(chunk: WireChunk): readonly ModelItem[] {
    // Not a chunk of a message: somebody else answers at this address.
    if (!chunk.choices && !chunk.usage) return [];
    const items: ModelItem[] = [];
    if (!this.#hasStarted) {
      this.#hasStarted = true;
      const messageId = chunk.id || this.#newId('msg');
      items.push({ type: 'message-started', messageId, model: chunk.model || this.#model });
    }
    if (chunk.usage) this.#usage = usageOf(chunk.usage);
    const choice = chunk.choices?.[0];
    const delta = choice?.delta ?? choice?.message;
    if (delta && !this.isWhole) items.push(...this.#grow(delta));
    if (choice?.finish_reason && !this.isWhole) items.push(...this.#finishBlocks(choice.finish_reason));
    if (this.#stopReason !== undefined && this.#usage !== undefined) items.push(this.#end(this.#stopReason));
    return items;
  }

  #grow(delta: WireDelta): readonly ModelItem[] {
    const items: ModelItem[] = [];
    const thought = delta.reasoning_content || delta.reasoning;
    if (thought) items.push(...this.#say('thinking', thought));
    if (delta.content) items.push(...this.#say('text', delta.content));
    if (delta.refusal) {
      this.#refused = true;
      items.push(...this.#say('text', delta.refusal));
    }
    for (const call of delta.tool_calls ?? []) items.push(...this.#endWords(), ...this.#calls.take(call));
    return items;
  }

  #say(kind: 'text' | 'thinking', added: string): readonly ModelItem[] {
    const before = this.#words?.kind === kind ? [] : this.#endWords();
    this.#words ??= { kind, text: '' };
    this.#words.text += added;
    return [...before, { type: 'growing', kind, added }];
  }

  #endWords(): readonly ModelItem[] {
    const words = this.#words;
    this.#words = undefined;
    return words === undefined ? [] : [{ type: words.kind, text: words.text }];
  }

  #finishBlocks(reason: string): readonly ModelItem[] {
    const stopReason = STOP_REASONS[reason] ?? 'unknown';
    const calls = this.#calls.finish(stopReason === 'max-tokens');
    // Many servers say "stop" of a message that ends with calls.
    const isUse = this.#calls.any && (stopReason === 'end-turn' || stopReason === 'unknown');
    this.#stopReason = this.#refused ? 'refusal' : isUse ? 'tool-use' : stopReason;
    return [...this.#endWords(), ...calls];
  }

  #end(stopReason: StopReason): ModelItem {
    this.#hasEnded = true;
    return { type: 'message-ended', stopReason, usage: this.#usage ?? {} };
  }
}

/** As with Anthropic, input is what did not come from the cache. */
function usageOf({ prompt_tokens, completion_tokens, prompt_tokens_details }: NonNullable<WireChunk['usage']>): Usage {
  const cached = prompt_tokens_details?.cached_tokens;
  return {
    ...(prompt_tokens == null ? {} : { inputTokens: Math.max(0, prompt_tokens - (cached ?? 0)) }),
    ...(completion_tokens == null ? {} : { outputTokens: completion_tokens }),
    ...(cached == null ? {} : { cacheReadTokens: cached }),
  };
}
