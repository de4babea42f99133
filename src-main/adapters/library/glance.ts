import { open } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Known } from './facts-of.ts';
import type { FoundFile } from './scan.ts';

/** Programs write the folder into one of a session's first lines. */
const HEAD_BYTES = 16_384;

/** What a file's name and first bytes tell, to list it before its turn to be read has come. Never fails. */
export async function glanceAt({ path, stored }: FoundFile): Promise<Known> {
  if (stored !== undefined) return stored;
  const name = basename(path).replace(/\.jsonl?$/, '');
  // Our journals are all called the same; their folder has the session's name.
  const title = name === 'journal' ? basename(dirname(path)) : name;
  const cwd = folderIn(await headOf(path));
  return { title, ...(cwd === undefined ? {} : { cwd }) };
}

async function headOf(path: string): Promise<string> {
  try {
    const handle = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch {
    // It is listed all the same; when it is read, it is said what is wrong.
    return '';
  }
}

function folderIn(head: string): string | undefined {
  const [, quoted] = /"cwd":\s*("(?:[^"\\]|\\.)*")/.exec(head) ?? [];
  try {
    return quoted === undefined ? undefined : String(JSON.parse(quoted));
  } catch {
    return undefined;
  }
}
