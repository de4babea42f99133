/**
 * Paths in one form for all platforms: absolute, `/` between the parts, no `.` and no `..`. On Windows `C:\a` becomes
 * `/c/a` and `\\server\share` becomes `/server/share`, as rules write them (reference, section 3).
 */

/** `path.resolve` for text in this form, with `..` taken out word by word. */
export function joinPath(base: string, path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith('/') ? path : `${base}/${path}`).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/';
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The way from a folder down to a path: empty for the folder itself, undefined when the path lies elsewhere. */
export function wayDown(folder: string, path: string): string | undefined {
  if (path === folder) return '';
  const start = folder === '/' ? '/' : `${folder}/`;
  return path.startsWith(start) ? path.slice(start.length) : undefined;
}

/** Compares by whole names: `/proj/app-evil` is not inside of `/proj/app`. */
export const liesIn = (path: string, folder: string): boolean => wayDown(folder, path) !== undefined;

export const isAbsolutePath = (path: string, platform: string): boolean =>
  platform === 'win32' ? /^(?:[A-Za-z]:[\\/]|[\\/])/.test(path) : path.startsWith('/');

/** Separators and roots of a path as the platform writes it, `.` and `..` left in place. */
export function withSlashes(path: string, platform: string): string {
  if (platform !== 'win32') return path;
  const slashed = path
    .replaceAll('\\', '/')
    // `\\?\C:\x`, `\??\C:\x` and `\\.\C:\x` are other spellings of the same file (#78752).
    .replace(/^\/(?:\/[?.]|\?\?)\/(?:UNC\/)?/i, (prefix) => (/unc\/$/i.test(prefix) ? '//' : ''))
    .replace(/^([A-Za-z]):/, (_, drive: string) => `/${drive.toLowerCase()}`);
  return slashed.split('/').map(windowsName).join('/');
}

/** Windows drops dots and blanks at the end of a name, and what follows a colon names a stream of the same file. */
const windowsName = (name: string): string => (/^\.{1,2}$/.test(name) ? name : name.replace(/:.*$|[. ]+$/g, ''));

/** `/c/Users` as Windows writes it; elsewhere the path itself. */
export const nativePath = (path: string, platform: string): string =>
  platform === 'win32' && /^\/[a-z](?:\/|$)/i.test(path)
    ? `${path.charAt(1).toUpperCase()}:\\${path.slice(3).replaceAll('/', '\\')}`
    : path;

/** macOS and Windows take no account of case, APFS none of how accents are composed. */
export const ignoresCase = (platform: string): boolean => platform === 'win32' || platform === 'darwin';

/** The form in which two names of one file are equal. Also for patterns. */
export function fold(path: string, platform: string): string {
  if (!ignoresCase(platform)) return path;
  const folded = path.normalize('NFC').toLowerCase();
  // On macOS these folders are links into /private.
  return platform === 'darwin' ? folded.replace(/^\/private(?=\/(?:etc|var|tmp|home)(?:\/|$))/, '') : folded;
}

/** A name Windows may have shortened (`ALICE~1`): it stands for another one that nobody can tell from the text. */
export const isShortened = (path: string, platform: string): boolean => platform === 'win32' && /~\d/.test(path);
