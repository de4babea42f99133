import type { GalleryPage } from '../gallery/page.ts';
import { PICTURE_NAMES, ScenarioPicture } from './ScenarioPicture.tsx';

export const gallery: GalleryPage = PICTURE_NAMES.map((name) => ({
  title: name,
  width: 260,
  show: () => <ScenarioPicture name={name} />,
}));
