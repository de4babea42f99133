import { type AgentId, MAIN_AGENT, type MessageId } from '../../src-shared/ids.ts';
import type { AssistantMessage, QueuedMessage } from '../../src-shared/session/state.ts';
import type { HookFacts } from '../core/hooks/hook-input.ts';
import type { HookText, MergedHooks } from '../core/hooks/merge.ts';
import { afterStopHooks } from '../core/hooks/stop-loop.ts';
import { contextReminder, stopFeedback } from '../core/hooks/texts.ts';
import type { SessionHooks } from './session-hooks.ts';
import type { SessionLog } from './session-log.ts';

export type TurnHooksDeps = {
  readonly hooks: SessionHooks;
  readonly log: SessionLog;
  readonly newId: (prefix: string) => string;
  readonly agentId: AgentId;
  /** Where the agent works now. */
  readonly cwd: () => string;
  /** How often in a row Stop hooks may keep a turn going. */
  readonly stopCap: number;
  /** What background shells have come to. */
  readonly shells?: { readonly takeNews: (agentId: AgentId) => readonly string[] };
};

/** What became of the messages that waited. */
export type Sent = {
  /** There is something new for the model to read. */
  readonly anything: boolean;
  /** Why hooks kept a message back. */
  readonly refused: string | undefined;
  /** A hook ends the turn, for this reason. */
  readonly stopped: string | undefined;
};

export type AfterAnswer =
  | { readonly kind: 'end' }
  /** There is a new message; `rounds` is how often in a row that has been so. */
  | { readonly kind: 'go-on'; readonly rounds: number }
  | { readonly kind: 'stopped'; readonly reason: string };

/** The hooks of an agent's turns: before messages go to the model, and when it has nothing more to do. */
export class TurnHooks {
  readonly #deps: TurnHooksDeps;
  readonly #source: 'startup' | 'resume' | 'fork';
  #begun = false;

  constructor(deps: TurnHooksDeps) {
    this.#deps = deps;
    const { turns, history } = deps.log.state;
    const own = turns.length - (history?.turns ?? 0);
    this.#source = own > 0 ? 'resume' : history === undefined ? 'startup' : 'fork';
  }

  /** The session begins with its first turn. Gives the reason when a hook ends that. */
  async begin(model: string, signal: AbortSignal): Promise<string | undefined> {
    if (this.#begun || this.#deps.agentId !== MAIN_AGENT) return undefined;
    this.#begun = true;
    const merged = await this.#run({ event: 'SessionStart', source: this.#source, model }, signal);
    this.#heed(merged);
    return merged.preventContinuation?.reason;
  }

  /** Adds the messages that wait to the conversation, but for those that hooks keep back. */
  async sendWaiting(signal: AbortSignal): Promise<Sent> {
    let anything = this.#addBackgroundOutput();
    let refused: string | undefined;
    for (let message = this.#nextWaiting(); message !== undefined; message = this.#nextWaiting()) {
      const merged = await this.#run({ event: 'UserPromptSubmit', prompt: message.text }, signal);
      // Its person may have taken it back meanwhile.
      if (this.#nextWaiting()?.messageId !== message.messageId) continue;
      if (merged.aborted) {
        // A person who stops the turn stops this too; what waits when the app ends is sent when it is opened again.
        if (signal.reason === 'escape') this.#keepBack(message, 'it was stopped while its hooks ran', false);
        break;
      }
      const stopped = merged.preventContinuation?.reason;
      const why = merged.block?.reason ?? stopped;
      if (why === undefined) {
        this.#send(message);
        this.#heed(merged);
        anything = true;
        continue;
      }
      refused = why;
      this.#keepBack(message, `a hook said no: ${why}`, merged.block?.hidesPrompt === true);
      if (stopped !== undefined) return { anything, refused, stopped };
    }
    return { anything, refused, stopped: undefined };
  }

  #nextWaiting(): QueuedMessage | undefined {
    // Only the main agent is written to.
    return this.#deps.agentId === MAIN_AGENT ? this.#deps.log.state.queuedMessages[0] : undefined;
  }

  #send({ messageId, text, images }: QueuedMessage): void {
    const { log, agentId } = this.#deps;
    const pictures = images.length === 0 ? {} : { images: [...images] };
    // Added before it is taken out of the queue: a crash between the two does not lose it.
    log.append({ type: 'user-message-added', messageId, agentId, text, from: 'person', ...pictures });
    log.append({ type: 'user-message-unqueued', messageId, why: 'sent' });
  }

