import { SessionId } from '../../src-shared/ids.ts';
import type { GalleryPage } from '../gallery/page.ts';
import { ReadOnly } from './AccessBar.tsx';

const sessionId = SessionId.parse('example');

export const gallery: GalleryPage = [
  {
    title: 'Another window works in the session',
    height: 60,
    show: () => (
      <ReadOnly
        sessionId={sessionId}
        why="Another window of Gantry works in this session. It is shown here read-only."
        takeOver
        waiting={2}
      />
    ),
  },
  {
    title: 'Another process works in it',
    height: 60,
    show: () => (
      <ReadOnly
        sessionId={sessionId}
        why="The session is open in another window of Gantry. It is shown here read-only, as it was when it was opened."
        takeOver={false}
        waiting={0}
      />
    ),
  },
];
