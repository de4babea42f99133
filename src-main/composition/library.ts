import { homedir } from 'node:os';
import { join } from 'node:path';
import { IndexServer } from '../adapters/library/index-server.ts';
import { indexFileIn, knownFolders, placesOfPrograms } from '../adapters/library/known-folders.ts';
import { askLibrary, type LibraryResult } from '../adapters/library/library-client.ts';
import { readingDatabases } from '../adapters/library/open-stored.ts';
import type { LibraryRequest } from '../adapters/library/protocol.ts';
import type { PlaceEnv } from '../adapters/transcripts/importer.ts';
import { LibraryDesk, type LibraryDeskDeps } from '../app/library-desk.ts';
import type { LibraryIndex } from '../ports/library-index.ts';
import type { TranscriptReader } from '../ports/transcript-reader.ts';
import { clock } from './compose.ts';
import { gantryHome } from './gantry-home.ts';
import { type SettingsReader, settingsReader } from './settings.ts';

/** The library of sessions: brings its index up to date, then answers. */
export type Library = (
  ask: LibraryRequest['ask'],
  onProgress: (done: number, total: number) => void,
) => Promise<LibraryResult>;

/** @param folder where the bundled entries lie, the library's program among them. */
export const libraryOfThisMachine =
  (folder: string, { env, execPath } = process): Library =>
  (ask, onProgress) => {
    const home = gantryHome(env);
    const others = looksAtOthers(settingsReader(env));
    const folders = knownFolders(home, others ? placeEnv(env) : undefined);
    const entryPath = join(folder, 'library-host.js');
    const { signal } = new AbortController();
    return askLibrary({ indexFile: indexFileIn(home), folders, ask }, { execPath, entryPath, onProgress, signal });
  };

/** Opens transcripts; those in databases in a process of the library. */
export const transcriptReader = (folder: string, read: TranscriptReader): TranscriptReader =>
  readingDatabases({ execPath: process.execPath, entryPath: join(folder, 'library-host.js') }, read);

/** What the window asks of the library. Its processes start with the first question that needs them. */
export function libraryDesk(
  folder: string,
  settings: SettingsReader,
  deps: Pick<LibraryDeskDeps, 'sessions' | 'onChanged'>,
): LibraryDesk {
  const ownFolder = join(gantryHome(), 'sessions');
  const otherPrograms = (): boolean => looksAtOthers(settings);
  return new LibraryDesk({ ...deps, index: indexOf(folder, otherPrograms), ownFolder, otherPrograms, clock });
}

function indexOf(folder: string, otherPrograms: () => boolean): LibraryIndex {
  const { execPath, env } = process;
  const home = gantryHome(env);
  const indexFile = indexFileIn(home);
  const entryPath = join(folder, 'library-host.js');
  const server = new IndexServer({ execPath, entryPath, indexFile });
  const places = (): PlaceEnv | undefined => (otherPrograms() ? placeEnv(env) : undefined);
  const quiet = { execPath, entryPath, onProgress: () => undefined };
  return {
    facets: async (around) => (await server.ask({ kind: 'facets', around })).facets,
    rows: async (query, page, around) => (await server.ask({ kind: 'rows', query, ...page, around })).answer,
    hits: async (id, text, kinds) => (await server.ask({ kind: 'hits', id, text, kinds })).hits,
    pathOf: async (id) => (await server.ask({ kind: 'path', id })).path,
    update: async (onProgress, signal) => {
      const folders = knownFolders(home, places());
      await askLibrary({ indexFile, folders, ask: { kind: 'update' } }, { ...quiet, onProgress, signal });
    },
    found: async () => {
      const all = placesOfPrograms(places());
      if (all.length === 0) return [];
      const folders = all.map((place) => place.folder);
      const { signal } = new AbortController();
      const result = await askLibrary({ indexFile, folders, ask: { kind: 'count' } }, { ...quiet, signal });
      if (result.kind !== 'counted') return [];
      return result.counts.map(({ count }, at) => ({ ...(all[at] ?? { format: '', folder: '' }), count }));
    },
    close: () => server.close(),
  };
}

const looksAtOthers = (settings: SettingsReader): boolean =>
  settings.settingsFor(homedir()).current().otherPrograms !== false;

/** Tests look for other programs' folders in a home of their own, and nowhere else. */
const placeEnv = (env: NodeJS.ProcessEnv): PlaceEnv => {
  const { GANTRY_SCAN_HOME: home, CLAUDE_CONFIG_DIR: claude } = env;
  if (home === undefined || home === '') return { home: homedir(), env };
  return { home, env: claude === undefined ? {} : { CLAUDE_CONFIG_DIR: claude } };
};
