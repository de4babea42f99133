import { z } from 'zod';
import { err, ok, type Result } from '../../../src-shared/result.ts';

/** The file that remembers which folders a person trusts, by their real paths. */
const TrustedFile = z.object({ version: z.literal(1), folders: z.array(z.string().min(1)) });

/** The folders of the file's text. An error says in words what is wrong; then no folder is trusted. */
export function readTrustedFolders(text: string): Result<readonly string[], string> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return err('it is not written as JSON');
  }
  const parsed = TrustedFile.safeParse(json);
  return parsed.success ? ok(parsed.data.folders) : err('it is no list of folders of version 1');
}

export const trustedFoldersText = (folders: readonly string[]): string =>
  `${JSON.stringify({ version: 1, folders: [...new Set(folders)].sort() }, undefined, 2)}\n`;
