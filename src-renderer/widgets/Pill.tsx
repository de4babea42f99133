import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import styles from './Pill.module.css';

/** Who or what the pill speaks of, in the hues of the chart (design 1). */
export type PillTone = 'neutral' | 'error' | 'cancelled' | 'human' | 'lock' | 'hook' | 'ok' | 'accent' | 'work';

export type PillProps = {
  readonly tone?: PillTone;
  /** A sign beside the hue, so that colour is never the only one. */
  readonly icon?: LucideIcon | undefined;
  readonly children: ReactNode;
  readonly className?: string | undefined;
  readonly title?: string | undefined;
};

/** A short fact in a rounded box. Not a button. */
export function Pill({ tone = 'neutral', icon: Icon, children, className, title }: PillProps) {
  return (
    <span className={classes(styles.pill, styles[tone], className)} title={title}>
      {Icon === undefined ? null : <Icon aria-hidden="true" size={13} strokeWidth={2} />}
      <span className={styles.text}>{children}</span>
    </span>
  );
}
