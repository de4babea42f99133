import { assertNever } from '../../src-shared/assert-never.ts';
import type { AgentId, CallId, MessageId, RequestId } from '../../src-shared/ids.ts';
import type { Block } from '../../src-shared/model/event.ts';
import { withCost } from '../../src-shared/model/prices.ts';
import type { MessageEnd } from '../../src-shared/scheduler/types.ts';
import type { SessionState } from '../../src-shared/session/state.ts';
import type { Clock } from '../ports/clock.ts';
import { ModelFailure, type ModelItem } from '../ports/model-provider.ts';
import type { Executor } from './executor.ts';
import type { SessionLog } from './session-log.ts';

/** How often a block that is still on its way is told of, in ms. */
const GROWTH_EVERY_MS = 200;
/** Ids longer than this do not fit the journal; room is left for a number behind them. */
const MOST_ID_CHARACTERS = 380;

type Deps = {
  readonly log: SessionLog;
  readonly agentId: AgentId;
  readonly newId: (prefix: string) => string;
  readonly requestId: RequestId;
  readonly executor: Pick<Executor, 'add' | 'messageEnded'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** A call has been handed over. @throws ModelFailure to break the message off behind it. */
  readonly afterCall: (call: { readonly callId: CallId; readonly tool: string; readonly input: unknown }) => void;
};

type Ended = Extract<ModelItem, { type: 'message-ended' }>;
type Growing = Extract<ModelItem, { type: 'growing' }>;

/** Turns what the provider sends into events, and calls into work, as it arrives. */
export class IncomingMessage {
  readonly #deps: Deps;
  #messageId: MessageId | undefined;
  #model = '';
  #blocks = 0;
  #ended = false;
  #hasFilledWindow = false;
  /** Has it words, a call, or something of the server's own? Thoughts alone are no answer. */
  #hasAnswer = false;
  /** The block that is on its way. */
  #growth: { readonly kind: Growing['kind']; words: string; untold: string; size: number; toldAt: number } | undefined;
  /** The next number for an id that was used before. */
  readonly #numbers = new Map<string, number>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Nothing more may come. */
  get ended(): boolean {
    return this.#ended;
  }

  /** It was cut off because conversation and answer together fill the model's window. */
  get hasFilledWindow(): boolean {
    return this.#hasFilledWindow;
  }

  /** @throws ModelFailure when the provider sends a block outside of a message. */
  take(item: ModelItem): void {
    switch (item.type) {
      case 'message-started':
        this.#start(item);
        return;
      case 'growing':
        this.#grow(item);
        return;
      case 'text':
        this.#block({ kind: 'text', text: item.text });
        return;
      case 'thinking': {
        const signature = item.signature === undefined ? {} : { signature: item.signature };
        this.#block({ kind: 'thinking', text: item.text, ...signature });
        return;
      }
      case 'other':
        this.#block({ kind: 'other', raw: item.raw });
        return;
      case 'tool-use':
        this.#call(item, { input: item.input });
        return;
      case 'broken-tool-use':
        this.#call(item, { input: {}, problem: item.problem });
        return;
      case 'message-ended':
        this.#end(item);
        return;
      default:
        assertNever(item, 'item of a model');
    }
  }

