import type { CompactTrigger } from '../../src-shared/history/event.ts';
import { lastCompaction } from '../../src-shared/history/state.ts';
import type { AgentId, MessageId, RequestId, TurnId } from '../../src-shared/ids.ts';
import { withCost } from '../../src-shared/model/prices.ts';
import { contextOf } from '../../src-shared/session/tokens.ts';
import { MEASURED } from '../../src-shared/tool-call/timing.ts';
import { planCompaction, tokensNow } from '../core/compaction/plan.ts';
import { LETTERS_PER_TOKEN, lettersOf, lettersOfMessages } from '../core/compaction/sizes.ts';
import { summaryFrom, summaryMessage, summaryOrder } from '../core/compaction/words.ts';
import type { ApiMessage } from '../core/conversation/api-message.ts';
import { conversationText } from '../core/conversation/conversation-text.ts';
import type { Said } from '../core/conversation/in-conversation.ts';
import { ModelFailure, type ModelItem, type ModelProvider, type ModelRequest } from '../ports/model-provider.ts';
import { takeUntil } from './abort.ts';
import type { ContextHolder } from './context-holder.ts';
import type { MessageResults } from './message-results.ts';
import { onlyReadable } from './resumed-context.ts';
import type { SessionLog } from './session-log.ts';
import type { TurnHooks } from './turn-hooks.ts';

export type CompactorDeps = {
  readonly log: SessionLog;
  readonly agentId: AgentId;
  readonly provider: ModelProvider;
  readonly newId: (prefix: string) => string;
  readonly context: ContextHolder;
  readonly results: Pick<MessageResults, 'lookAgain'>;
  readonly hooks: Pick<TurnHooks, 'beforeCompaction' | 'afterCompaction'>;
  /** What would be asked now. */
  readonly request: () => ModelRequest;
  /** How long to wait before a request that failed is tried again; undefined when it is not. */
  readonly retryIn: (error: ModelFailure, attempt: number) => number | undefined;
  readonly wait: (ms: number) => Promise<'over' | 'aborted'>;
};

export type CompactOrder = {
  readonly turnId: TurnId;
  readonly trigger: CompactTrigger;
  readonly instructions: string;
};

type Summary = { readonly text: string; readonly requestId: RequestId };
type Answered =
  | ({ readonly kind: 'summary' } & Summary)
  /** `isTooLong`: it may help to show less. */
  | { readonly kind: 'failed'; readonly isTooLong: boolean; readonly message: string };

/** A conversation that is shown as a text is cut to so many tokens, or to half the window. */
const MOST_TEXT_TOKENS = 100_000;

/** Has the model put a summary in the place of an agent's conversation. Whatever goes wrong is told, and nothing is changed. */
export class Compactor {
  readonly #deps: CompactorDeps;

  constructor(deps: CompactorDeps) {
    this.#deps = deps;
  }

  /** Whether the conversation is shorter now. */
  async compact(order: CompactOrder, signal: AbortSignal): Promise<boolean> {
    const { log, agentId, hooks, provider } = this.#deps;
    const plan = planCompaction(log.state, agentId);
    if (plan === undefined) {
      if (order.trigger === 'manual') this.#tell('info', 'There is nothing to compact yet.');
      return false;
    }
    const { trigger, instructions } = order;
    const no = await hooks.beforeCompaction(trigger === 'manual' ? 'manual' : 'auto', instructions, signal);
    if (signal.aborted) return false;
    if (no !== undefined) {
      this.#tell('warning', `The conversation was not compacted: a hook said no: ${no}`);
      return false;
    }
    const before = this.#deps.request();
    const summary = await this.#summary(order, before, signal);
    if (summary === undefined) return false;
    this.#replace(order, plan, summary, before);
    await hooks.afterCompaction(provider.model, signal);
    log.sync();
    return true;
  }

