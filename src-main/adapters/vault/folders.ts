import { lstat, mkdir, open, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { codeOf, FileTrouble, noVault } from './trouble.ts';

/** The vault's folder by its real path. @throws FailureError where there is none: an unplugged disk is not made anew */
export async function vaultFolder(folder: string): Promise<string> {
  const found = await stat(folder).catch(() => undefined);
  if (found === undefined) throw noVault(folder, 'the folder does not exist');
  if (!found.isDirectory()) throw noVault(folder, 'it is no folder');
  return realpath(folder);
}

/** A path with the links in it followed, as far as it is there. */
export async function realPath(path: string): Promise<string> {
  const absolute = resolve(path);
  try {
    return await realpath(absolute);
  } catch {
    const above = dirname(absolute);
    return above === absolute ? absolute : join(await realPath(above), absolute.slice(above.length));
  }
}

/** Makes folders below the vault that only their owner may look into, and goes through no link. */
export class OwnFolders {
  readonly #root: string;
  readonly #known = new Set<string>();

  constructor(root: string) {
    this.#root = root;
  }

  /** @param path below the vault, with `/`. @throws FileTrouble where something else is in its place */
  async ensure(path: string): Promise<string> {
    let folder = this.#root;
    for (const part of path.split('/')) {
      folder = join(folder, part);
      if (this.#known.has(folder)) continue;
      await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
        if (codeOf(error) !== 'EEXIST') throw error;
      });
      if (!(await lstat(folder)).isDirectory()) throw new FileTrouble(`has no place: ${folder} is no folder`);
      this.#known.add(folder);
    }
    return folder;
  }
}

/** Puts names in a folder on the disk, where the system can. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  } catch {
    // Windows opens no folders, and some file systems refuse.
  }
}
