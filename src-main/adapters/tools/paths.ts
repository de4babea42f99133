import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { ToolContext } from '../../ports/tool.ts';

/** A path as the model wrote it, made absolute: `~` is the home folder, the rest is relative to the working folder. */
export function resolvePath(path: string, context: ToolContext): string {
  if (path === '~' || path.startsWith('~/')) return join(homedir(), path.slice(1));
  return resolve(context.cwd, path);
}

/** The path behind all symbolic links. Parts that do not exist yet are kept as they are written. */
export async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realPath(parent), basename(path));
  }
}

export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (!way.startsWith(`..${sep}`) && way !== '..' && !isAbsolute(way));
}

/** Both the path and what it links to lie in one of the session's folders. */
export async function isInDirectories(path: string, context: ToolContext): Promise<boolean> {
  const real = await realPath(path);
  for (const folder of context.directories) {
    if (isInside(path, folder) && isInside(real, await realPath(folder))) return true;
  }
  return false;
}

/**
 * Files whose change would let something run or decide later: no mode but bypass opens them (spec 2.5).
 * @param path absolute.
 */
export function isProtected(path: string): boolean {
  const parts = path.split(sep);
  if (parts.some((part) => part === '.git' || part === '.claude' || part === '.gantry' || part === '.ssh')) return true;
  return /^\.(bashrc|bash_profile|profile|zshrc|zprofile|gitconfig|gitmodules|npmrc|mcp\.json)$/.test(basename(path));
}

/** Where an edit lands, without touching the disk: used for the modes of the permission chain. */
export function editTargetOf(path: string, context: ToolContext): 'inside' | 'outside' {
  const absolute = resolvePath(path, context);
  if (isProtected(absolute)) return 'outside';
  return context.directories.some((folder) => isInside(absolute, folder)) ? 'inside' : 'outside';
}

/** A path as it is shown: relative when it lies in the working folder. */
export const shownPath = (path: string, context: ToolContext): string =>
  isInside(path, context.cwd) ? relative(context.cwd, path) || '.' : path;

/** One string field of raw input, which may not fit the schema. */
export function rawField(input: unknown, name: string): string {
  if (typeof input !== 'object' || input === null) return '';
  const value = (input as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : '';
}
