import { Trash2 } from 'lucide-react';
import { Popover } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import { IconButton } from '../widgets/IconButton.tsx';
import { PopoverPanel } from '../widgets/PopoverPanel.tsx';
import styles from './Debugger.module.css';

export type DebuggerPopoverProps = {
  readonly trigger: ReactElement;
  readonly title: string;
  readonly note: string;
  readonly children: ReactNode;
};

/** What drops from the toolbar's debugger buttons: a list of what is set, and a form for more. */
export function DebuggerPopover({ trigger, title, note, children }: DebuggerPopoverProps) {
  return (
    <Popover.Root>
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      <PopoverPanel className={styles.content} align="start" aria-label={title}>
        <h2 className={styles.title}>{title}</h2>
        <p className={styles.note}>{note}</p>
        {children}
      </PopoverPanel>
    </Popover.Root>
  );
}

export type SetItem = {
  readonly id: string;
  readonly words: string;
  readonly note?: string | undefined;
  readonly enabled: boolean;
};

export type SetListProps = {
  readonly name: string;
  readonly items: readonly SetItem[];
  readonly empty: string;
  readonly onToggle: (id: string) => void;
  readonly onRemove: (id: string) => void;
};

/** What is set, each to be switched off or removed. */
export function SetList({ name, items, empty, onToggle, onRemove }: SetListProps) {
  if (items.length === 0) return <p className={styles.empty}>{empty}</p>;
  return (
    <ul className={styles.list} aria-label={name}>
      {items.map((item) => (
        <li key={item.id} className={styles.item}>
          <label className={styles.toggle}>
            <input type="checkbox" checked={item.enabled} onChange={() => onToggle(item.id)} />
            <span className={styles.words} title={item.words}>
              {item.words}
            </span>
            {item.note === undefined ? null : <span className={styles.count}>{item.note}</span>}
          </label>
          <IconButton icon={Trash2} name={`Remove: ${item.words}`} onClick={() => onRemove(item.id)} />
        </li>
      ))}
    </ul>
  );
}
