import type { GalleryPage } from '../gallery/page.ts';
import { BypassQuestion } from './BypassBar.tsx';
import { ModeMenu } from './ModeMenu.tsx';
import { MODES } from './mode-words.ts';

export const gallery: GalleryPage = [
  {
    title: 'The mode of a session, in each mode',
    height: 40,
    show: () => (
      <div style={{ display: 'flex', gap: 8 }}>
        {MODES.map((mode) => (
          <ModeMenu key={mode} mode={mode} />
        ))}
      </div>
    ),
  },
  { title: 'Before nothing is asked any more', height: 80, show: () => <BypassQuestion /> },
];
