import { z } from 'zod';
import { err, ok, type Result } from '../../../src-shared/result.ts';

/** What a person has said of a folder, by its real path. */
export type FolderRecord = {
  readonly path: string;
  /** `never`: not to be asked again. Undefined where only single entries were confirmed, by saving a rule. */
  readonly answer?: 'trusted' | 'never' | undefined;
  /** Keys of the entries that are confirmed (`grants.ts`). */
  readonly confirmed: readonly string[];
};

const Path = z.string().min(1);
const Version2 = z.object({
  version: z.literal(2),
  folders: z.array(
    z.object({ path: Path, answer: z.enum(['trusted', 'never']).optional(), confirmed: z.array(z.string()) }),
  ),
});
/** Did not say what was confirmed: such a folder is trusted, and asked about once more. */
const Version1 = z.object({ version: z.literal(1), folders: z.array(Path) }).transform(({ folders }) => ({
  version: 2 as const,
  folders: folders.map((path) => ({ path, answer: 'trusted' as const, confirmed: [] })),
}));

/** The folders of the file's text. An error says in words what is wrong; then no folder is trusted. */
export function readTrustedFolders(text: string): Result<readonly FolderRecord[], string> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return err('it is not written as JSON');
  }
  const parsed = z.union([Version2, Version1]).safeParse(json);
  return parsed.success ? ok(parsed.data.folders) : err('it is no list of folders of version 1 or 2');
}

export function trustedFoldersText(folders: readonly FolderRecord[]): string {
  const sorted = [...folders].sort((a, b) => (a.path < b.path ? -1 : 1));
  return `${JSON.stringify({ version: 2, folders: sorted }, undefined, 2)}\n`;
}

/** These entries are confirmed too. `answer` says what the folder is from now on; left out, it stays what it was. */
export function confirming(
  folders: readonly FolderRecord[],
  path: string,
  keys: readonly string[],
  answer?: 'trusted',
): readonly FolderRecord[] {
  const before = folders.find((each) => each.path === path);
  const confirmed = [...new Set([...(before?.confirmed ?? []), ...keys])].sort();
  return [...without(folders, path), { path, answer: answer ?? before?.answer, confirmed }];
}

/** Nothing of the folder is confirmed, and nobody is to be asked. */
export const refusing = (folders: readonly FolderRecord[], path: string): readonly FolderRecord[] => [
  ...without(folders, path),
  { path, answer: 'never', confirmed: [] },
];

export const without = (folders: readonly FolderRecord[], ...paths: readonly string[]): readonly FolderRecord[] =>
  folders.filter(({ path }) => !paths.includes(path));
