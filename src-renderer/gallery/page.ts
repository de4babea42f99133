import type { ReactNode } from 'react';

/** One state of a component in the gallery: a sentence about it, the room it gets (px), and how it is drawn. */
export type GalleryState = {
  readonly title: string;
  readonly width?: number;
  readonly height?: number;
  readonly show: () => ReactNode;
};

/** What an `X.gallery.tsx` exports as `gallery`: every state that X can be in. */
export type GalleryPage = readonly GalleryState[];
