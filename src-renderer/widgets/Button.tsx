import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import styles from './Button.module.css';
import { classes } from './classes.ts';
import { Kbd } from './Kbd.tsx';

export type ButtonProps = Omit<ComponentProps<'button'>, 'children'> & {
  /** A verb. */
  readonly children: ReactNode;
  readonly icon?: LucideIcon | undefined;
  /** `plain`: with a border · `primary`: the one main action · `quiet`: border on hover only · `danger`: ends something */
  readonly look?: 'plain' | 'primary' | 'quiet' | 'danger';
  readonly size?: 'normal' | 'large';
  /** The shortcut, drawn as a key cap behind the text. */
  readonly keys?: string | undefined;
  /** For a button that is on or off; sets `aria-pressed`. */
  readonly pressed?: boolean | undefined;
};

/** A button with a text. For one with a picture only, see `IconButton`. */
export function Button(props: ButtonProps) {
  const { children, icon: Icon, look = 'plain', size = 'normal', keys, pressed, className, ...rest } = props;
  return (
    <button
      type="button"
      aria-pressed={pressed}
      aria-keyshortcuts={keys === undefined ? undefined : ariaKeys(keys)}
      className={classes(styles.button, styles[look], size === 'large' && styles.large, className)}
      {...rest}
    >
      {Icon === undefined ? null : <Icon aria-hidden="true" size={size === 'large' ? 16 : 15} strokeWidth={1.75} />}
      <span className={styles.text}>{children}</span>
      {keys === undefined ? null : <Kbd keys={keys} />}
    </button>
  );
}

const ARIA_NAMES: Readonly<Record<string, string>> = { Ctrl: 'Control', Esc: 'Escape', '⇧Tab': 'Shift+Tab' };

/** `Ctrl K` → `Control+K`, as `aria-keyshortcuts` wants it. */
export const ariaKeys = (keys: string): string =>
  keys
    .split(' ')
    .map((key) => ARIA_NAMES[key] ?? key)
    .join('+');
