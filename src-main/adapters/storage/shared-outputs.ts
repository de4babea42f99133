import { constants } from 'node:fs';
import { access, copyFile, link, mkdir, readdir, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { diskTrouble } from './disk-trouble.ts';
import { fileNameOf } from './result-folder.ts';

/** Below a session's outputs: those of the session that it was copied from. */
const COPIED = 'copied';
/** Stands in the folder of a session that was removed and has outputs to which forks still point. */
const REMOVED = 'removed';

/** An output of a history that is copied into another session. */
export type OldOutput = { readonly callId: string; readonly path: string };

/**
 * Gives a fork outputs of its own: the same files under a second name, or copies where the file system has no second names.
 * What the model was told is the first name; it stays, see `removeButShared`.
 * @param results the fork's folder for outputs, absolute.
 * @returns the new path of each that there is, by its old one; and what the disk said of others.
 */
export async function adoptOutputs(
  results: string,
  outputs: readonly OldOutput[],
): Promise<{ readonly paths: ReadonlyMap<string, string>; readonly problem?: string }> {
  const paths = new Map<string, string>();
  let problem: string | undefined;
  const folder = join(results, COPIED);
  for (const { callId, path } of outputs) {
    const own = join(folder, `${fileNameOf(callId)}.txt`);
    try {
      if (!(await stat(path)).isFile()) continue;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await linkOrCopy(path, own);
      paths.set(path, own);
    } catch (error) {
      if (isMissing(error)) continue;
      problem = diskTrouble(error);
      await rm(own, { force: true }).catch(() => undefined);
    }
  }
  return { paths, ...(problem === undefined ? {} : { problem }) };
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (isMissing(error)) throw error;
    await copyFile(from, to, constants.COPYFILE_FICLONE);
  }
}

/**
 * Removes a session's folder, but for outputs that forks of it have under a second name: in their conversations stands the
 * first one, byte for byte, and it has to lead somewhere.
 */
export async function removeButShared(folder: string, results: string): Promise<void> {
  const shared = await sharedIn(results);
  if (shared.size === 0) return rm(folder, { recursive: true, force: true });
  // First of all: whatever comes between, the next sweep goes on.
  await writeFile(join(folder, REMOVED), '', { mode: 0o600 });
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (path !== results && name !== REMOVED) await rm(path, { recursive: true, force: true });
  }
  await removeUnshared(results, shared);
}

/** Outputs of removed sessions go when the last fork that points to them has gone. @param root holds all sessions' folders. */
export async function sweepRemoved(root: string, resultsIn: (folder: string) => string): Promise<void> {
  for (const name of await readdir(root).catch(() => [])) {
    const folder = join(root, name);
    const isRemoved = await access(join(folder, REMOVED)).then(
      () => true,
      () => false,
    );
    if (!isRemoved) continue;
    const results = resultsIn(folder);
    await removeUnshared(results, await sharedIn(results));
    // Fails where something is left in it.
    const isEmpty = await rmdir(results).then(
      () => true,
      (error: unknown) => isMissing(error),
    );
    if (isEmpty) await rm(folder, { recursive: true, force: true });
  }
}

/** Names of a session's own outputs that have a second name somewhere. */
async function sharedIn(results: string): Promise<ReadonlySet<string>> {
  const names = await readdir(results).catch(() => []);
  const facts = await Promise.all(names.map((name) => stat(join(results, name)).catch(() => undefined)));
  return new Set(names.filter((_, at) => facts[at]?.isFile() === true && (facts[at]?.nlink ?? 1) > 1));
}

async function removeUnshared(results: string, shared: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(results).catch(() => [])) {
    if (!shared.has(name)) await rm(join(results, name), { recursive: true, force: true });
  }
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';
