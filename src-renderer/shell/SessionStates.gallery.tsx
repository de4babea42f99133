import { SessionId } from '../../src-shared/ids.ts';
import type { GalleryPage } from '../gallery/page.ts';
import { FailedSession, LoadingSession } from './SessionStates.tsx';

const sessionId = SessionId.parse('example');

export const gallery: GalleryPage = [
  {
    title: 'Reading, nothing has come yet',
    height: 80,
    show: () => <LoadingSession view={{ phase: 'loading', sessionId, read: 0, total: 0 }} />,
  },
  {
    title: 'Reading half-way',
    height: 80,
    show: () => <LoadingSession view={{ phase: 'loading', sessionId, read: 61_000, total: 100_000 }} />,
  },
  {
    title: 'Could not be read',
    height: 260,
    show: () => (
      <FailedSession
        view={{
          phase: 'failed',
          sessionId,
          message: 'The journal of Release notes 2.4 is gone.',
          hint: 'Its file was moved or deleted.',
        }}
      />
    ),
  },
];
