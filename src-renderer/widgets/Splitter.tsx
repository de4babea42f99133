import type { ReactNode } from 'react';
import { Group, Panel, type PanelProps, Separator } from 'react-resizable-panels';
import { classes } from './classes.ts';
import styles from './Splitter.module.css';

export type SplitGroupProps = {
  readonly id: string;
  readonly orientation: 'horizontal' | 'vertical';
  readonly children: ReactNode;
  readonly className?: string | undefined;
};

/** Regions side by side (`horizontal`) or stacked, with handles between them: `SplitPanel`, `Splitter`, `SplitPanel`. */
export function SplitGroup({ id, orientation, children, className }: SplitGroupProps) {
  return (
    <Group id={id} orientation={orientation} className={classes(styles.group, className)}>
      {children}
    </Group>
  );
}

/** One region. Numbers are pixels, strings with `%` are shares of the group. */
export function SplitPanel(props: PanelProps) {
  return <Panel {...props} className={classes(styles.panel, props.className)} />;
}

/** The handle between two regions: drag it, or focus it and use the arrow keys. */
export function Splitter({ name }: { readonly name: string }) {
  return <Separator className={styles.handle} aria-label={name} />;
}
