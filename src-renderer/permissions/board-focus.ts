import { useLayoutEffect, useRef } from 'react';
import type { AskId } from '../../src-shared/ids.ts';
import { isField, mayTakeFocus, sinceLastKey } from './focus.ts';
import type { KeyPlace } from './guard.ts';

/** Where a key went, as far as the board cares. */
export function placeOf(target: EventTarget): KeyPlace {
  if (!(target instanceof Element)) return 'elsewhere';
  if (isField(target)) return 'field';
  if (target.matches('[data-choice-option]')) return 'card';
  if (target.closest('button, a, [role="radio"]') !== null) return 'button';
  return target.closest('[data-permission-board]') === null ? 'elsewhere' : 'card';
}

export const focusOpenCard = (board: HTMLElement): void =>
  board.querySelector<HTMLElement>('[role="option"][aria-selected="true"]')?.focus();

/**
 * Puts the focus on the open card when the board appears, unless the person is typing; and on the next card after an
 * answer, so that no key is ever pressed on the button of the answer before. Call the result when an answer is given.
 */
export function useBoardFocus(board: HTMLElement | null, openId: AskId | undefined): () => void {
  const hasAnswered = useRef(false);
  useLayoutEffect(() => {
    if (openId === undefined || board === null) return;
    const active = document.activeElement;
    const isInside = board.contains(active);
    if (isInside || hasAnswered.current || mayTakeFocus(active, sinceLastKey())) focusOpenCard(board);
    hasAnswered.current = false;
  }, [board, openId]);
  return () => {
    hasAnswered.current = true;
  };
}

/** Tells when the open card is not where it was. Scrolling the list is the person's own doing and does not count. */
export function useMoved(board: HTMLElement | null, openId: AskId | undefined, moved: () => void): void {
  const last = useRef<{ readonly askId: AskId; readonly x: number; readonly y: number } | undefined>(undefined);
  useLayoutEffect(() => {
    if (board === null || openId === undefined) {
      last.current = undefined;
      return;
    }
    const look = (): void => {
      const place = placeOfCard(board, openId);
      const was = last.current;
      last.current = place === undefined ? undefined : { askId: openId, ...place };
      if (place === undefined || was === undefined || was.askId !== openId) return;
      if (Math.abs(place.x - was.x) > 1 || Math.abs(place.y - was.y) > 1) moved();
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(board);
    window.addEventListener('resize', look);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', look);
    };
  });
}

function placeOfCard(board: HTMLElement, askId: AskId): { readonly x: number; readonly y: number } | undefined {
  const card = board.querySelector<HTMLElement>(`[data-ask-id="${CSS.escape(askId)}"]`);
  const list = card?.closest<HTMLElement>('[role="listbox"]');
  if (card === null || list == null) return undefined;
  const box = card.getBoundingClientRect();
  return { x: box.left + list.scrollLeft, y: box.top + list.scrollTop };
}
