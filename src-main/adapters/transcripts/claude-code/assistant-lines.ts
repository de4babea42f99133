import type { StopReason, Usage } from '../../../../src-shared/model/event.ts';
import { fieldsOf, listAt, numberAt } from '../common/fields.ts';
import type { BlockStory, CallStory, MessageStory } from '../common/story.ts';
import { MAX_ID, UniqueIds } from '../common/unique-ids.ts';
import { type Collector, type Current, inFileOrder } from './collect.ts';
import { type Block, blocksOf, type Line, Message, messageOf, type Usage as RawUsage } from './lines.ts';

const STOP_REASONS: Readonly<Record<string, StopReason>> = {
  end_turn: 'end-turn',
  tool_use: 'tool-use',
  max_tokens: 'max-tokens',
  model_context_window_exceeded: 'model-context-window-exceeded',
  refusal: 'refusal',
  stop_sequence: 'stop-sequence',
};

function usageOf(raw: RawUsage): Usage {
  const numbers: readonly (readonly [keyof Usage, number | undefined])[] = [
    ['inputTokens', raw.input_tokens],
    ['outputTokens', raw.output_tokens],
    ['cacheReadTokens', raw.cache_read_input_tokens],
    ['cacheCreationTokens', raw.cache_creation_input_tokens],
  ];
  return Object.fromEntries(numbers.filter(([, value]) => value !== undefined));
}

/** The model's messages: one block a line, held together by the message's id, with other lines in between. */
export class AssistantLines {
  readonly messages: MessageStory[] = [];
  readonly calls = new Map<string, CallStory>();
  readonly #collector: Collector;
  readonly #openMessages = new Map<string, Map<string, MessageStory>>();
  readonly #messageIds = new UniqueIds();
  readonly #callIds = new UniqueIds();
  #madeIds = 0;
  #areCallsSorted = true;
  #lastOrd = 0;

  constructor(collector: Collector) {
    this.#collector = collector;
  }

  handle(current: Current): void {
    const { line, place } = current;
    const parsed = typeof line.message === 'string' ? Message.parse({ content: line.message }) : undefined;
    const fields = parsed ?? fieldsOf(line.message);
    if (fields === undefined) {
      this.#collector.countUnknown('odd-message', 'assistant lines without a message', current.lineNo);
      return;
    }
    const raw = messageOf(fields);
    const message = this.#messageOf(current, raw);
    if (line.uuid !== undefined) message.lineUuids.push(line.uuid);
    if (!(place.at < message.last.at)) message.last = place;
    this.#noteUsage(message, raw, line);
    if (line.isApiErrorMessage) message.apiError = true;
    const replaced = listAt(line, 'supersedesUuids').filter((one): one is string => typeof one === 'string');
    if (replaced.length > 0) this.#collector.retractions.push({ uuids: new Set(replaced), place });
    const blocks = blocksOf(raw.content);
    blocks.forEach((block, position) => {
      this.#addBlock(current, message, block, blocks.length > 1 ? position : undefined);
    });
  }

