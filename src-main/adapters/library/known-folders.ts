import { join } from 'node:path';
import type { PlaceEnv } from '../transcripts/importer.ts';
import { IMPORTERS } from '../transcripts/registry.ts';

export type Place = { readonly format: string; readonly folder: string };

/** The usual places of each program whose format is read and that is not left out; none where nobody may look there. */
export function placesOfPrograms(env: PlaceEnv | undefined, leaveOut: readonly string[] = []): readonly Place[] {
  if (env === undefined) return [];
  const places = IMPORTERS.filter(({ name }) => !leaveOut.includes(name)).flatMap(({ name: format, ...importer }) =>
    (importer.places?.(env) ?? []).map((folder) => ({ format, folder })),
  );
  return places.filter(({ folder }, at) => places.findIndex((place) => place.folder === folder) === at);
}

/** Where sessions may lie: Gantry's own, the usual places of other programs, and folders that a person has added. */
export const knownFolders = (gantryHome: string, places: readonly Place[], added: readonly string[] = []): string[] => [
  ...new Set([join(gantryHome, 'sessions'), ...places.map(({ folder }) => folder), ...added]),
];

/** The index's file. */
export const indexFileIn = (gantryHome: string): string => join(gantryHome, 'library.sqlite');
