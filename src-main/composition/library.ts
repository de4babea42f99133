import { homedir } from 'node:os';
import { join } from 'node:path';
import { indexFileIn, knownFolders } from '../adapters/library/known-folders.ts';
import { askLibrary, type LibraryResult } from '../adapters/library/library-client.ts';
import type { LibraryRequest } from '../adapters/library/protocol.ts';
import { gantryHome } from './gantry-home.ts';

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
    const folders = knownFolders(home, { home: homedir(), env });
    const entryPath = join(folder, 'library-host.js');
    const { signal } = new AbortController();
    return askLibrary({ indexFile: indexFileIn(home), folders, ask }, { execPath, entryPath, onProgress, signal });
  };
