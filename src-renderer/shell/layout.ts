import { useSyncExternalStore } from 'react';

/** Where the regions go at a window's size (design 3). All sizes in CSS px, so 200 % on 1440 counts as 720. */
export type Layout = {
  /** `panel`: beside the timeline · `rail`: icons, opens over it · `tab`: one region at a time */
  readonly sidebar: 'panel' | 'rail' | 'tab';
  readonly inspector: 'panel' | 'overlay' | 'tab';
  /** The conversation: below the timeline, or a tab where the height or the width does not do. */
  readonly conversation: 'split' | 'tab';
  /** Texts in the toolbar; where they go, the icons keep their names. */
  readonly texts: boolean;
};

const WIDE = 1180;
const MIDDLE = 900;
const NARROW = 720;
const LOW = 560;

export function layoutOf(width: number, height: number): Layout {
  if (width < NARROW) return { sidebar: 'tab', inspector: 'tab', conversation: 'tab', texts: false };
  return {
    sidebar: width >= WIDE ? 'panel' : 'rail',
    inspector: width >= MIDDLE ? 'panel' : 'overlay',
    conversation: height < LOW ? 'tab' : 'split',
    texts: width >= MIDDLE,
  };
}

let cached: Layout = layoutOf(WIDE, MIDDLE);

/** The layout for the window as it is; the same object as long as nothing changes. */
const currentLayout = (): Layout => {
  const next = layoutOf(window.innerWidth, window.innerHeight);
  const same = (Object.keys(next) as (keyof Layout)[]).every((key) => next[key] === cached[key]);
  if (!same) cached = next;
  return cached;
};

const subscribe = (listener: () => void): (() => void) => {
  window.addEventListener('resize', listener);
  return () => window.removeEventListener('resize', listener);
};

export const useLayout = (): Layout => useSyncExternalStore(subscribe, currentLayout);
