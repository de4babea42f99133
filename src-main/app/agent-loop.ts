import type { Disposable } from '../../src-shared/disposable.ts';
import { lastCompaction } from '../../src-shared/history/state.ts';
import type { AgentId, BatchId, CallId, MessageId, RequestId, TurnId } from '../../src-shared/ids.ts';
import type { TurnEnd } from '../../src-shared/session/event.ts';
import type { SessionSettings } from '../../src-shared/session/settings.ts';
import type { CancelReason } from '../../src-shared/tool-call/event.ts';
import { MEASURED } from '../../src-shared/tool-call/timing.ts';
import { millis } from '../../src-shared/units.ts';
import { isFull } from '../core/compaction/plan.ts';
import { apiMessages } from '../core/conversation/api-messages.ts';
import { isForbidden } from '../core/permission/tool-rules.ts';
import { INTERRUPTED, INTERRUPTED_FOR_TOOL_USE, STOPPED_WITH_ITS_CALL } from '../core/results/texts.ts';
import type { Clock } from '../ports/clock.ts';
import { ModelFailure, type ModelItem, type ModelProvider, type ModelRequest } from '../ports/model-provider.ts';
import type { ToolRegistry } from '../ports/tool.ts';
import { takeUntil, whenAborted } from './abort.ts';
import { type CompactOrder, Compactor } from './compactor.ts';
import type { ContextHolder } from './context-holder.ts';
import { Executor, type ExecutorDeps, type TurnStop } from './executor.ts';
import { IncomingMessage } from './incoming-message.ts';
import type { MessageResults } from './message-results.ts';
import type { SessionLog } from './session-log.ts';
import { toolSchemas } from './tool-schemas.ts';
import type { TurnHooks } from './turn-hooks.ts';

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
  /** Gives each message's results their last form. */
  readonly results: Pick<MessageResults, 'settle' | 'lookAgain'>;
  /** Adds the messages that wait, at the next safe point. */
  readonly hooks: TurnHooks;
  /** The message that starts the turn is in the conversation already; otherwise it is the first one that waits. */
  readonly hasMessage: boolean;
  /** What the agent is and what its order calls it, for the provider. */
  readonly agent: { readonly agentType: string; readonly name: string };
  /** After so many requests the turn ends; 500 when left out. */
  readonly mostRequests?: number;
  /** A model of the agent's own; the provider's where it is left out. */
  readonly model?: string;
  /** What the agent is told of itself and its surroundings; the same in every request, for the prompt cache. */
  readonly system: () => string;
  /** What the turn's first request waits for. Ends with the signal. */
  readonly ready?: ((signal: AbortSignal) => Promise<void>) | undefined;
};

const MOST_REQUESTS_PER_TURN = 500;
const MOST_RETRIES = 5;
/** A stream that breaks is tried once more (spec 4.2). */
const MOST_BREAKS = 1;
const FIRST_RETRY_MS = 500;

type MessageResult =
  | { readonly kind: 'calls'; readonly executor: Executor }
  | { readonly kind: 'no-calls' }
  | { readonly kind: 'failed'; readonly message: string };

/** How a turn ended, and why where there is more to say. */
export type Ended = { readonly reason: TurnEnd; readonly message?: string };

/**
 * One turn: ask the model, run its calls as their blocks arrive, send the results, until it makes no call, a person
 * stops it, or it cannot go on (spec 4.2).
 */
export class AgentLoop {
  readonly #deps: LoopDeps;
  readonly #query = new AbortController();
  #executor: Executor | undefined;
  /** The model's stream of now, or the wait before a retry: what makes way for a message that interrupts. */
  #step: AbortController | undefined;
  /** After a stream that broke the answer is asked for whole (spec 4.2). */
  #streams = true;
  /** Why the turn is over as soon as its calls have ended. */
  #interrupted: CancelReason | undefined;
  readonly #compactor: Compactor;
  /** A person wants the conversation compacted, with these instructions. */
  #wanted: string | undefined;
  /** It could not be made shorter in this turn; what cannot be is not tried again and again. */
  #isStuck = false;

