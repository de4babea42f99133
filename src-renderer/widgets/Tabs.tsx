import { Tabs as RadixTabs } from 'radix-ui';
import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import styles from './Tabs.module.css';

export type TabItem<Id extends string> = {
  readonly id: Id;
  readonly label: string;
  /** A count behind the label. */
  readonly count?: number | undefined;
  readonly content: ReactNode;
};

export type TabsProps<Id extends string> = {
  /** What the row of tabs is about, for screen readers. */
  readonly name: string;
  readonly items: readonly TabItem<Id>[];
  readonly value: Id;
  readonly onChange: (id: Id) => void;
  readonly className?: string | undefined;
};

/** Tabs with an underline; arrow keys move between them. Only the chosen tab's content is in the document. */
export function Tabs<Id extends string>({ name, items, value, onChange, className }: TabsProps<Id>) {
  return (
    <RadixTabs.Root
      className={classes(styles.root, className)}
      value={value}
      onValueChange={(id) => onChange(id as Id)}
      activationMode="automatic"
    >
      <RadixTabs.List className={styles.list} aria-label={name}>
        {items.map((item) => (
          <RadixTabs.Trigger key={item.id} value={item.id} className={styles.tab}>
            {item.label}
            {item.count === undefined ? null : <span className={styles.count}>{item.count}</span>}
          </RadixTabs.Trigger>
        ))}
      </RadixTabs.List>
      {items.map((item) => (
        <RadixTabs.Content key={item.id} value={item.id} className={styles.content}>
          {item.content}
        </RadixTabs.Content>
      ))}
    </RadixTabs.Root>
  );
}
