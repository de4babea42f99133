import { join } from 'node:path';
import type { PlaceEnv } from '../transcripts/importer.ts';
import { IMPORTERS } from '../transcripts/registry.ts';

/** The usual places of each program whose format is read; none where nobody may look there. */
export function placesOfPrograms(env: PlaceEnv | undefined): readonly { format: string; folder: string }[] {
  if (env === undefined) return [];
  const places = IMPORTERS.flatMap(({ name: format, ...importer }) =>
    (importer.places?.(env) ?? []).map((folder) => ({ format, folder })),
  );
  return places.filter(({ folder }, at) => places.findIndex((place) => place.folder === folder) === at);
}

/** Where sessions may lie: Gantry's own, and the usual places of other programs. */
export const knownFolders = (gantryHome: string, env: PlaceEnv | undefined): string[] => {
  const places = placesOfPrograms(env).map(({ folder }) => folder);
  return [...new Set([join(gantryHome, 'sessions'), ...places])];
};

/** The index's file. */
export const indexFileIn = (gantryHome: string): string => join(gantryHome, 'library.sqlite');
