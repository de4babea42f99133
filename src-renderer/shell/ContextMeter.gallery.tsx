import type { GalleryPage } from '../gallery/page.ts';
import { ContextMeter } from './ContextMeter.tsx';

export const gallery: GalleryPage = [
  {
    title: 'Empty, half full, nearly full, and over',
    show: () => [0, 0.5, 0.85, 1.2].map((share) => <ContextMeter key={share} share={share} />),
  },
];
