import type { AgentId, BatchId, CallId, MessageId, RequestId, TurnId } from '../../src-shared/ids.ts';
import type { Block } from '../../src-shared/model/event.ts';
import type { TurnEnd } from '../../src-shared/session/event.ts';
import type { SessionSettings } from '../../src-shared/session/settings.ts';
import { MEASURED } from '../../src-shared/tool-call/timing.ts';
import { millis } from '../../src-shared/units.ts';
import { apiMessages } from '../core/conversation/api-messages.ts';
import { INTERRUPTED, INTERRUPTED_FOR_TOOL_USE } from '../core/results/texts.ts';
import type { Clock } from '../ports/clock.ts';
import { ModelFailure, type ModelItem, type ModelProvider } from '../ports/model-provider.ts';
import type { ToolRegistry } from '../ports/tool.ts';
import type { ContextHolder } from './context-holder.ts';
import { Executor, type ExecutorDeps } from './executor.ts';
import type { SessionLog } from './session-log.ts';

export type LoopDeps = {
  readonly log: SessionLog;
  readonly clock: Clock;
  readonly provider: ModelProvider;
  readonly tools: ToolRegistry;
  readonly context: ContextHolder;
  readonly agentId: AgentId;
  readonly settings: () => SessionSettings;
  readonly runDeps: ExecutorDeps['runDeps'];
  readonly newId: (prefix: string) => string;
  /** Messages typed while the turn ran; taken at the next safe point. */
  readonly takeQueued: () => readonly { readonly messageId: MessageId; readonly text: string }[];
  /** JSON Schemas of the tools, made once. */
  readonly toolSchemas: readonly {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: unknown;
  }[];
};

const MOST_REQUESTS_PER_TURN = 500;
const MOST_RETRIES = 5;
const FIRST_RETRY_MS = 500;

type MessageResult =
  | { readonly kind: 'calls'; readonly executor: Executor }
  | { readonly kind: 'no-calls' }
  | { readonly kind: 'failed'; readonly message: string };

/**
 * One turn: ask the model, run its calls as their blocks arrive, send the results, until it makes no call, a person
 * stops it, or it cannot go on (spec 4.2).
 */
export class AgentLoop {
  readonly #deps: LoopDeps;
  readonly #query = new AbortController();
  #executor: Executor | undefined;
  /** Aborts only the model's stream of now, so that a message that interrupts can be sent at once. */
  #stream: AbortController | undefined;
  #interrupted: 'escape' | 'shutdown' | undefined;

  constructor(deps: LoopDeps) {
    this.#deps = deps;
  }

  async run(turnId: TurnId): Promise<TurnEnd> {
    const { log, agentId } = this.#deps;
    log.append({ type: 'turn-started', turnId, agentId });
    const { reason, message } = await this.#loop(turnId);
    log.append({ type: 'turn-ended', turnId, agentId, reason, ...(message === undefined ? {} : { message }) });
    log.sync();
    return reason;
  }

  async #loop(turnId: TurnId): Promise<{ readonly reason: TurnEnd; readonly message?: string }> {
    for (let request = 0; request < MOST_REQUESTS_PER_TURN; request++) {
      this.#sendQueued();
      const answer = await this.#ask(turnId);
      if (answer.kind === 'calls') {
        await answer.executor.finished;
        this.#executor = undefined;
        if (answer.executor.refused) return this.#stopped(INTERRUPTED_FOR_TOOL_USE, 'rejected');
        if (this.#interrupted !== undefined) return this.#stopped(INTERRUPTED_FOR_TOOL_USE, 'interrupted');
        continue;
      }
      if (this.#interrupted !== undefined) return this.#stopped(INTERRUPTED, 'interrupted');
      if (answer.kind === 'failed') return { reason: 'error', message: answer.message };
      if (!this.#sendQueued()) return { reason: 'completed' };
    }
    return { reason: 'limit', message: `The turn was ended after ${MOST_REQUESTS_PER_TURN} requests.` };
  }

  #stopped(text: string, reason: TurnEnd): { readonly reason: TurnEnd } {
    const { log, agentId, newId } = this.#deps;
    const messageId = newId('msg') as MessageId;
    log.append({ type: 'user-message-added', messageId, agentId, text, from: 'program' });
    return { reason };
  }

  #sendQueued(): boolean {
    const { log, agentId, takeQueued } = this.#deps;
    const queued = takeQueued();
    for (const { messageId, text } of queued) {
      log.append({ type: 'user-message-unqueued', messageId, why: 'sent' });
      log.append({ type: 'user-message-added', messageId, agentId, text, from: 'person' });
    }
    return queued.length > 0;
  }

