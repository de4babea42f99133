import type { Disposable } from '../../src-shared/disposable.ts';
import { type AskId, type CallId, MAIN_AGENT, type SessionId } from '../../src-shared/ids.ts';
import type { SessionEvent } from '../../src-shared/session/event.ts';
import { type Millis, millis } from '../../src-shared/units.ts';
import type { NotificationChoice } from '../core/settings/settings.ts';
import type { Attention } from '../ports/attention.ts';
import type { Clock } from '../ports/clock.ts';

/** Somebody who is about to answer is not called; somebody who is away is. */
const UNSEEN_MS = millis(2_000);
/** For questions that came up before the person's eyes (design 15). */
const SEEN_MS = millis(30_000);

type Waiting = {
  readonly sessionId: SessionId;
  readonly askId: AskId;
  readonly callId: CallId;
  readonly question: string;
  /** By the clock that never jumps. */
  readonly at: Millis;
  /** A window had the keyboard when it was asked. */
  readonly seen: boolean;
  told: boolean;
};

export type AttentionDeps = {
  readonly attention: Attention;
  readonly clock: Clock;
  readonly choice: () => NotificationChoice;
  readonly titleOf: (sessionId: SessionId) => string;
  /** Brings a window to the front that shows the session, with the card of this question open. */
  readonly show: (sessionId: SessionId, askId: AskId | undefined) => void;
};

/**
 * Calls a person who looks elsewhere: the badge counts the questions that wait, of all sessions; a notification tells of
 * each once, after a moment in which they may come back; another, without a sound, that a turn has ended.
 */
export class AttentionDesk {
  readonly #deps: AttentionDeps;
  readonly #waiting = new Map<AskId, Waiting>();
  #timer: Disposable | undefined;

  constructor(deps: AttentionDeps) {
    this.#deps = deps;
  }

  /** New events of a session that runs here. */
  take(sessionId: SessionId, events: readonly SessionEvent[]): void {
    const before = this.#waiting.size;
    for (const event of events) this.#apply(sessionId, event);
    if (this.#waiting.size !== before) this.#deps.attention.badge(this.#waiting.size);
    this.#plan();
  }

  /** A window has got or lost the keyboard. */
  focusChanged(): void {
    this.#plan();
  }

  #apply(sessionId: SessionId, event: SessionEvent): void {
    switch (event.type) {
      case 'permission-asked': {
        const { askId, callId, question } = event;
        const { attention, clock } = this.#deps;
        const seen = attention.isFocused();
        const at = clock.monotonic();
        this.#waiting.set(askId, { sessionId, askId, callId, question: question.title, at, seen, told: false });
        return;
      }
      case 'permission-settled':
        if (event.askId !== undefined) this.#waiting.delete(event.askId);
        return;
      case 'call-completed':
        this.#forget((one) => one.sessionId === sessionId && one.callId === event.callId);
        return;
      case 'session-ended':
        this.#forget((one) => one.sessionId === sessionId);
        return;
      case 'turn-ended':
        if (event.agentId === MAIN_AGENT) this.#turnEnded(sessionId, event.reason);
        return;
      default:
    }
  }

  #forget(isMeant: (one: Waiting) => boolean): void {
    for (const [askId, one] of this.#waiting) if (isMeant(one)) this.#waiting.delete(askId);
  }

  /** Nobody needs to be told of what they have stopped or denied themselves. */
  #turnEnded(sessionId: SessionId, reason: string): void {
    const { attention, choice, titleOf, show } = this.#deps;
    if (attention.isFocused() || choice() !== 'all') return;
    if (reason === 'interrupted' || reason === 'rejected') return;
    const failed = reason === 'error' || reason === 'limit';
    attention.notify({
      title: titleOf(sessionId),
      body: failed ? 'The turn ended with an error.' : 'The turn has ended.',
      quiet: true,
      onClick: () => show(sessionId, undefined),
    });
  }

  /** Sets the timer for the question that is due next; none while a window has the keyboard. */
  #plan(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    const { attention, clock } = this.#deps;
    const untold = [...this.#waiting.values()].filter(({ told }) => !told);
    if (untold.length === 0 || attention.isFocused()) return;
    const wait = Math.max(0, Math.min(...untold.map(dueAt)) - clock.monotonic());
    this.#timer = clock.schedule(millis(wait), () => this.#tell());
  }

  #tell(): void {
    this.#timer = undefined;
    const { attention, clock, choice, titleOf, show } = this.#deps;
    const due = [...this.#waiting.values()].filter((one) => !one.told && dueAt(one) <= clock.monotonic());
    const [first] = due;
    if (first !== undefined && !attention.isFocused()) {
      for (const one of due) one.told = true;
      if (choice() !== 'off') {
        const title = due.length === 1 ? '1 call waits for your answer' : `${due.length} calls wait for your answer`;
        attention.notify({
          title,
          body: `${titleOf(first.sessionId)}: ${first.question}`,
          quiet: false,
          onClick: () => show(first.sessionId, first.askId),
        });
      }
    }
    this.#plan();
  }
}

const dueAt = ({ at, seen }: Waiting): number => at + (seen ? SEEN_MS : UNSEEN_MS);
