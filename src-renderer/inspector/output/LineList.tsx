import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';
import { classes } from '../../widgets/classes.ts';
import styles from './LineList.module.css';

export type LineListProps = {
  /** What the lines are, for screen readers. */
  readonly name: string;
  readonly count: number;
  readonly line: (at: number) => ReactNode;
  /** Lines break at the width instead of being scrolled sideways. */
  readonly wraps?: boolean;
  /** A line to bring into view when it changes; `key` tells two visits of the same line apart. */
  readonly show?: { readonly at: number; readonly key: string } | undefined;
};

const LINE_PX = 18;

/** A long list of monospaced lines, of which only those on screen are in the document. */
export function LineList({ name, count, line, wraps = false, show }: LineListProps) {
  const scroller = useRef<HTMLElement>(null);
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_PX,
    overscan: 20,
    paddingStart: 8,
    paddingEnd: 8,
  });
  const showKey = show?.key;
  const showAt = show?.at;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key tells a second visit of the same line
  useEffect(() => {
    if (showAt !== undefined && showAt >= 0) virtualizer.scrollToIndex(showAt, { align: 'center' });
  }, [virtualizer, showAt, showKey]);
  const items = virtualizer.getVirtualItems();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section ref={scroller} className={styles.scroller} aria-label={name} tabIndex={0}>
      <div className={styles.all} style={{ height: virtualizer.getTotalSize() }}>
        <div
          className={classes(styles.shown, wraps && styles.wraps)}
          style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}
        >
          {items.map(({ key, index }) => (
            <div
              key={key}
              ref={wraps ? virtualizer.measureElement : undefined}
              data-index={index}
              className={styles.line}
            >
              {line(index)}
            </div>
          ))}
        </div>
      </div>
    </section>
  );
}
