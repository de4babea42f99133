import { basename, relative, sep } from 'node:path';
import type { SourceRecord } from './manifest.ts';

/** A folder that is to be copied. */
export type Source = {
  /** The format's name, or `folders`. */
  readonly program: string;
  /** Absolute. */
  readonly path: string;
  /** A folder that a person has added may hold anything: only transcripts and what belongs to them are copied. */
  readonly onlyTranscripts: boolean;
};

export type Placed = Source & { readonly folder: string };

/** The program of folders that a person has added. */
export const ADDED = 'folders';

/**
 * The folder in the vault of each source, `claude-code/projects`. One that the manifest has a folder for keeps it; a new one
 * is called as the source is, with a number where another source has that name.
 */
export function placesFor(sources: readonly Source[], known: ReadonlyMap<string, SourceRecord>): readonly Placed[] {
  const taken = new Map([...known.values()].map(({ folder, path }) => [folder, path]));
  return sources.map((source) => {
    const before = [...taken].find(([folder, path]) => path === source.path && folder.startsWith(`${source.program}/`));
    const folder = before?.[0] ?? freeName(source, taken);
    taken.set(folder, source.path);
    return { ...source, folder };
  });
}

function freeName({ program, path }: Source, taken: ReadonlyMap<string, string>): string {
  const name = `${program}/${basename(path).replace(/[\\:*?"<>|]/g, '_') || 'root'}`;
  if (!taken.has(name)) return name;
  let number = 2;
  while (taken.has(`${name}-${number}`)) number++;
  return `${name}-${number}`;
}

/** Is `path` this folder or below it? Both absolute. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && way !== path);
}

/** Why a folder cannot be the vault of these sources, as a sentence. All by their real paths, absolute. */
export function refusal(vault: string, sources: readonly { readonly path: string }[]): string | undefined {
  for (const { path } of sources) {
    if (isWithin(vault, path)) return `${vault} lies in ${path}, which is to be copied.`;
    if (isWithin(path, vault)) return `${path}, which is to be copied, lies in ${vault}.`;
  }
  return undefined;
}
