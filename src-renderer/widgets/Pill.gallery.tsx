import { Hand } from 'lucide-react';
import type { GalleryPage } from '../gallery/page.ts';
import { Pill, type PillTone } from './Pill.tsx';

const TONES: readonly PillTone[] = ['neutral', 'ok', 'error', 'cancelled', 'human', 'lock', 'hook', 'work', 'accent'];

export const gallery: GalleryPage = [
  {
    title: 'Every tone',
    show: () =>
      TONES.map((tone) => (
        <Pill key={tone} tone={tone}>
          {tone}
        </Pill>
      )),
  },
  {
    title: 'With a sign, and cut where there is no room',
    width: 140,
    show: () => (
      <Pill tone="human" icon={Hand}>
        you allowed an edited input
      </Pill>
    ),
  },
];
