import { useCallback, useState } from 'react';
import type { PanelSize } from 'react-resizable-panels';

const keyOf = (id: string): string => `gantry.size.${id}`;

/** The size in px that was kept for a panel, or `fallback` when none was, or what was kept makes no sense. */
export function rememberedSize(id: string, fallback: number): number {
  const kept = Number(window.localStorage.getItem(keyOf(id)) ?? Number.NaN);
  return Number.isFinite(kept) && kept > 0 ? kept : fallback;
}

export type RememberedSize = {
  readonly defaultSize: number;
  readonly onResize: (size: PanelSize, id: string | number | undefined, before: PanelSize | undefined) => void;
};

/** Lets a panel open as wide as it was left, also in the next window. Spread into a `SplitPanel`. */
export function useRememberedSize(id: string, fallback: number): RememberedSize {
  const [defaultSize] = useState(() => rememberedSize(id, fallback));
  const onResize = useCallback<RememberedSize['onResize']>(
    ({ inPixels }, _panel, before) => {
      // The first call only tells the size the panel was mounted with.
      if (before !== undefined && inPixels > 0) window.localStorage.setItem(keyOf(id), String(Math.round(inPixels)));
    },
    [id],
  );
  return { defaultSize, onResize };
}