  #noteUsage(message: MessageStory, raw: Message, line: Line): void {
    if (raw.stop_reason) message.stopReason = STOP_REASONS[raw.stop_reason] ?? 'unknown';
    const costUsd = numberAt(line, 'costUSD');
    if (costUsd !== undefined) message.usage = { ...message.usage, costUsd };
    // Repeated on every line and growing: the largest is the message's, the sum never is.
    if (raw.usage === undefined) return;
    if ((raw.usage.output_tokens ?? 0) < (message.usage.outputTokens ?? 0)) return;
    message.usage = { ...usageOf(raw.usage), ...(costUsd === undefined ? {} : { costUsd }) };
  }

  #messageOf(current: Current, raw: Message): MessageStory {
    const { line, place, agentKey } = current;
    let open = this.#openMessages.get(agentKey);
    if (open === undefined) {
      open = new Map();
      this.#openMessages.set(agentKey, open);
    }
    const known = raw.id === undefined ? undefined : open.get(raw.id);
    const sameRequest = known?.requestId === undefined || !line.requestId || known.requestId === line.requestId;
    if (known !== undefined && sameRequest) return known;
    const message: MessageStory = {
      id: this.#idOf(raw.id ?? line.uuid ?? `message-${place.ord}`),
      agentKey,
      requestId: line.requestId,
      model: raw.model ?? 'unknown',
      mode: this.#collector.mode,
      ofAgentFile: this.#collector.isAgentFile,
      version: line.version ?? this.#collector.version,
      first: place,
      last: place,
      calls: [],
      blocks: [],
      lineUuids: [],
      usage: {},
      stopReason: 'unknown',
      apiError: false,
      discardedAt: undefined,
    };
    if (raw.id !== undefined) open.set(raw.id, message);
    this.messages.push(message);
    return message;
  }

  /** As the files have them; see `Collector.finish`. */
  sort(): void {
    if (!inFileOrder(this.messages, ({ first }) => first.ord)) this.#areCallsSorted = false;
  }

  /** The calls in the order of the files. */
  inOrder(): ReadonlyMap<string, CallStory> {
    if (this.#areCallsSorted) return this.calls;
    const list = [...this.calls];
    inFileOrder(list, ([, { queued }]) => queued.ord);
    return new Map(list);
  }

  #idOf(wanted: string): string {
    const id = this.#messageIds.take(wanted);
    // Of two that share an id the one that comes first in the files has it as it is.
    if (id !== wanted && this.#collector.places.isBehind) this.#collector.isDisordered = true;
    return id;
  }

  /** A person has spoken: a message id that comes again after this belongs to a new message. */
  close(agentKey: string): void {
    this.#openMessages.delete(agentKey);
  }

  /**
   * `position` is given where a line holds several blocks: such lines may repeat and extend the blocks of earlier ones. A
   * text that is there already is history written once more.
   */
  #addBlock(current: Current, message: MessageStory, block: Block, position: number | undefined): void {
    const { place } = current;
    if (block.type === 'tool_use') {
      this.#addCall(current, message, block, position);
    } else if (block.type === 'tool_result') {
      this.#collector.results.add(current, block);
    } else if (block.type === 'text' || block.type === 'thinking') {
      const story: BlockStory = { kind: block.type, text: block.text ?? block.thinking ?? '', place };
      const before = position === undefined ? undefined : message.blocks[position];
      if (before?.kind === story.kind && story.text.startsWith(before.text)) {
        message.blocks[position as number] = { ...story, place: before.place };
      } else if (!message.blocks.some((other) => other.kind === story.kind && other.text === story.text)) {
        message.blocks.push(story);
      }
    } else {
      message.blocks.push({ kind: 'other', raw: block, place });
    }
  }

  #addCall(current: Current, message: MessageStory, block: Block, position: number | undefined): void {
    const { place, agentKey, lineNo } = current;
    const recorded = block.id || undefined;
    const known = recorded === undefined ? undefined : this.calls.get(recorded.slice(0, MAX_ID));
    if (known !== undefined) {
      if (place.ord < known.queued.ord) this.#collector.isDisordered = true;
      if (known.message !== message || position === undefined) {
        this.#collector.finding(lineNo, 'repeated-call', `The call ${recorded} was already there; shown once`);
      }
      return;
    }
    if (recorded === undefined)
      this.#collector.finding(lineNo, 'call-without-id', 'A call has no id; it cannot have a result');
    const id = this.#callIds.take(recorded ?? `call-without-id-${++this.#madeIds}`);
    const call: CallStory = {
      id,
      agentKey,
      message,
      index: message.calls.length,
      tool: block.name || 'unknown',
      input: block.input ?? {},
      queued: place,
      file: this.#collector.filePath,
      line: lineNo,
      evidence: {},
      result: undefined,
      shellId: undefined,
      hookDenial: undefined,
      background: undefined,
    };
    this.calls.set(id, call);
    if (place.ord < this.#lastOrd) this.#areCallsSorted = false;
    this.#lastOrd = place.ord;
    message.calls.push(call);
    message.blocks.push({ kind: 'call', call, place });
  }
}
