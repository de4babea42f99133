import type { CallId, MessageId, TurnId } from '../../src-shared/ids.ts';
import type { TurnEnd } from '../../src-shared/session/event.ts';
import type { CancelReason } from '../../src-shared/tool-call/event.ts';
import { isFull } from '../core/compaction/plan.ts';
import { CANNOT_SHORTEN, GO_ON_FROM_CUT, STILL_TOO_LONG, WINDOW_FULL } from '../core/compaction/words.ts';
import { INTERRUPTED, INTERRUPTED_FOR_TOOL_USE, STOPPED_WITH_ITS_CALL } from '../core/results/texts.ts';
import { type CompactOrder, Compactor } from './compactor.ts';
import type { Executor, TurnStop } from './executor.ts';
import type { MessageResults } from './message-results.ts';
import { type Answer, type ExchangeDeps, ModelExchange, retryDelay } from './model-exchange.ts';
import type { TurnHooks } from './turn-hooks.ts';

export type LoopDeps = Omit<ExchangeDeps, 'signal' | 'shorten' | 'onTurnRefused'> & {
  /** Gives each message's results their last form. */
  readonly results: Pick<MessageResults, 'settle' | 'lookAgain'>;
  /** Adds the messages that wait, at the next safe point. */
  readonly hooks: TurnHooks;
  /** The message that starts the turn is in the conversation already; otherwise it is the first one that waits. */
  readonly hasMessage: boolean;
  /** After so many requests the turn ends; 500 when left out. */
  readonly mostRequests?: number;
  /** What the turn's first request waits for. Ends with the signal. */
  readonly ready?: ((signal: AbortSignal) => Promise<void>) | undefined;
};

const MOST_REQUESTS_PER_TURN = 500;

/** How a turn ended, and why where there is more to say. */
export type Ended = { readonly reason: TurnEnd; readonly message?: string };

/**
 * One turn: ask the model, run its calls as their blocks arrive, send the results, until it makes no call, a person
 * stops it, or it cannot go on (spec 4.2).
 */
export class AgentLoop {
  readonly #deps: LoopDeps;
  readonly #query = new AbortController();
  readonly #exchange: ModelExchange;
  /** Why the turn is over as soon as its calls have ended. */
  #interrupted: CancelReason | undefined;
  readonly #compactor: Compactor;
  /** A person wants the conversation compacted, with these instructions. */
  #wanted: string | undefined;
  /** It could not be made shorter in this turn; what cannot be is not tried again and again. */
  #isStuck = false;
  /** It was made shorter because the model said so, and the model has not answered since. */
  #wasShortened = false;

  constructor(deps: LoopDeps) {
    this.#deps = deps;
    this.#exchange = new ModelExchange({
      ...deps,
      signal: this.#query.signal,
      shorten: (turnId) => this.#shorten(turnId),
      onTurnRefused: () => this.interrupt('escape'),
    });
    const { log, agentId, provider, newId, context, results, hooks } = deps;
    this.#compactor = new Compactor({
      ...{ log, agentId, provider, newId, context, results, hooks },
      request: () => this.#exchange.request(),
      retryIn: (error, attempt) => retryDelay(error, attempt, error.kind === 'broken-stream' ? attempt : 0),
      wait: (ms) => this.#exchange.wait(ms),
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
      const answer = await this.#exchange.ask(turnId);
      const ended = answer.kind === 'calls' ? await this.#afterCalls(answer.executor) : this.#afterWords(answer);
      if (ended !== undefined) return ended;
      const isCut = answer.kind !== 'failed' && answer.hasFilledWindow;
      const full = isCut ? await this.#afterCut(turnId, answer.kind) : undefined;
      if (full !== undefined) return full;
      this.#wasShortened = isCut;
      const { anything, stopped } = await this.#deps.hooks.sendWaiting(this.#query.signal);
      if (this.#interrupted !== undefined) return this.#stopped(INTERRUPTED, 'interrupted');
      if (stopped !== undefined) return this.#stoppedByHooks([{ reason: stopped }]);
      if (anything || isCut || answer.kind === 'calls') continue;
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

  /**
   * Makes the conversation shorter because the model finds it too long. What is too long directly afterwards too cannot be
   * helped. Gives the reason, for the person, where it is as long as before.
   */
  async #shorten(turnId: TurnId): Promise<string | undefined> {
    if (this.#wasShortened) return STILL_TOO_LONG;
    this.#wasShortened = await this.#compact({ turnId, trigger: 'too-long', instructions: '' });
    return this.#wasShortened ? undefined : CANNOT_SHORTEN;
  }

  /** The window was full in the middle of a message: it goes on in a shorter conversation, or the turn ends. */
  async #afterCut(turnId: TurnId, kind: 'calls' | 'no-calls' | 'failed'): Promise<Ended | undefined> {
    const { log, agentId, newId } = this.#deps;
    const problem = await this.#shorten(turnId);
    if (this.#interrupted !== undefined) return this.#stopped(INTERRUPTED, 'interrupted');
    if (problem !== undefined) return { reason: 'error', message: `${WINDOW_FULL} ${problem}` };
    if (kind === 'no-calls') {
      const messageId = newId('msg') as MessageId;
      log.append({ type: 'user-message-added', messageId, agentId, text: GO_ON_FROM_CUT, from: 'program' });
    }
    return undefined;
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
    this.#exchange.forget();
    await this.#deps.results.settle(finished.map(({ callId }) => callId));
    if (executor.refused) return this.#stopped(INTERRUPTED_FOR_TOOL_USE, 'rejected');
    if (this.#interrupted !== undefined) return this.#stopped(INTERRUPTED_FOR_TOOL_USE, 'interrupted');
    return executor.stops.length > 0 ? this.#stoppedByHooks(executor.stops) : undefined;
  }

  #afterWords(answer: Exclude<Answer, { kind: 'calls' }>): Ended | undefined {
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

  /**
   * `escape` and `shutdown` stop every call, the stream and the turn. `interrupt` stops what may be stopped and lets
   * the turn go on with the message that waits (spec 1.7).
   */
  interrupt(reason: 'interrupt' | 'escape' | 'shutdown'): void {
    if (reason !== 'interrupt') {
      this.#interrupted ??= reason;
      this.#query.abort(reason);
    }
    this.#exchange.cut(reason);
    this.#exchange.executor?.interrupt(reason);
  }

  /**
   * The call that an agent works for was told to stop: its turn ends, and all its calls stop for the same reason. For a
   * message that interrupts, those that may not be stopped run to their end first; then the turn ends as well.
   * @param culprit the call whose failure is the reason.
   */
  end(reason: CancelReason, culprit: CallId | undefined): void {
    this.#interrupted ??= reason;
    this.#query.abort(reason);
    this.#exchange.cut(reason);
    this.#exchange.executor?.stop(reason, culprit);
  }
}
