import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { diskTrouble } from '../storage/disk-trouble.ts';
import { realPath } from './paths.ts';

/**
 * Writes a whole file at once: whoever reads it meanwhile sees the old or the new one. Keeps mode and owner of an
 * existing file; makes folders that are missing.
 * @param real absolute, free of links.
 * @throws with words for the model and the person when the disk refuses.
 */
export async function writeWhole(real: string, bytes: Buffer): Promise<{ readonly mtimeMs: number }> {
  const folder = dirname(real);
  try {
    await mkdir(folder, { recursive: true });
    // A link that came between the look and now must not lead the write elsewhere.
    if ((await realPath(folder)) !== folder) throw new Error('a folder on the way has become a link');
    // It takes mode and owner from what is there, and the file's place in one step.
    await writeFileAtomic(real, bytes);
    return await stat(real);
  } catch (cause) {
    throw new Error(`${real} cannot be written: ${diskTrouble(cause)}. Nothing was changed.`, { cause });
  }
}
