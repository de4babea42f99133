import { Tooltip as RadixTooltip } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import { Kbd } from './Kbd.tsx';
import styles from './Tooltip.module.css';

export type TooltipProps = {
  /** What the tooltip says. Short: a name, at most a sentence. */
  readonly text: ReactNode;
  /** The shortcut, as it is written on the keys. */
  readonly keys?: string | undefined;
  readonly side?: 'top' | 'right' | 'bottom' | 'left';
  /** The one element it explains; must take a ref and the pointer's events. */
  readonly children: ReactElement;
};

const tooltipEscapes = new WeakSet<KeyboardEvent>();

/**
 * Did this Escape do nothing but close a tooltip? Then it still counts for the rest of the window: a pointer that
 * happens to rest on a button must not keep Esc from stopping a turn.
 */
export const onlyClosedTooltip = (event: KeyboardEvent): boolean => tooltipEscapes.has(event);

/** A tooltip on hover and on keyboard focus, after the 120 ms that the chart's own tooltip takes as well. */
export function Tooltip({ text, keys, side = 'bottom', children }: TooltipProps) {
  return (
    <RadixTooltip.Provider delayDuration={120}>
      <RadixTooltip.Root>
        <RadixTooltip.Trigger asChild>{children}</RadixTooltip.Trigger>
        <RadixTooltip.Portal>
          <RadixTooltip.Content
            className={styles.content}
            side={side}
            sideOffset={6}
            collisionPadding={8}
            onEscapeKeyDown={(event) => tooltipEscapes.add(event)}
          >
            {text}
            {keys === undefined ? null : <Kbd keys={keys} />}
          </RadixTooltip.Content>
        </RadixTooltip.Portal>
      </RadixTooltip.Root>
    </RadixTooltip.Provider>
  );
}
