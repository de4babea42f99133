import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { ariaKeys } from './Button.tsx';
import { classes } from './classes.ts';
import styles from './IconButton.module.css';
import { Tooltip } from './Tooltip.tsx';

export type IconButtonProps = Omit<ComponentProps<'button'>, 'children' | 'name'> & {
  readonly icon: LucideIcon;
  /** What it does: the accessible name and the tooltip. */
  readonly name: string;
  readonly keys?: string | undefined;
  readonly pressed?: boolean | undefined;
  readonly side?: 'top' | 'right' | 'bottom' | 'left';
  /** Size of the picture; the target is 28 × 28 whatever it is. */
  readonly iconSize?: number;
};

/** A button with a picture only. Its name is always there: for screen readers, and as a tooltip with the shortcut. */
export function IconButton(props: IconButtonProps) {
  const { icon: Icon, name, keys, pressed, side = 'bottom', iconSize = 16, className, ...rest } = props;
  return (
    <Tooltip text={name} keys={keys} side={side}>
      <button
        type="button"
        aria-label={name}
        aria-pressed={pressed}
        aria-keyshortcuts={keys === undefined ? undefined : ariaKeys(keys)}
        className={classes(styles.button, className)}
        {...rest}
      >
        <Icon aria-hidden="true" size={iconSize} strokeWidth={1.75} />
      </button>
    </Tooltip>
  );
}
