import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** What lies in a folder, by name. One that is missing or may not be read is as good as an empty one. */
export async function entriesIn(folder: string): Promise<readonly Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

/** Files in a folder whose names fit, absolute and by name. */
export async function filesIn(folder: string, pattern: RegExp): Promise<readonly string[]> {
  const entries = await entriesIn(folder);
  return entries.filter((entry) => entry.isFile() && pattern.test(entry.name)).map((entry) => join(folder, entry.name));
}

/** Folders in a folder, absolute and by name. */
export async function foldersIn(folder: string): Promise<readonly string[]> {
  return (await entriesIn(folder)).filter((entry) => entry.isDirectory()).map((entry) => join(folder, entry.name));
}