  #start({ messageId, model, thoughtsRefused }: Extract<ModelItem, { type: 'message-started' }>): void {
    const { log, agentId, requestId } = this.#deps;
    this.#messageId = this.#uniqueMessageId(messageId);
    this.#model = model;
    log.append({
      type: 'message-started',
      requestId,
      messageId: this.#messageId,
      agentId,
      model,
      ...(thoughtsRefused === undefined ? {} : { thoughtsRefused }),
    });
  }

  #end({ stopReason, usage }: Ended): void {
    const { log, requestId, executor } = this.#deps;
    const messageId = this.#id();
    this.#ended = true;
    this.#hasFilledWindow = stopReason === 'model-context-window-exceeded';
    log.append({ type: 'message-completed', messageId, requestId, stopReason, usage: withCost(usage, this.#model) });
    const trouble = troubleOf(stopReason) ?? (this.#hasAnswer ? undefined : 'The model answered nothing.');
    if (trouble !== undefined) log.append({ type: 'notice-given', level: 'warning', text: trouble });
    log.sync();
    executor.messageEnded(howEnded(stopReason));
  }

  /** The stream was stopped by a person: what has arrived stays. */
  cutOff(): void {
    if (this.#ended) return;
    this.#ended = true;
    const { log, requestId, executor } = this.#deps;
    const messageId = this.#messageId;
    if (messageId === undefined) {
      log.append({ type: 'request-failed', requestId, message: 'It was stopped before the answer had begun.' });
    } else {
      this.#keepHalf();
      log.append({ type: 'message-completed', messageId, requestId, stopReason: 'unknown', usage: {} });
    }
    executor.messageEnded('cut-off');
  }

  /** Words a person has read stay in the conversation. Half a thought or half an input is nothing. */
  #keepHalf(): void {
    const { kind, words } = this.#growth ?? { kind: 'tool-use', words: '' };
    if (kind === 'text' && words.trim() !== '') this.#block({ kind, text: words });
  }

  /** The stream broke: nothing of it reaches the model again (spec 1.9). */
  discard(): void {
    if (this.#messageId !== undefined) {
      this.#deps.log.append({ type: 'attempt-discarded', messageId: this.#messageId });
    }
  }

  #call(item: { readonly id: string; readonly name: string }, how: { input: unknown; problem?: string }): void {
    const callId = this.#uniqueCallId(item.id);
    this.#block({ kind: 'tool-use', callId, tool: item.name });
    this.#deps.executor.add({ callId, messageId: this.#id(), tool: item.name, ...how });
    this.#deps.afterCall({ callId, tool: item.name, input: how.input });
  }

  /** Told a few times a second, so that a long answer is seen while it is written and the journal stays small. */
  #grow({ kind, added, name }: Growing): void {
    const { log, agentId, clock } = this.#deps;
    const now = clock.monotonic();
    this.#growth ??= { kind, words: '', untold: '', size: 0, toldAt: now };
    const growth = this.#growth;
    growth.size += added.length;
    if (kind !== 'tool-use') growth.untold += added;
    if (kind === 'text') growth.words += added;
    if (now - growth.toldAt < GROWTH_EVERY_MS) return;
    log.append({
      type: 'block-growing',
      messageId: this.#id(),
      agentId,
      index: this.#blocks,
      kind,
      added: growth.untold,
      size: growth.size,
      ...(name === undefined ? {} : { tool: name }),
    });
    growth.untold = '';
    growth.toldAt = now;
  }

  #block(block: Block): void {
    const { log, agentId } = this.#deps;
    this.#growth = undefined;
    this.#hasAnswer ||= block.kind === 'text' ? block.text.trim() !== '' : block.kind !== 'thinking';
    log.append({ type: 'block-arrived', messageId: this.#id(), agentId, index: this.#blocks++, block });
  }

  /** A model may use an id twice; results are told apart by id, so the second one gets a number. */
  #uniqueCallId(id: string): CallId {
    const { callIndex } = this.#deps.log.state;
    const base = id === '' ? this.#deps.newId('call') : id.slice(0, MOST_ID_CHARACTERS);
    let unique = base;
    while (callIndex[unique] !== undefined) {
      const number = this.#numbers.get(base) ?? 2;
      this.#numbers.set(base, number + 1);
      // Only letters, digits and lines: some servers take no other ids back.
      unique = `${base}_${number}`;
    }
    return unique as CallId;
  }

  /** Some servers give every message the same id. */
  #uniqueMessageId(id: string): MessageId {
    const { log, newId } = this.#deps;
    const fits = id !== '' && id.length <= MOST_ID_CHARACTERS;
    return (fits && !messageIdsOf(log.state).has(id) ? id : newId('msg')) as MessageId;
  }

  #id(): MessageId {
    if (this.#messageId === undefined) {
      throw new ModelFailure('broken-stream', 'The model sent a block before it started a message.', { retry: true });
    }
    return this.#messageId;
  }
}

/** How far a session's entries have been looked through, and what ids they have. Entries are only added. */
const lookedThrough = new WeakMap<SessionState, { entries: number; readonly ids: Set<string> }>();

/** All message ids of a session. Looks at each entry once, however long the session becomes. */
function messageIdsOf(state: SessionState): ReadonlySet<string> {
  const looked = lookedThrough.get(state) ?? { entries: 0, ids: new Set<string>() };
  lookedThrough.set(state, looked);
  for (; looked.entries < state.entries.length; looked.entries++) {
    const entry = state.entries[looked.entries];
    if (entry !== undefined && entry.kind !== 'notice') looked.ids.add(entry.messageId);
  }
  return looked.ids;
}

function howEnded(stopReason: Ended['stopReason']): MessageEnd {
  if (stopReason === 'refusal') return 'refused';
  return stopReason === 'max-tokens' || stopReason === 'model-context-window-exceeded' ? 'cut-off' : 'well';
}

function troubleOf(stopReason: Ended['stopReason']): string | undefined {
  switch (stopReason) {
    case 'refusal':
      return 'The model refused to go on with this message.';
    case 'max-tokens':
      return 'The message was cut off: it reached the most tokens a message may have.';
    case 'model-context-window-exceeded':
      return 'The message was cut off: the model’s context window is full.';
    default:
      return undefined;
  }
}