  constructor(deps: LoopDeps) {
    this.#deps = deps;
    const { log, agentId, provider, newId, context, results, hooks } = deps;
    this.#compactor = new Compactor({
      ...{ log, agentId, provider, newId, context, results, hooks },
      request: () => this.#request(),
      retryIn: (error, attempt) => retryDelay(error, attempt, error.kind === 'broken-stream' ? attempt : 0),
      wait: (ms) => this.#wait(ms),
    });
  }

  /** The conversation is compacted before the next request. */
  compactSoon(instructions: string): void {
    this.#wanted = instructions;
  }

  /** What `compactSoon` was told, and no request has come after it. */
  get wantsCompaction(): string | undefined {
    return this.#wanted;
  }

  /** A turn that only compacts the conversation. */
  async compact(turnId: TurnId, instructions: string): Promise<void> {
    const { log, agentId, hooks, provider, ready } = this.#deps;
    const { signal } = this.#query;
    log.append({ type: 'turn-started', turnId, agentId });
    const unwanted = await hooks.begin(provider.model, signal);
    await ready?.(signal);
    if (unwanted === undefined && !signal.aborted) {
      await this.#compactor.compact({ turnId, trigger: 'manual', instructions }, signal);
    }
    const reason = signal.aborted ? 'interrupted' : unwanted === undefined ? 'completed' : 'stopped-by-hook';
    log.append({ type: 'turn-ended', turnId, agentId, reason });
    log.sync();
  }

  async run(turnId: TurnId): Promise<Ended> {
    const { log, agentId } = this.#deps;
    log.append({ type: 'turn-started', turnId, agentId });
    const ended = await this.#loop(turnId);
    const { reason, message } = ended;
    log.append({ type: 'turn-ended', turnId, agentId, reason, ...(message === undefined ? {} : { message }) });
    log.sync();
    return ended;
  }

  async #loop(turnId: TurnId): Promise<Ended> {
    const early = await this.#begin();
    if (early !== undefined) return early;
    await this.#deps.ready?.(this.#query.signal);
    if (this.#interrupted !== undefined) return this.#stopped(INTERRUPTED, 'interrupted');
    const { mostRequests = MOST_REQUESTS_PER_TURN } = this.#deps;
    let rounds = 0;
    for (let request = 0; request < mostRequests; request++) {
      await this.#makeRoom(turnId);
      if (this.#interrupted !== undefined) return this.#stopped(INTERRUPTED, 'interrupted');
      const answer = await this.#ask(turnId);
      const ended = answer.kind === 'calls' ? await this.#afterCalls(answer.executor) : this.#afterWords(answer);
      if (ended !== undefined) return ended;
      const { anything, stopped } = await this.#deps.hooks.sendWaiting(this.#query.signal);
      if (this.#interrupted !== undefined) return this.#stopped(INTERRUPTED, 'interrupted');
      if (stopped !== undefined) return this.#stoppedByHooks([{ reason: stopped }]);
      if (anything || answer.kind === 'calls') continue;
      const after = await this.#deps.hooks.afterAnswer(rounds, this.#query.signal);
      if (this.#interrupted !== undefined) return this.#stopped(INTERRUPTED, 'interrupted');
      if (after.kind === 'stopped') return this.#stoppedByHooks([{ reason: after.reason }]);
      if (after.kind === 'end') return { reason: 'completed' };
      rounds = after.rounds;
    }
    return { reason: 'limit', message: `The turn was ended after ${mostRequests} requests.` };
  }

  /** Compacts the conversation where a person wants it, or it is nearly too long. */
  async #makeRoom(turnId: TurnId): Promise<void> {
    const { log, agentId } = this.#deps;
    const wanted = this.#wanted;
    this.#wanted = undefined;
    if (wanted !== undefined) await this.#compact({ turnId, trigger: 'manual', instructions: wanted });
    else if (!this.#isStuck && isFull(log.state, agentId)) {
      await this.#compact({ turnId, trigger: 'auto', instructions: '' });
    }
  }

  async #compact(order: CompactOrder): Promise<boolean> {
    const isShorter = await this.#compactor.compact(order, this.#query.signal);
    if (!isShorter) this.#isStuck = true;
    return isShorter;
  }

  /** Gives the turn's end when there is nothing to ask the model: hooks kept the message back, or a person did. */
  async #begin(): Promise<Ended | undefined> {
    const { hooks, provider, hasMessage } = this.#deps;
    const { signal } = this.#query;
    const unwanted = await hooks.begin(provider.model, signal);
    if (unwanted !== undefined) return this.#stoppedByHooks([{ reason: unwanted }]);
    const { anything, refused, stopped } = await hooks.sendWaiting(signal);
    if (this.#interrupted !== undefined) return this.#stopped(INTERRUPTED, 'interrupted');
    if (stopped !== undefined) return this.#stoppedByHooks([{ reason: stopped }]);
    if (anything || hasMessage || refused === undefined) return undefined;
    return { reason: 'stopped-by-hook', message: refused };
  }

  async #afterCalls(executor: Executor): Promise<Ended | undefined> {
    const finished = await executor.finished;
    this.#executor = undefined;
    await this.#deps.results.settle(finished.map(({ callId }) => callId));
    if (executor.refused) return this.#stopped(INTERRUPTED_FOR_TOOL_USE, 'rejected');
    if (this.#interrupted !== undefined) return this.#stopped(INTERRUPTED_FOR_TOOL_USE, 'interrupted');
    return executor.stops.length > 0 ? this.#stoppedByHooks(executor.stops) : undefined;
  }

  #afterWords(answer: Exclude<MessageResult, { kind: 'calls' }>): Ended | undefined {
    if (this.#interrupted !== undefined) return this.#stopped(INTERRUPTED, 'interrupted');
    return answer.kind === 'failed' ? { reason: 'error', message: answer.message } : undefined;
  }

  #stopped(text: string, reason: TurnEnd): { readonly reason: TurnEnd } {
    const { log, agentId, newId } = this.#deps;
    const messageId = newId('msg') as MessageId;
    const why = this.#interrupted;
    const isOthers = why === 'sibling_error' || why === 'discarded';
    const words = isOthers ? STOPPED_WITH_ITS_CALL : text;
    log.append({ type: 'user-message-added', messageId, agentId, text: words, from: 'program' });
    return { reason };
  }

  /** The results stay in the conversation and go to the model with the next message of a person (spec 2.9). */
  #stoppedByHooks(stops: readonly TurnStop[]): Ended {
    for (const stop of stops) this.#deps.log.append({ type: 'continuation-stopped', ...stop });
    return { reason: 'stopped-by-hook', ...(stops[0] === undefined ? {} : { message: stops[0].reason }) };
  }

  /** One message of the model, with retries. A broken stream discards what it had started (spec 1.9). */
  async #ask(turnId: TurnId): Promise<MessageResult> {
    const { log, agentId, newId } = this.#deps;
    let breaks = 0;
    let shortened = false;
    this.#streams = true;
    for (let attempt = 1; ; attempt++) {
      const requestId = newId('req') as RequestId;
      log.append({ type: 'request-started', requestId, agentId, turnId, attempt, timing: MEASURED });
      try {
        return await this.#receive(requestId);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        if (!(error instanceof ModelFailure)) {
          log.append({ type: 'request-failed', requestId, message });
          throw error;
        }
        if (error.kind === 'broken-stream') breaks++;
        this.#streams = breaks === 0;
        const retryInMs = this.#query.signal.aborted ? undefined : retryDelay(error, attempt, breaks);
        log.append({ type: 'request-failed', requestId, message, ...(retryInMs === undefined ? {} : { retryInMs }) });
        if (this.#query.signal.aborted) return { kind: 'no-calls' };
        if (error.kind === 'too-long' && !shortened) {
          shortened = true;
          if (await this.#compact({ turnId, trigger: 'too-long', instructions: '' })) continue;
          if (this.#query.signal.aborted) return { kind: 'no-calls' };
        }
        if (retryInMs === undefined) return { kind: 'failed', message };
        if ((await this.#wait(retryInMs)) === 'aborted') return { kind: 'no-calls' };
      }
    }
  }

  async #receive(requestId: RequestId): Promise<MessageResult> {
    const { log, agentId, newId } = this.#deps;
    const executor = this.#newExecutor();
    this.#executor = executor;
    const { clock } = this.#deps;
    const message = new IncomingMessage({
      log,
      agentId,
      newId,
      requestId,
      executor,
      clock,
      afterCall: (call) => this.#breakOnPurpose(call),
    });
    const step = this.#beginStep();
    try {
      await this.#stream(message, step.signal);
    } catch (error) {
      if (!step.signal.aborted) {
        await discard(executor, message);
        throw error;
      }
    } finally {
      this.#step = undefined;
    }
    if (step.signal.aborted) message.cutOff();
    if (!message.ended) {
      await discard(executor, message);
      throw new ModelFailure('broken-stream', 'The stream of the model ended in the middle of a message.', {
        retry: true,
      });
    }
    return executor.size > 0 ? { kind: 'calls', executor } : { kind: 'no-calls' };
  }

  /** Takes what comes until the message has ended. An abort ends it at once, also when the provider does not. */
  async #stream(message: IncomingMessage, signal: AbortSignal): Promise<void> {
    const { log, provider } = this.#deps;
    log.flush();
    if (log.failed) await log.whenWritten(signal);
    if (signal.aborted) return;
    const take = { item: (item: ModelItem) => message.take(item), isOver: () => message.ended };
    await takeUntil(provider.stream(this.#request(), signal), signal, take);
  }

  #request(): ModelRequest {
    const { log, agentId, agent, model, system, tools, context, runDeps } = this.#deps;
    const { deny } = runDeps.rules();
    const told = deny.length === 0 ? tools.all : tools.all.filter(({ name }) => !isForbidden(name, deny));
    const answersBefore = lastCompaction(log.state, agentId)?.answersBefore ?? 0;
    return {
      agent: { agentId, ...agent },
      ...(model === undefined ? {} : { model }),
      system: system(),
      messages: apiMessages(log.state, agentId),
      ...(answersBefore === 0 ? {} : { answersBefore }),
      tools: toolSchemas(told, context.current.discovered),
      stream: this.#streams,
    };
  }

  /** @throws ModelFailure when a fault breaks the stream behind this call. */
  #breakOnPurpose({
    callId,
    tool,
    input,
  }: {
    readonly callId: CallId;
    readonly tool: string;
    readonly input: unknown;
  }) {
    const { runDeps, context } = this.#deps;
    if (runDeps.debug.isIdle) return;
    if (runDeps.debug.strike('break-stream', { callId, toolName: tool, input, context: context.current }) === undefined)
      return;
    throw new ModelFailure('broken-stream', 'The stream was broken by a fault.', { retry: true });
  }

  #newExecutor(): Executor {
    const { log, tools, context, agentId, settings, runDeps, newId } = this.#deps;
    const executor = new Executor({
      log,
      tools,
      context,
      agentId,
      settings: settings(),
      newBatchId: () => newId('batch') as BatchId,
      runDeps,
      onTurnRefused: () => this.interrupt('escape'),
    });
    const attached = runDeps.debug.attach(executor);
    void executor.finished.then(() => attached.dispose());
    return executor;
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
    this.#step?.abort(reason);
    this.#executor?.interrupt(reason);
  }

  /**
   * The call that an agent works for was told to stop: its turn ends, and all its calls stop for the same reason. For a
   * message that interrupts, those that may not be stopped run to their end first; then the turn ends as well.
   * @param culprit the call whose failure is the reason.
   */
  end(reason: CancelReason, culprit: CallId | undefined): void {
    this.#interrupted ??= reason;
    this.#query.abort(reason);
    this.#step?.abort(reason);
    this.#executor?.stop(reason, culprit);
  }

  #beginStep(): AbortController {
    const step = new AbortController();
    if (this.#query.signal.aborted) step.abort(this.#query.signal.reason);
    this.#step = step;
    return step;
  }

  async #wait(ms: number): Promise<'over' | 'aborted'> {
    const aborted = whenAborted(this.#beginStep().signal);
    let timer: Disposable | undefined;
    const over = new Promise<'over'>((resolve) => {
      timer = this.#deps.clock.schedule(millis(ms), () => resolve('over'));
    });
    const how = await Promise.race([over, aborted.promise]);
    timer?.dispose();
    aborted.dispose();
    this.#step = undefined;
    return how;
  }
}

/** What of a broken message has started is stopped and never seen by the model again; waits until it has stopped. */
async function discard(executor: Executor, message: IncomingMessage): Promise<void> {
  message.discard();
  executor.discard();
  executor.messageEnded('cut-off');
  await executor.finished;
}

/** Exponential backoff; what the server asks for wins. Undefined: do not try again. */
function retryDelay(error: ModelFailure, attempt: number, breaks: number): number | undefined {
  if (!error.retry || attempt > MOST_RETRIES || breaks > MOST_BREAKS) return undefined;
  return Math.max(0, error.afterMs ?? FIRST_RETRY_MS * 2 ** (attempt - 1));
}
