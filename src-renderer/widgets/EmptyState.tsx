import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './EmptyState.module.css';

export type EmptyStateProps = {
  readonly icon?: LucideIcon | undefined;
  readonly title: string;
  /** A second line: why it is empty, or what would fill it. */
  readonly hint?: ReactNode;
  /** At most one action. */
  readonly action?: ReactNode;
};

/** Stands where there is nothing to show, and says why. */
export function EmptyState({ icon: Icon, title, hint, action }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      {Icon === undefined ? null : <Icon aria-hidden="true" size={20} strokeWidth={1.5} className={styles.icon} />}
      <p className={styles.title}>{title}</p>
      {hint === undefined ? null : <p className={styles.hint}>{hint}</p>}
      {action}
    </div>
  );
}
