import { Popover } from 'radix-ui';
import type { ComponentProps } from 'react';
import { classes } from './classes.ts';
import styles from './PopoverPanel.module.css';

/** What a popover shows: a raised panel beside its trigger. Size, padding and gaps are those of `className`. */
export const PopoverPanel = ({ className, ...rest }: ComponentProps<typeof Popover.Content>) => (
  <Popover.Portal>
    <Popover.Content sideOffset={6} collisionPadding={8} {...rest} className={classes(styles.panel, className)} />
  </Popover.Portal>
);
