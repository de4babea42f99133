import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { SessionState } from '../../src-shared/session/state.ts';
import { useReader } from '../state/access-store.ts';
import { type OpenAsk, openAsks } from './asks.ts';
import { boardStore } from './board-store.ts';

const NONE: readonly OpenAsk[] = [];

/**
 * The questions on the board: those that wait, without those whose answer is on its way. None where another window works
 * in the session: they are answered there.
 */
export function useAsks(
  open: { readonly state: SessionState; readonly version: number } | undefined,
): readonly OpenAsk[] {
  const answered = useStore(boardStore, (board) => board.answered);
  const isReader = useReader(open?.state.sessionId) !== undefined;
  const state = open?.state;
  const version = open?.version;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the state grows in place; its version tells
  return useMemo(
    () => (state === undefined || isReader ? NONE : openAsks(state).filter(({ ask }) => !answered.has(ask.askId))),
    [state, version, answered, isReader],
  );
}

/** Does the board lie over the conversation? */
export function useIsCovered(open: { readonly state: SessionState; readonly version: number } | undefined): boolean {
  const asks = useAsks(open);
  const isFolded = useStore(boardStore, (board) => board.isFolded);
  return asks.length > 0 && !isFolded;
}
