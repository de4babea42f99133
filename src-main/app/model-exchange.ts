import type { Disposable } from '../../src-shared/disposable.ts';
import { lastCompaction } from '../../src-shared/history/state.ts';
import type { AgentId, BatchId, CallId, RequestId, TurnId } from '../../src-shared/ids.ts';
import type { SessionSettings } from '../../src-shared/session/settings.ts';
import type { CancelReason } from '../../src-shared/tool-call/event.ts';
import { MEASURED } from '../../src-shared/tool-call/timing.ts';
import { millis } from '../../src-shared/units.ts';
import { apiMessages } from '../core/conversation/api-messages.ts';
import { isForbidden } from '../core/permission/tool-rules.ts';
import type { Clock } from '../ports/clock.ts';
import { ModelFailure, type ModelItem, type ModelProvider, type ModelRequest } from '../ports/model-provider.ts';
import type { ToolRegistry } from '../ports/tool.ts';
import { takeUntil, whenAborted } from './abort.ts';
import type { ContextHolder } from './context-holder.ts';
import { Executor, type ExecutorDeps } from './executor.ts';
import { IncomingMessage } from './incoming-message.ts';
import type { SessionLog } from './session-log.ts';
import { toolSchemas } from './tool-schemas.ts';

export type ExchangeDeps = {
  readonly log: SessionLog;
  readonly clock: Clock;
  readonly provider: ModelProvider;
  readonly tools: ToolRegistry;
  readonly context: ContextHolder;
  readonly agentId: AgentId;
  readonly settings: () => SessionSettings;
  readonly runDeps: ExecutorDeps['runDeps'];
  readonly newId: (prefix: string) => string;
  /** What the agent is and what its order calls it, for the provider. */
  readonly agent: { readonly agentType: string; readonly name: string };
  /** A model of the agent's own; the provider's where it is left out. */
  readonly model?: string;
  /** What the agent is told of itself and its surroundings; the same in every request, for the prompt cache. */
  readonly system: () => string;
  /** Ends with the turn. */
  readonly signal: AbortSignal;
  /** The model finds the conversation too long. Makes it shorter, or gives the reason why not, for the person. */
  readonly shorten: (turnId: TurnId) => Promise<string | undefined>;
  /** A person refused a call without a word. */
  readonly onTurnRefused: () => void;
};

const MOST_RETRIES = 5;
/** A stream that breaks is tried once more (spec 4.2). */
const MOST_BREAKS = 1;
const FIRST_RETRY_MS = 500;

export type Answer =
  | { readonly kind: 'calls'; readonly executor: Executor; readonly hasFilledWindow: boolean }
  | { readonly kind: 'no-calls'; readonly hasFilledWindow: boolean }
  | { readonly kind: 'failed'; readonly message: string };
/** The turn was stopped before the answer had begun. */
const NOTHING: Answer = { kind: 'no-calls', hasFilledWindow: false };

/**
 * One agent's exchange with its model: asks for a message, with retries, and starts its calls as their blocks arrive.
 * Whatever it waits for, the answer or the time of the next try, can be cut short.
 */
export class ModelExchange {
  readonly #deps: ExchangeDeps;
  #executor: Executor | undefined;
  /** The model's stream of now, or the wait before a retry: what makes way for a message that interrupts. */
  #step: AbortController | undefined;
  /** After a stream that broke the answer is asked for whole (spec 4.2). */
  #streams = true;

  constructor(deps: ExchangeDeps) {
    this.#deps = deps;
  }

  /** Runs the calls of the newest message, until `forget`. */
  get executor(): Executor | undefined {
    return this.#executor;
  }

  /** The calls of the newest message have all been answered. */
  forget(): void {
    this.#executor = undefined;
  }

  /** Ends the stream or the wait of now. */
  cut(reason: CancelReason): void {
    this.#step?.abort(reason);
  }

  /** One message of the model, with retries. A broken stream discards what it had started (spec 1.9). */
  async ask(turnId: TurnId): Promise<Answer> {
    const { log, agentId, newId } = this.#deps;
    let breaks = 0;
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
        const retryInMs = this.#deps.signal.aborted ? undefined : retryDelay(error, attempt, breaks);
        log.append({ type: 'request-failed', requestId, message, ...(retryInMs === undefined ? {} : { retryInMs }) });
        if (this.#deps.signal.aborted) return NOTHING;
        if (error.kind === 'too-long') {
          const problem = await this.#deps.shorten(turnId);
          if (this.#deps.signal.aborted) return NOTHING;
          if (problem === undefined) continue;
          return { kind: 'failed', message: `${message} ${problem}` };
        }
        if (retryInMs === undefined) return { kind: 'failed', message };
        if ((await this.wait(retryInMs)) === 'aborted') return NOTHING;
      }
    }
  }

  async #receive(requestId: RequestId): Promise<Answer> {
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
    const { hasFilledWindow } = message;
    return executor.size > 0 ? { kind: 'calls', executor, hasFilledWindow } : { kind: 'no-calls', hasFilledWindow };
  }

  /** Takes what comes until the message has ended. An abort ends it at once, also when the provider does not. */
  async #stream(message: IncomingMessage, signal: AbortSignal): Promise<void> {
    const { log, provider } = this.#deps;
    log.flush();
    if (log.failed) await log.whenWritten(signal);
    if (signal.aborted) return;
    const take = { item: (item: ModelItem) => message.take(item), isOver: () => message.ended };
    await takeUntil(provider.stream(this.request(), signal), signal, take);
  }

  /** What would be asked now. */
  request(): ModelRequest {
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
    const { log, tools, context, agentId, settings, runDeps, newId, onTurnRefused } = this.#deps;
    const executor = new Executor({
      log,
      tools,
      context,
      agentId,
      settings: settings(),
      newBatchId: () => newId('batch') as BatchId,
      runDeps,
      onTurnRefused,
    });
    const attached = runDeps.debug.attach(executor);
    void executor.finished.then(() => attached.dispose());
    return executor;
  }

  #beginStep(): AbortController {
    const step = new AbortController();
    if (this.#deps.signal.aborted) step.abort(this.#deps.signal.reason);
    this.#step = step;
    return step;
  }

  /** Waits before another try. */
  async wait(ms: number): Promise<'over' | 'aborted'> {
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
export function retryDelay(error: ModelFailure, attempt: number, breaks: number): number | undefined {
  const { retry, mostRetries = MOST_RETRIES } = error;
  if (!retry || attempt > Math.min(mostRetries, MOST_RETRIES) || breaks > MOST_BREAKS) return undefined;
  return Math.max(0, error.afterMs ?? FIRST_RETRY_MS * 2 ** (attempt - 1));
}
