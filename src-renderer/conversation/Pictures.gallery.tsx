import type { MessageImage } from '../../src-shared/model/image.ts';
import type { GalleryPage } from '../gallery/page.ts';
import { Pictures } from './Pictures.tsx';

/** One grey pixel. */
const PIXEL: MessageImage = {
  mediaType: 'image/png',
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNsaGj4DwAFhAKAjM1mJgAAAABJRU5ErkJggg==',
};

export const gallery: GalleryPage = [
  { title: 'In a message', show: () => <Pictures images={[PIXEL, PIXEL]} /> },
  {
    title: 'In the box, where they can be taken out',
    show: () => <Pictures images={[PIXEL]} onRemove={() => undefined} />,
  },
];
