import type { AgentId, AskId, CallId } from '../../src-shared/ids.ts';
import type { Answer, Question, TraceStep } from '../../src-shared/permission/event.ts';
import type { SessionLog } from './session-log.ts';

/** How a question ended. `closed`: the window or session went away; `cancelled`: its call was. */
export type AskEnd =
  | Answer
  | { readonly kind: 'closed' | 'cancelled' | 'no-user' }
  | { readonly kind: 'covered'; readonly rule: string };

export type AskRequest = {
  readonly callId: CallId;
  readonly agentId: AgentId;
  readonly question: Question;
  readonly trace: readonly TraceStep[];
  readonly signal: AbortSignal;
  /** Would the call be allowed without a question, by the rules as they are now? */
  readonly isAllowedNow: () => boolean;
};

/** Who answers questions: the board of the window, or a fixed answer without one. */
export interface Asker {
  /** Somebody is there: they can be told that a question waits, and hooks may answer in their place. */
  readonly hasPerson: boolean;
  ask(request: AskRequest): Promise<AskEnd>;
}

/** Without a person: a fixed answer, or `no-user`, which is a deny (spec 2.5). */
export const fixedAsker = (kind: 'allow' | 'deny' | 'no-user'): Asker => ({
  hasPerson: false,
  ask: async () => ({ kind: kind === 'allow' ? 'allow-once' : kind }),
});

type Pending = AskRequest & { readonly askId: AskId; readonly resolve: (end: AskEnd) => void };

/**
 * The questions that wait for a person. Each is bound to its call and a fresh id; an answer that does not fit both is
 * refused, never applied.
 */
export class AskBoard implements Asker {
  readonly hasPerson = true;
  readonly #pending = new Map<AskId, Pending>();
  readonly #log: SessionLog;
  readonly #newAskId: () => AskId;
  #closed = false;

  constructor(deps: { readonly log: SessionLog; readonly newAskId: () => AskId }) {
    this.#log = deps.log;
    this.#newAskId = deps.newAskId;
  }

  ask(request: AskRequest): Promise<AskEnd> {
    if (this.#closed) return Promise.resolve({ kind: 'closed' });
    if (request.signal.aborted) return Promise.resolve({ kind: 'cancelled' });
    const askId = this.#newAskId();
    const { callId, agentId, question, trace } = request;
    this.#log.append({ type: 'permission-asked', askId, callId, agentId, question, trace: [...trace] });
    return new Promise((resolve) => {
      const onAbort = () => this.#end(askId, { kind: 'cancelled' });
      request.signal.addEventListener('abort', onAbort, { once: true });
      this.#pending.set(askId, {
        ...request,
        askId,
        resolve: (end) => {
          request.signal.removeEventListener('abort', onAbort);
          resolve(end);
        },
      });
    });
  }

  /** Is the question still open, and this call's? */
  isOpen(callId: CallId, askId: AskId): boolean {
    return this.#pending.get(askId)?.callId === callId;
  }

  /** True when the question was still open and belonged to this call. */
  answer(callId: CallId, askId: AskId, answer: Answer): boolean {
    if (!this.isOpen(callId, askId)) return false;
    this.#end(askId, answer);
    return true;
  }

  /** A new rule also answers the other questions it covers, visibly (spec 2.5). */
  ruleAdded(rule: string): void {
    for (const other of [...this.#pending.values()]) {
      if (other.isAllowedNow()) this.#end(other.askId, { kind: 'covered', rule });
    }
  }

  #end(askId: AskId, end: AskEnd): void {
    const pending = this.#pending.get(askId);
    if (pending === undefined) return;
    this.#pending.delete(askId);
    pending.resolve(end);
  }

  /** Closing the window or quitting denies what waits. */
  close(): void {
    this.#closed = true;
    this.denyWaiting();
  }

  /** Denies what waits now, since nobody is left who could answer. What asks later waits again. */
  denyWaiting(): void {
    for (const askId of [...this.#pending.keys()]) this.#end(askId, { kind: 'closed' });
  }

  get size(): number {
    return this.#pending.size;
  }
}