  /** One message of the model, with retries. A broken stream discards what it had started (spec 1.9). */
  async #ask(turnId: TurnId): Promise<MessageResult> {
    for (let attempt = 1; ; attempt++) {
      const requestId = this.#deps.newId('req') as RequestId;
      const { log, agentId } = this.#deps;
      log.append({ type: 'request-started', requestId, agentId, turnId, attempt, timing: MEASURED });
      log.flush();
      try {
        return await this.#receive(requestId);
      } catch (error) {
        if (this.#query.signal.aborted) return { kind: 'no-calls' };
        if (!(error instanceof ModelFailure)) throw error;
        const retryInMs = retryDelay(error, attempt);
        log.append({
          type: 'request-failed',
          requestId,
          message: error.message,
          ...(retryInMs === undefined ? {} : { retryInMs }),
        });
        if (retryInMs === undefined) return { kind: 'failed', message: error.message };
        await this.#wait(retryInMs);
        if (this.#query.signal.aborted) return { kind: 'no-calls' };
      }
    }
  }

  async #receive(requestId: RequestId): Promise<MessageResult> {
    const { log, provider, agentId, toolSchemas } = this.#deps;
    const executor = this.#newExecutor();
    this.#executor = executor;
    const stream = new AbortController();
    this.#stream = stream;
    const message = new IncomingMessage(this.#deps, requestId, executor);
    try {
      const request = { system: '', messages: apiMessages(log.state, agentId), tools: toolSchemas };
      for await (const item of provider.stream(request, stream.signal)) {
        if (stream.signal.aborted) break;
        message.take(item);
      }
    } catch (error) {
      if (!stream.signal.aborted) {
        await this.#discard(executor, message);
        throw error;
      }
    } finally {
      this.#stream = undefined;
    }
    if (stream.signal.aborted) message.cutOff();
    if (!message.ended) {
      await this.#discard(executor, message);
      throw new ModelFailure('broken-stream', 'The stream of the model ended in the middle of a message.', {
        retry: true,
      });
    }
    return executor.size > 0 ? { kind: 'calls', executor } : { kind: 'no-calls' };
  }

  async #discard(executor: Executor, message: IncomingMessage): Promise<void> {
    executor.discard();
    executor.messageEnded('cut-off');
    await executor.finished;
    message.discarded();
  }

  #newExecutor(): Executor {
    const { log, tools, context, agentId, settings, runDeps, newId } = this.#deps;
    return new Executor({
      log,
      tools,
      context,
      agentId,
      settings: settings(),
      newBatchId: () => newId('batch') as BatchId,
      runDeps,
      onTurnRefused: () => this.interrupt('escape'),
    });
  }

  /**
   * `escape` and `shutdown` stop every call, the stream and the turn. `interrupt` stops what may be stopped and lets
   * the turn go on with the message that waits (spec 1.7).
   */
  interrupt(reason: 'interrupt' | 'escape' | 'shutdown'): void {
    if (reason !== 'interrupt') {
      this.#interrupted ??= reason;
      this.#query.abort(reason);
    }
    this.#stream?.abort(reason);
    this.#executor?.interrupt(reason);
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#deps.clock.schedule(millis(ms), resolve);
      const onAbort = () => {
        timer.dispose();
        resolve();
      };
      this.#query.signal.addEventListener('abort', onAbort, { once: true });
    });
  }
}

/** Turns what the provider sends into events, and calls into work, as it arrives. */
class IncomingMessage {
  readonly #deps: LoopDeps;
  readonly #requestId: RequestId;
  readonly #executor: Executor;
  #messageId: MessageId | undefined;
  #blocks = 0;
  ended = false;

  constructor(deps: LoopDeps, requestId: RequestId, executor: Executor) {
    this.#deps = deps;
    this.#requestId = requestId;
    this.#executor = executor;
  }

  take(item: ModelItem): void {
    const { log, agentId } = this.#deps;
    switch (item.type) {
      case 'message-started':
        this.#messageId = item.messageId as MessageId;
        log.append({
          type: 'message-started',
          requestId: this.#requestId,
          messageId: this.#messageId,
          agentId,
          model: item.model,
        });
        return;
      case 'text':
      case 'thinking':
        this.#block({ kind: item.type, text: item.text });
        return;
      case 'tool-use': {
        const callId = this.#uniqueCallId(item.id);
        this.#block({ kind: 'tool-use', callId, tool: item.name });
        this.#executor.add({ callId, messageId: this.#id(), tool: item.name, input: item.input });
        return;
      }
      case 'message-ended':
        this.ended = true;
        log.append({
          type: 'message-completed',
          messageId: this.#id(),
          requestId: this.#requestId,
          stopReason: item.stopReason,
          usage: item.usage,
        });
        log.sync();
        this.#executor.messageEnded(
          item.stopReason === 'refusal' ? 'refused' : item.stopReason === 'max-tokens' ? 'cut-off' : 'well',
        );
    }
  }

  /** The stream was stopped by a person: what has arrived stays. */
  cutOff(): void {
    if (this.ended) return;
    this.ended = true;
    if (this.#messageId !== undefined) {
      this.#deps.log.append({
        type: 'message-completed',
        messageId: this.#messageId,
        requestId: this.#requestId,
        stopReason: 'unknown',
        usage: {},
      });
    }
    this.#executor.messageEnded('cut-off');
  }

  discarded(): void {
    if (this.#messageId !== undefined) {
      this.#deps.log.append({ type: 'attempt-discarded', messageId: this.#messageId });
    }
  }

  #block(block: Block): void {
    const { log, agentId } = this.#deps;
    log.append({ type: 'block-arrived', messageId: this.#id(), agentId, index: this.#blocks++, block });
  }

  /** A model may use an id twice; results are told apart by id, so the second one gets a number. */
  #uniqueCallId(id: string): CallId {
    const taken = this.#deps.log.state.callIndex;
    let unique = id;
    for (let n = 2; taken[unique] !== undefined; n++) unique = `${id}#${n}`;
    return unique as CallId;
  }

  #id(): MessageId {
    if (this.#messageId === undefined) {
      throw new ModelFailure('broken-stream', 'The model sent a block before it started a message.', { retry: true });
    }
    return this.#messageId;
  }
}

/** Exponential backoff; what the server asks for wins. Undefined: do not try again. */
function retryDelay(error: ModelFailure, attempt: number): number | undefined {
  if (!error.retry || attempt > MOST_RETRIES) return undefined;
  return error.afterMs ?? FIRST_RETRY_MS * 2 ** (attempt - 1);
}
