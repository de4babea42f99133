import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/*
 * Public fixtures of other projects, read in place: they are not ours to copy. `GANTRY_SHARED` names the folder that
 * holds `transcripts/public`; by default it lies beside this project.
 */
const shared = process.env.GANTRY_SHARED ?? resolve(import.meta.dirname, '../../../../shared');
export const publicFolder = join(shared, 'transcripts', 'public');
export const missing = !existsSync(publicFolder);
if (missing)
  console.warn(`Skipped: the public transcripts are not at ${publicFolder}. Set GANTRY_SHARED to read them.`);

/** Files of one format of the collection, by name and relative to its folder. */
export const publicFiles = (format: string, pattern = /./): readonly string[] =>
  missing
    ? []
    : readdirSync(join(publicFolder, format), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && pattern.test(entry.name))
        .map((entry) => join(entry.parentPath, entry.name).slice(publicFolder.length + 1))
        .sort();

/** What the index of the collection says of each file. */
export function publicIndex(): readonly { readonly file: string; readonly format: string; readonly calls: number }[] {
  const [, ...rows] = readFileSync(join(publicFolder, 'INDEX.tsv'), 'utf8').trim().split('\n');
  return rows
    .map((row) => row.split('\t'))
    .map(([file = '', format = '', , , , , , , calls]) => ({ file, format, calls: Number(calls) }));
}
