import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { IndexServer } from '../adapters/library/index-server.ts';
import { indexFileIn, knownFolders, placesOfPrograms } from '../adapters/library/known-folders.ts';
import { askLibrary, type LibraryResult } from '../adapters/library/library-client.ts';
import { readingDatabases } from '../adapters/library/open-stored.ts';
import type { LibraryRequest } from '../adapters/library/protocol.ts';
import { changeOwnSetting } from '../adapters/settings/change-own-setting.ts';
import type { PlaceEnv } from '../adapters/transcripts/importer.ts';
import { LibraryDesk, type LibraryDeskDeps } from '../app/library-desk.ts';
import type { LibraryIndex } from '../ports/library-index.ts';
import type { SettingsSource } from '../ports/settings.ts';
import type { TranscriptReader } from '../ports/transcript-reader.ts';
import { clock } from './compose.ts';
import { gantryHome } from './gantry-home.ts';
import { type SettingsReader, settingsReader } from './settings.ts';

/** The library of sessions: brings its index up to date, then answers. With a folder it looks there and nowhere else. */
export type Library = (
  ask: LibraryRequest['ask'],
  onProgress: (done: number, total: number) => void,
  onlyIn?: string,
) => Promise<LibraryResult>;

/** @param folder where the bundled entries lie, the library's program among them. */
export const libraryOfThisMachine =
  (folder: string, { env, execPath } = process): Library =>
  (ask, onProgress, onlyIn) => {
    const home = gantryHome(env);
    const { folders, vault } = lookedAt(settingsReader(env), env);
    const entryPath = join(folder, 'library-host.js');
    const { signal } = new AbortController();
    const where = onlyIn === undefined ? { folders, vault } : { folders: [onlyIn], onlyThere: true };
    return askLibrary({ indexFile: indexFileIn(home), ...where, ask }, { execPath, entryPath, onProgress, signal });
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
  const { env } = process;
  const ownFolder = join(gantryHome(), 'sessions');
  const write = (key: 'folders' | 'leaveOut', value: readonly string[] | undefined): void =>
    changeOwnSetting(gantryHome(env), ['library', key], value);
  return new LibraryDesk({
    ...deps,
    index: indexOf(folder, settings),
    ownFolder,
    otherPrograms: () => lookedAt(settings, env).otherPrograms,
    vaultFolder: () => lookedAt(settings, env).vault,
    places: {
      chosen: () => {
        const { added, leaveOut } = lookedAt(settings, env);
        return { folders: added, leaveOut };
      },
      programs: () => placesOfPrograms(placeEnv(env)),
      isThere: async (path) => existsSync(path),
      write,
    },
    clock,
  });
}

function indexOf(folder: string, settings: SettingsReader): LibraryIndex {
  const { execPath, env } = process;
  const home = gantryHome(env);
  const indexFile = indexFileIn(home);
  const entryPath = join(folder, 'library-host.js');
  const server = new IndexServer({ execPath, entryPath, indexFile });
  const quiet = { execPath, entryPath, onProgress: () => undefined };
  const countIn = async (folders: string[]): Promise<number[]> => {
    if (folders.length === 0) return [];
    const { signal } = new AbortController();
    const result = await askLibrary({ indexFile, folders, ask: { kind: 'count' } }, { ...quiet, signal });
    return result.kind === 'counted' ? result.counts.map(({ count }) => count) : [];
  };
  return {
    facets: async (around) => (await server.ask({ kind: 'facets', around })).facets,
    rows: async (query, page, around) => (await server.ask({ kind: 'rows', query, ...page, around })).answer,
    hits: async (id, text, kinds) => (await server.ask({ kind: 'hits', id, text, kinds })).hits,
    pathOf: async (id) => (await server.ask({ kind: 'path', id })).path,
    update: async (onProgress, signal) => {
      const { folders, vault } = lookedAt(settings, env);
      await askLibrary({ indexFile, folders, vault, ask: { kind: 'update' } }, { ...quiet, onProgress, signal });
    },
    countIn,
    found: async () => {
      const { places } = lookedAt(settings, env);
      const counts = await countIn(places.map((place) => place.folder));
      return counts.map((count, at) => ({ ...(places[at] ?? { format: '', folder: '' }), count }));
    },
    close: () => server.close(),
  };
}

/** One for each reader: it reads files again only when they have changed, and a search asks with every letter. */
const sources = new WeakMap<SettingsReader, SettingsSource>();

function personal(settings: SettingsReader): SettingsSource {
  const known = sources.get(settings) ?? settings.settingsFor(homedir());
  sources.set(settings, known);
  return known;
}

/** Where sessions are looked for, as the settings are now. */
export function lookedAt(settings: SettingsReader, env: NodeJS.ProcessEnv) {
  const { otherPrograms = true, library, vault } = personal(settings).current();
  const whole = (path: string): string => (/^~(?=$|[/\\])/.test(path) ? join(homedir(), path.slice(1)) : resolve(path));
  const added = (library.folders ?? []).map(whole);
  const leaveOut = library.leaveOut ?? [];
  const places = placesOfPrograms(otherPrograms ? placeEnv(env) : undefined, leaveOut);
  return {
    otherPrograms,
    leaveOut,
    added,
    places,
    folders: knownFolders(gantryHome(env), places, added),
    vault: vault.folder === undefined ? undefined : whole(vault.folder),
    whileRunning: vault.whileRunning ?? false,
  };
}

/** Tests look for other programs' folders in a home of their own, and nowhere else. */
const placeEnv = (env: NodeJS.ProcessEnv): PlaceEnv => {
  const { GANTRY_SCAN_HOME: home, CLAUDE_CONFIG_DIR: claude } = env;
  if (home === undefined || home === '') return { home: homedir(), env };
  return { home, env: claude === undefined ? {} : { CLAUDE_CONFIG_DIR: claude } };
};