  #keepBack({ messageId, text }: QueuedMessage, why: string, isHidden: boolean): void {
    const { log } = this.#deps;
    log.append({ type: 'user-message-unqueued', messageId, why: 'removed' });
    log.append({
      type: 'notice-given',
      level: 'warning',
      text: `A message was not sent: ${why}`,
      ...(isHidden ? {} : { detail: text }),
    });
  }

  /** Gives the reason when a hook does not want the conversation to be compacted. */
  async beforeCompaction(
    trigger: 'manual' | 'auto',
    customInstructions: string,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const merged = await this.#run({ event: 'PreCompact', trigger, customInstructions }, signal);
    return merged.block?.reason ?? merged.preventContinuation?.reason;
  }

  /** What hooks have to say at the session's start has gone with what was said; they may say it again. */
  async afterCompaction(model: string, signal: AbortSignal): Promise<void> {
    if (this.#deps.agentId !== MAIN_AGENT) return;
    this.#heed(await this.#run({ event: 'SessionStart', source: 'compact', model }, signal));
  }

  /** The model has made no call and nothing waits. Hooks may want it to go on (HR#stop-decision-control). */
  async afterAnswer(rounds: number, signal: AbortSignal): Promise<AfterAnswer> {
    const { log, agentId, stopCap } = this.#deps;
    const merged = await this.#run(this.#stopFacts(rounds > 0), signal);
    const after = afterStopHooks(merged, rounds, stopCap);
    if (after.kind === 'go-on') {
      this.#addProgramMessage(stopFeedback(after.text));
      return { kind: 'go-on', rounds: after.rounds };
    }
    if (after.warning !== undefined) log.append({ type: 'notice-given', level: 'warning', text: after.warning });
    const reason = merged.preventContinuation?.reason;
    return reason === undefined || agentId !== MAIN_AGENT ? { kind: 'end' } : { kind: 'stopped', reason };
  }

  #stopFacts(stopHookActive: boolean): HookFacts {
    const { log, agentId, hooks } = this.#deps;
    const facts = { stopHookActive, lastAssistantMessage: this.#lastAnswer() };
    if (agentId === MAIN_AGENT) return { event: 'Stop', ...facts };
    const agentType = log.state.agents.find((agent) => agent.agentId === agentId)?.agentType ?? '';
    return { event: 'SubagentStop', agentId, agentType, agentTranscriptPath: hooks.transcriptPath, ...facts };
  }

  #lastAnswer(): string {
    const { log, agentId } = this.#deps;
    const last = log.state.entries.findLast(
      (entry): entry is AssistantMessage => entry.kind === 'assistant' && entry.agentId === agentId && !entry.discarded,
    );
    return (last?.blocks ?? []).flatMap((block) => (block.kind === 'text' ? [block.text] : [])).join('\n');
  }

  #run(facts: HookFacts, signal: AbortSignal): Promise<MergedHooks> {
    const { hooks, agentId, cwd } = this.#deps;
    return hooks.run(facts, { cwd: cwd(), agentId }, signal);
  }

  #heed({ contexts, sessionTitle, aborted }: MergedHooks): void {
    if (aborted) return;
    this.#addReminders(contexts);
    if (sessionTitle !== undefined) this.#deps.log.append({ type: 'title-changed', title: sessionTitle });
  }

  /** Whether the model is to hear of it at once. How a shell ended can wait for the next message. */
  #addBackgroundOutput(): boolean {
    const news = this.#deps.shells?.takeNews(this.#deps.agentId) ?? [];
    if (news.length > 0) this.#addProgramMessage(news.join('\n'));
    if (this.#deps.agentId !== MAIN_AGENT) return false;
    const said = this.#deps.hooks.takeBackgroundOutput();
    this.#addReminders(said);
    return said.some(({ wakes }) => wakes);
  }

  #addReminders(texts: readonly HookText[]): void {
    if (texts.length > 0) this.#addProgramMessage(texts.map(contextReminder).join('\n'));
  }

  #addProgramMessage(text: string): void {
    const { log, agentId, newId } = this.#deps;
    log.append({ type: 'user-message-added', messageId: newId('msg') as MessageId, agentId, text, from: 'program' });
  }
}
