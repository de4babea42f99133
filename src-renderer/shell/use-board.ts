import { useStore } from 'zustand';
import { openAsks } from '../permissions/asks.ts';
import { boardStore } from '../permissions/board-store.ts';
import { useOpenSession } from '../state/use-session.ts';

export type BoardView = {
  /** Questions that wait for an answer. */
  readonly asks: number;
  /** The board lies over the conversation, rather than being folded to its header or not there at all. */
  readonly covers: boolean;
};

/** What the regions around the permission board need to know of it. */
export function useBoard(): BoardView {
  const open = useOpenSession();
  const answered = useStore(boardStore, (board) => board.answered);
  const isFolded = useStore(boardStore, (board) => board.isFolded);
  const asks = open === undefined ? 0 : openAsks(open.state).filter(({ ask }) => !answered.has(ask.askId)).length;
  return { asks, covers: asks > 0 && !isFolded };
}
