import { Settings, ZoomIn } from 'lucide-react';
import type { GalleryPage } from '../gallery/page.ts';
import { IconButton } from './IconButton.tsx';

export const gallery: GalleryPage = [
  { title: 'Hover or focus it for its name', show: () => <IconButton icon={ZoomIn} name="Zoom in" keys="W" /> },
  { title: 'On', show: () => <IconButton icon={Settings} name="Settings" pressed /> },
  { title: 'Not to be used', show: () => <IconButton icon={Settings} name="Settings" disabled /> },
];
