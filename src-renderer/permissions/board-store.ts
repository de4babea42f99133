import { createStore } from 'zustand/vanilla';
import type { AskId, CallId, SessionId } from '../../src-shared/ids.ts';
import type { Answer } from '../../src-shared/permission/event.ts';
import { request } from '../bridge.ts';
import { failureText } from '../conversation/failure-text.ts';
import { announce } from '../state/view-store.ts';

/** What the board remembers beside the questions themselves. */
export type BoardState = {
  readonly isFolded: boolean;
  /** Questions whose answer is on its way: they are no longer shown, and cannot be answered twice. */
  readonly answered: ReadonlySet<AskId>;
  /** Why an answer did not count, until it is closed. */
  readonly refusal: string | undefined;
};

export const boardStore = createStore<BoardState>(() => ({ isFolded: false, answered: new Set(), refusal: undefined }));

export const NO_LONGER_OPEN = 'This question is no longer open.';

export type AskAddress = { readonly sessionId: SessionId; readonly callId: CallId; readonly askId: AskId };

/** Sends an answer. One that did not count is told on the board; the question comes back if it still waits. */
export async function sendAnswer(to: AskAddress, answer: Answer): Promise<void> {
  const { answered } = boardStore.getState();
  if (answered.has(to.askId)) return;
  boardStore.setState({ answered: new Set([...answered, to.askId]), refusal: undefined });
  try {
    const { accepted } = await request('permission.answer', { ...to, answer });
    if (!accepted) refuse(NO_LONGER_OPEN);
  } catch (error) {
    const { answered: now } = boardStore.getState();
    boardStore.setState({ answered: new Set([...now].filter((askId) => askId !== to.askId)) });
    refuse(failureText(error));
  }
}

/** The same answer to several questions in one step: a denial ends the turn, and must not come before the others. */
export async function sendAnswers(
  sessionId: SessionId,
  asks: readonly { readonly callId: CallId; readonly askId: AskId }[],
  answer: { readonly kind: 'allow-once' | 'deny' },
): Promise<void> {
  const { answered } = boardStore.getState();
  const open = asks.filter(({ askId }) => !answered.has(askId));
  if (open.length === 0) return;
  boardStore.setState({ answered: new Set([...answered, ...open.map(({ askId }) => askId)]), refusal: undefined });
  try {
    const { refused } = await request('permission.answer-all', { sessionId, asks: [...open], answer });
    if (refused > 0)
      refuse(refused === 1 ? 'One question was no longer open.' : `${refused} questions were no longer open.`);
  } catch (error) {
    const { answered: now } = boardStore.getState();
    const ids = new Set(open.map(({ askId }) => askId));
    boardStore.setState({ answered: new Set([...now].filter((askId) => !ids.has(askId))) });
    refuse(failureText(error));
  }
}

function refuse(refusal: string): void {
  boardStore.setState({ refusal });
  announce(refusal);
}

export const closeRefusal = (): void => boardStore.setState({ refusal: undefined });
export const foldBoard = (isFolded: boolean): void => boardStore.setState({ isFolded });
