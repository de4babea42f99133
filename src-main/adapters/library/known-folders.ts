import { join } from 'node:path';
import type { PlaceEnv } from '../transcripts/importer.ts';
import { IMPORTERS } from '../transcripts/registry.ts';

/** Where sessions may lie: Gantry's own, and the usual places of each program whose format is read. */
export const knownFolders = (gantryHome: string, env: PlaceEnv): string[] => {
  const places = IMPORTERS.flatMap((importer) => importer.places?.(env) ?? []);
  return [...new Set([join(gantryHome, 'sessions'), ...places])];
};

/** The index's file. */
export const indexFileIn = (gantryHome: string): string => join(gantryHome, 'library.sqlite');