  #replace(
    { trigger, instructions }: CompactOrder,
    { entriesBefore, kept }: NonNullable<ReturnType<typeof planCompaction>>,
    { text, requestId }: Summary,
    before: ModelRequest,
  ): void {
    const { log, agentId, context, results } = this.#deps;
    const summary = summaryFrom(text, context.current.todos);
    const constant = before.system.length + JSON.stringify(before.tools).length;
    const lettersBefore = constant + lettersOfMessages(before.messages);
    const lettersKept = kept.reduce((sum, entry) => sum + lettersOf(log.state, entry), 0);
    const lettersAfter = constant + summaryMessage(summary).length + lettersKept;
    const tokensBefore = tokensNow(log.state, agentId) ?? Math.round(lettersBefore / LETTERS_PER_TOKEN);
    const keptAnswers = answersIn(kept);
    log.append({
      type: 'context-compacted',
      agentId,
      trigger,
      summary,
      tokensBefore,
      tokensAfter: Math.round((tokensBefore * lettersAfter) / Math.max(1, lettersBefore)),
      entriesBefore,
      answersBefore:
        (lastCompaction(log.state, agentId)?.answersBefore ?? 0) +
        before.messages.filter(({ role }) => role === 'assistant').length -
        keptAnswers,
      requestId,
      ...(instructions === '' ? {} : { instructions }),
    });
    results.lookAgain();
    context.modify((now) => ({ ...now, readFiles: onlyReadable(log.state, agentId, now.readFiles) }));
  }

  /**
   * The summary that the model gives. It is asked behind the conversation itself, which its server has in its cache; where
   * that does not fit, or is answered with calls, it is shown the conversation as a text that fits.
   */
  async #summary(order: CompactOrder, now: ModelRequest, signal: AbortSignal): Promise<Summary | undefined> {
    const words = summaryOrder(order.instructions);
    const asked = { ...now, purpose: 'compact' as const };
    let last: Answered = { kind: 'failed', isTooLong: true, message: '' };
    if (order.trigger !== 'too-long') {
      last = await this.#ask(order, { ...asked, messages: withWords(now.messages, words) }, signal);
    }
    if (last.kind === 'failed' && last.isTooLong) {
      const messages = asText(now.messages, words, this.#room());
      last = await this.#ask(order, { ...asked, tools: [], messages }, signal);
    }
    if (last.kind === 'summary') return last;
    if (!signal.aborted)
      this.#tell('warning', 'The conversation could not be compacted. It goes on as it is.', last.message);
    return undefined;
  }

  /** One request with its retries. Its answer is no message of the conversation. */
  async #ask(order: CompactOrder, request: ModelRequest, signal: AbortSignal): Promise<Answered> {
    const { log, agentId, newId, retryIn, wait } = this.#deps;
    for (let attempt = 1; ; attempt++) {
      const requestId = newId('req') as RequestId;
      const { turnId } = order;
      log.append({
        type: 'request-started',
        requestId,
        agentId,
        turnId,
        attempt,
        timing: MEASURED,
        purpose: 'compact',
      });
      try {
        return { kind: 'summary', text: await this.#receive(requestId, request, signal), requestId };
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        const isKnown = error instanceof ModelFailure;
        const retryInMs = isKnown && !signal.aborted ? retryIn(error, attempt) : undefined;
        log.append({ type: 'request-failed', requestId, message, ...(retryInMs === undefined ? {} : { retryInMs }) });
        if (!isKnown && !(error instanceof NoSummary)) throw error;
        const isTooLong = !isKnown || error.kind === 'too-long';
        if (retryInMs === undefined || (await wait(retryInMs)) === 'aborted')
          return { kind: 'failed', isTooLong, message };
      }
    }
  }

  /** @throws ModelFailure; NoSummary when there are no words in the answer, or the signal has ended it. */
  async #receive(requestId: RequestId, request: ModelRequest, signal: AbortSignal): Promise<string> {
    const { log, provider, newId } = this.#deps;
    log.flush();
    if (log.failed) await log.whenWritten(signal);
    if (signal.aborted) throw new NoSummary('It was stopped.');
    let text = '';
    let model = request.model ?? provider.model;
    let end: Extract<ModelItem, { type: 'message-ended' }> | undefined;
    const item = (news: ModelItem): void => {
      if (news.type === 'message-started') model = news.model;
      if (news.type === 'text') text += news.text;
      if (news.type === 'message-ended') end = news;
    };
    await takeUntil(provider.stream(request, signal), signal, { item, isOver: () => end !== undefined });
    if (signal.aborted) throw new NoSummary('It was stopped.');
    if (end === undefined) {
      throw new ModelFailure('broken-stream', 'The stream of the model ended in the middle of the summary.', {
        retry: true,
      });
    }
    if (text.trim() === '') throw new NoSummary('The model gave no summary.');
    const messageId = newId('msg') as MessageId;
    const { stopReason, usage } = end;
    log.append({ type: 'message-completed', messageId, requestId, stopReason, usage: withCost(usage, model) });
    return text;
  }

  /** Letters of a conversation that is shown as a text. */
  #room(): number {
    const { log, agentId } = this.#deps;
    const window = contextOf(log.state, agentId)?.window ?? Number.POSITIVE_INFINITY;
    return Math.min(MOST_TEXT_TOKENS, window / 2) * LETTERS_PER_TOKEN;
  }

  #tell(level: 'info' | 'warning', text: string, detail?: string): void {
    this.#deps.log.append({ type: 'notice-given', level, text, ...(detail === undefined ? {} : { detail }) });
  }
}

/** The answer was none, or has not come. */
class NoSummary extends Error {
  override readonly name = 'NoSummary';
}

/** The messages with words of the program behind them. */
function withWords(messages: readonly ApiMessage[], text: string): readonly ApiMessage[] {
  const words = { type: 'text', text } as const;
  const last = messages.at(-1);
  if (last?.role !== 'user') return [...messages, { role: 'user', content: [words] }];
  return [...messages.slice(0, -1), { role: 'user', content: [...last.content, words] }];
}

const asText = (messages: readonly ApiMessage[], words: string, most: number): readonly ApiMessage[] => [
  {
    role: 'user',
    content: [
      { type: 'text', text: `<conversation>\n${conversationText(messages, most)}\n</conversation>\n\n${words}` },
    ],
  },
];

const answersIn = (kept: readonly Said[]): number =>
  kept.filter((entry) => entry.kind === 'assistant' && !entry.discarded && entry.blocks.length > 0).length;
