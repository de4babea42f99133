import type { Handlers } from '../../src-shared/ipc/contract.ts';
import type { LibraryDesk } from '../app/library-desk.ts';

type LibraryRequest = Extract<keyof Handlers, `library.${string}`>;

/** Requests about all sessions of this machine. */
export const libraryHandlers = (
  desk: Pick<
    LibraryDesk,
    'overview' | 'rows' | 'hits' | 'open' | 'refresh' | 'cancel' | 'found' | 'places' | 'setFolder' | 'setProgram'
  >,
): Pick<Handlers, LibraryRequest> => ({
  'library.overview': () => desk.overview(),
  'library.query': ({ query, offset, limit }) => desk.rows(query, { offset, limit }),
  'library.hits': async ({ id, text, kinds }) => ({ hits: await desk.hits(id, text, kinds) }),
  'library.open': async ({ id }) => ({ sessionId: await desk.open(id) }),
  'library.refresh': async () => desk.refresh(),
  'library.cancel': async () => desk.cancel(),
  'library.places': () => desk.places(),
  'library.set-folder': ({ folder, on }) => desk.setFolder(folder, on),
  'library.set-program': async ({ format, on }) => desk.setProgram(format, on),
  'library.found': async () => ({ places: await desk.found() }),
});
