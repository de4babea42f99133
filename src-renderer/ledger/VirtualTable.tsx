import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { classes } from '../widgets/classes.ts';
import { rowAfter } from './table-keys.ts';
import styles from './VirtualTable.module.css';

export type VirtualTableProps = {
  /** What the rows are, for screen readers. */
  readonly name: string;
  /** Widths of the columns, as CSS grids want them. */
  readonly columns: string;
  readonly heads: readonly { readonly label: string; readonly right?: boolean }[];
  readonly count: number;
  readonly keyOf: (at: number) => string;
  readonly row: (at: number) => ReactNode;
  readonly isSelected?: (at: number) => boolean;
  /** A click, Enter or Space on a row. */
  readonly onOpen: (at: number) => void;
  /** The last rows have come into view. */
  readonly onEnd?: () => void;
};

const ROW_PX = 28;

/** A table of any length, of which only the rows on screen are in the document. One row is reached by Tab, the others by arrows. */
export function VirtualTable(props: VirtualTableProps) {
  const { name, columns, heads, count, keyOf, row, isSelected = () => false, onOpen, onEnd } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: keyOf,
    overscan: 12,
  });
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (count > 0 && last >= count - 1) onEnd?.();
  }, [last, count, onEnd]);
  const reachable = Math.min(active, Math.max(0, count - 1));

  const onKeyDown = (event: KeyboardEvent): void => {
    const at = Number((event.target as HTMLElement).dataset.index);
    if (Number.isNaN(at)) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      onOpen(at);
      return;
    }
    const next = rowAfter(event, at, count);
    if (next === undefined) return;
    event.preventDefault();
    setActive(next);
    virtualizer.scrollToIndex(next);
    const rowThere = (): HTMLElement | null | undefined => scroller.current?.querySelector(`[data-index="${next}"]`);
    const drawn = rowThere();
    // One that is far away is only drawn after the list has moved.
    if (drawn) drawn.focus();
    else requestAnimationFrame(() => rowThere()?.focus());
  };

  return (
    <div ref={scroller} className={styles.scroller}>
      <table className={styles.table} aria-label={name} aria-rowcount={count + 1}>
        <thead className={styles.headGroup}>
          <tr className={styles.head} aria-rowindex={1} style={{ gridTemplateColumns: columns }}>
            {heads.map(({ label, right = false }) => (
              <th key={label} scope="col" className={classes(styles.headCell, right && styles.right)}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className={styles.body} style={{ height: virtualizer.getTotalSize() }} onKeyDown={onKeyDown}>
          {items.map(({ key, index, start }) => (
            <tr
              key={key}
              data-index={index}
              aria-rowindex={index + 2}
              aria-selected={isSelected(index)}
              tabIndex={index === reachable ? 0 : -1}
              className={classes(styles.row, isSelected(index) && styles.selected)}
              style={{ gridTemplateColumns: columns, transform: `translateY(${start}px)`, height: ROW_PX }}
              onFocus={() => setActive(index)}
              onClick={() => onOpen(index)}
            >
              {row(index)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export const Cell = ({
  children,
  right = false,
  code = false,
  title,
}: {
  readonly children: ReactNode;
  readonly right?: boolean;
  readonly code?: boolean;
  readonly title?: string | undefined;
}) => (
  <td className={classes(styles.cell, right && styles.right, code && styles.code)} title={title}>
    {children}
  </td>
);
