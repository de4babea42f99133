import type { AgentId, CallId } from '../../src-shared/ids.ts';
import { callById } from '../../src-shared/session/state.ts';
import type { ContentBlock, ToolResult } from '../../src-shared/tool-call/content.ts';
import type { ToolCall } from '../../src-shared/tool-call/state.ts';
import { callsInConversation } from '../core/conversation/in-conversation.ts';
import { fingerprintOf } from '../core/results/fingerprint.ts';
import { charactersOf, PREVIEW_BYTES } from '../core/results/large-results.ts';
import { duplicateMessage, type MessageResult, mayRepeat, replacementsFor } from '../core/results/message-results.ts';
import { describeCall } from '../core/results/texts.ts';
import type { ResultFiles } from '../ports/result-files.ts';
import type { ToolRegistry } from '../ports/tool.ts';
import { savedInstead } from './save-stage.ts';
import type { SessionLog } from './session-log.ts';

/** About what the message of a saved result has: the preview and the words round it. */
const SAVED_CHARACTERS = PREVIEW_BYTES + 300;

type Deps = {
  readonly log: SessionLog;
  readonly tools: ToolRegistry;
  readonly files: ResultFiles;
  /** Whose conversation it is: a result that another agent was sent is no reference for this one. */
  readonly agentId: AgentId;
};
type Ended = Extract<ToolCall, { phase: 'completed' | 'yielded' }>;

/**
 * Remembers which results an agent's conversation holds, and gives each message's results their last form before they
 * are sent for the first time (spec 2.8). What was decided lies in the journal; a reopened session decides nothing anew.
 */
export class MessageResults {
  readonly #deps: Deps;
  readonly #sent = new Map<string, CallId>();

  constructor(deps: Deps) {
    this.#deps = deps;
    this.lookAgain();
  }

  /** The conversation was shortened: nothing may point to a result that it does not hold any more. */
  lookAgain(): void {
    const { log, agentId } = this.#deps;
    this.#sent.clear();
    for (const callId of callsInConversation(log.state, agentId)) {
      const call = this.#ended(callId);
      if (call !== undefined && call.end.outcome !== 'discarded' && call.replaced?.why !== 'duplicate') {
        this.#remember(call);
      }
    }
  }

  #remember(call: Ended): void {
    const fingerprint = comparable(call.end.result);
    if (fingerprint !== undefined && !this.#sent.has(fingerprint)) this.#sent.set(fingerprint, call.callId);
  }

  /** @param callIds the calls of one message, in order. */
  async settle(callIds: readonly CallId[]): Promise<void> {
    const { log, tools } = this.#deps;
    const calls = callIds.flatMap((callId) => this.#ended(callId) ?? []);
    const results = calls.map(
      (call): MessageResult => ({
        callId: call.callId,
        result: call.end.result,
        mayBeSaved: tools.find(call.tool)?.maxResultSizeChars !== Number.POSITIVE_INFINITY,
        isSaved: call.saved !== undefined,
        fingerprint: comparable(call.end.result),
      }),
    );
    const { messageBudget } = log.state.settings;
    for (const replacement of replacementsFor(results, this.#sent, messageBudget, SAVED_CHARACTERS)) {
      const call = this.#ended(replacement.callId);
      if (call === undefined) continue;
      if (replacement.kind === 'duplicate') this.#pointTo(call, replacement.sameAs);
      else await this.#save(call);
    }
    for (const call of calls) if (callById(log.state, call.callId)?.replaced?.why !== 'duplicate') this.#remember(call);
  }

  #ended(callId: CallId): Ended | undefined {
    const call = callById(this.#deps.log.state, callId);
    return call !== undefined && isEnded(call) ? call : undefined;
  }

  #pointTo(call: Ended, sameAs: CallId): void {
    const { log } = this.#deps;
    const earlier = callById(log.state, sameAs);
    const name = earlier === undefined ? sameAs : describeCall(earlier);
    const text = duplicateMessage(name, sameAs, charactersOf(call.end.result));
    log.append({ type: 'result-deduplicated', callId: call.callId, sameAs });
    log.append({ type: 'result-replaced', callId: call.callId, why: 'duplicate', content: [{ type: 'text', text }] });
  }

  async #save(call: Ended): Promise<void> {
    const { log, files } = this.#deps;
    const { callId, tool } = call;
    const { result } = call.end;
    const own = { ...result, content: result.content.filter((block, at) => !isReminder(block, at)) };
    const content = await savedInstead({ files, record: (facts) => log.append(facts), tool, callId }, own);
    const reminders = result.content.filter(isReminder);
    log.append({ type: 'result-replaced', callId, why: 'budget', content: [...content, ...reminders] });
  }
}

/** Hashing is left out for the many results that are too short to be pointed to. */
const comparable = (result: ToolResult): string | undefined => (mayRepeat(result) ? fingerprintOf(result) : undefined);

/** What Gantry and hooks have put behind a tool's own words; in a file nobody would read it. */
const isReminder = (block: ContentBlock, at: number): boolean =>
  at > 0 && block.type === 'text' && block.text.startsWith('<system-reminder>');

const isEnded = (call: ToolCall): call is Ended => call.phase === 'completed' || call.phase === 'yielded';
