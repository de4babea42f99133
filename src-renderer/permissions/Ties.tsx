import { useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { timelineActions } from '../timeline/actions.ts';
import { classes } from '../widgets/classes.ts';
import type { OpenAsk } from './asks.ts';
import styles from './Ties.module.css';
import { roundedPath, tieLook, tiePoints } from './ties.ts';

export type TiesProps = {
  readonly asks: readonly OpenAsk[];
  readonly openNumber: number;
  /** The board; cards inside it carry `data-ask-id`. */
  readonly board: HTMLElement | null;
};

/** Lines from the cards to the bars of their calls. They follow the chart as it moves; who cannot see them misses nothing. */
export function Ties({ asks, openNumber, board }: TiesProps) {
  const overlay = useRef<SVGSVGElement>(null);
  useLayoutEffect(() => {
    const svg = overlay.current;
    if (svg === null || board === null) return;
    const draw = (): void => drawTies(svg, board, asks);
    draw();
    const stop = timelineActions.onMoved(draw);
    const observer = new ResizeObserver(draw);
    observer.observe(board);
    board.addEventListener('scroll', draw, { capture: true, passive: true });
    window.addEventListener('resize', draw);
    return () => {
      stop();
      observer.disconnect();
      board.removeEventListener('scroll', draw, { capture: true });
      window.removeEventListener('resize', draw);
    };
  }, [asks, board]);
  return createPortal(
    <svg ref={overlay} className={styles.overlay} aria-hidden="true">
      {asks.map(({ number, ask }) => {
        const look = tieLook(number, number === openNumber);
        if (look === undefined) return null;
        return (
          <g
            key={ask.askId}
            data-tie={ask.askId}
            className={classes(styles.tie, styles[look], number === openNumber && styles.open)}
          >
            <path />
            <circle r={3} />
          </g>
        );
      })}
    </svg>,
    document.body,
  );
}

/** Sets paths without React: the chart moves on every frame. */
function drawTies(svg: SVGSVGElement, board: HTMLElement, asks: readonly OpenAsk[]): void {
  const box = board.getBoundingClientRect();
  const found = asks.flatMap(({ ask, call }) => {
    const tie = svg.querySelector<SVGGElement>(`[data-tie="${CSS.escape(ask.askId)}"]`);
    if (tie === null) return [];
    const bar = timelineActions.barPosition(call.callId);
    const card = cardPoint(board, ask.askId);
    const isDrawn = bar !== undefined && card !== undefined && bar.y + bar.height <= box.top;
    tie.style.display = isDrawn ? '' : 'none';
    return isDrawn ? [{ tie, bar, card }] : [];
  });
  const barsRight = Math.max(...found.map(({ bar }) => bar.x + bar.width));
  found.forEach(({ tie, bar, card }, place) => {
    const from = { x: bar.x + bar.width, y: bar.y + bar.height / 2 };
    tie
      .querySelector('path')
      ?.setAttribute('d', roundedPath(tiePoints({ bar: from, card, board: box, barsRight, place })));
    const dot = tie.querySelector('circle');
    dot?.setAttribute('cx', String(card.x));
    dot?.setAttribute('cy', String(card.y));
  });
}

/** The middle of a card's left edge; undefined while the card is scrolled away. */
function cardPoint(board: HTMLElement, askId: string): { readonly x: number; readonly y: number } | undefined {
  const card = board.querySelector<HTMLElement>(`[data-ask-id="${CSS.escape(askId)}"]`);
  const list = card?.closest('[role="listbox"]')?.getBoundingClientRect();
  if (card === null || list === undefined) return undefined;
  const box = card.getBoundingClientRect();
  const y = box.top + box.height / 2;
  return y < list.top || y > list.bottom ? undefined : { x: box.left, y };
}
