import { readlink, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { EditTarget } from '../../core/permission/own-word.ts';
import { isProtected } from '../../core/permission/protected-paths.ts';
import type { ToolContext } from '../../ports/tool.ts';

/** More links behind one another than this are a circle; Linux gives up at the same number. */
const MOST_LINKS = 40;

/** A path as the model wrote it, made absolute: `~` is the home folder, the rest is relative to the working folder. */
export function resolvePath(path: string, context: ToolContext): string {
  if (path === '~' || path.startsWith('~/')) return join(homedir(), path.slice(1));
  return resolve(context.cwd, path);
}

/**
 * The path behind all symbolic links. Parts that do not exist yet are kept as they are written; a link that leads to
 * nothing yet leads to where a file would be made.
 * @param path absolute.
 * @returns undefined when it cannot be known: links in a circle, a folder that may not be looked into.
 */
export async function realPath(path: string, links = 0): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') return undefined;
  }
  const parent = dirname(path);
  if (parent === path) return path;
  const realParent = await realPath(parent, links);
  if (realParent === undefined) return undefined;
  const here = join(realParent, basename(path));
  const target = await readlink(here).catch(() => undefined);
  if (target === undefined) return here;
  return links < MOST_LINKS ? realPath(resolve(realParent, target), links + 1) : undefined;
}

/** Compares by whole names: `/proj/app-evil` is not inside of `/proj/app`. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (!way.startsWith(`..${sep}`) && way !== '..' && !isAbsolute(way));
}

/** Where a path lies: behind all links, and whether both it and what it links to lie in the session's folders. */
export type Place = { readonly path: string; readonly real: string | undefined; readonly inside: boolean };

/**
 * Looks where a path lies. Inside means the path and what it links to (spec 3.3: an allow needs link and target).
 * @param path absolute, without `..`.
 */
export async function locate(path: string, context: ToolContext): Promise<Place> {
  const real = await realPath(path);
  if (real === undefined) return { path, real, inside: false };
  const realFolders = await Promise.all(context.directories.map((folder) => realPath(folder)));
  // A folder may itself be reached through a link; both of its names count for the path as it is written.
  const names = [...context.directories, ...realFolders];
  const within = (place: string, folders: readonly (string | undefined)[]): boolean =>
    folders.some((folder) => folder !== undefined && isInside(place, folder));
  return { path, real, inside: within(path, names) && within(real, realFolders) };
}

export const isInDirectories = async (path: string, context: ToolContext): Promise<boolean> =>
  (await locate(path, context)).inside;

/** Where a change there lands. Fail closed: the path and what it links to have to be inside and unprotected. */
export function editTargetAt({ path, real, inside }: Place): EditTarget {
  if (isProtected(path) || real === undefined || isProtected(real)) return 'protected';
  return inside ? 'inside' : 'outside';
}

/** A path as it is shown: relative when it lies in the working folder. */
export const shownPath = (path: string, context: ToolContext): string =>
  isInside(path, context.cwd) ? relative(context.cwd, path) || '.' : path;

/** The same with where its links lead, for whoever decides about it. */
export async function shownWithTarget(path: string, context: ToolContext): Promise<string> {
  const shown = shownPath(path, context);
  const real = await realPath(path);
  if (real === undefined) return `${shown} (its links lead in a circle or cannot be followed)`;
  const cwd = await realPath(context.cwd);
  const own = cwd !== undefined && isInside(path, context.cwd) ? join(cwd, relative(context.cwd, path)) : path;
  return real === own ? shown : `${shown} (leads to ${real})`;
}

/** One string field of raw input, which may not fit the schema. */
export function rawField(input: unknown, name: string): string {
  if (typeof input !== 'object' || input === null) return '';
  const value = (input as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : '';
}
