import ignore, { type Ignore } from 'ignore';
import type { Ground, Place } from './ground.ts';
import { mayMeet, VISIBLE_DEPTH } from './path-wildcards.ts';
import { joinPath, wayDown, withSlashes } from './paths.ts';
import type { SourcedRule } from './rules.ts';

/** Allow rules and restricting ones (deny, ask) read some patterns differently (reference, section 3). */
export type ListKind = 'allow' | 'restrict';

/** The path of a `Read` or `Edit` rule, ready to be compared. */
export type PathPattern = {
  readonly list: ListKind;
  /** The folder it is anchored at, by all its names. */
  readonly anchor: Place;
  /** The whole folder, itself included; then there is no pattern to compare. */
  readonly everything: boolean;
  readonly matcher: Ignore;
  /** The pattern as parts, for the question of what lies below a folder. */
  readonly parts: readonly string[];
  /** The same for whole folders that are read: `./x` asks about the one place it names. */
  readonly partsBelow: readonly string[];
};

/** All paths there are: what `Read` and `Edit` without a path mean. */
export const anyPath = (list: ListKind, ground: Ground): PathPattern => compile('/', '**', list, ground);

/**
 * The pattern of a rule: gitignore's, below one of four anchors. `//p` is the root of the file system, `~/p` the home
 * folder, `/p` the folder the settings belong to, `p` and `./p` the working folder. Undefined for a pattern that takes
 * something out again (`!p`), which rules cannot say.
 */
export function pathPattern(
  specifier: string,
  rule: SourcedRule,
  list: ListKind,
  ground: Ground,
): PathPattern | undefined {
  const text = ground.platform === 'win32' ? windowsPattern(specifier.trim()) : specifier.trim();
  if (text.startsWith('!')) return undefined;
  if (text.startsWith('//')) return compile('/', text.replace(/^\/+/, '/'), list, ground);
  if (/^~(?:\/|$)/.test(text)) return compile(ground.home, text.slice(1), list, ground);
  if (text.startsWith('/')) return compile(settingsRoot(rule, ground), text, list, ground);
  const up = /^(?:\.{1,2}\/+)+|^\.{1,2}$/.exec(text)?.[0] ?? '';
  const base = joinPath(ground.cwd, up);
  const rest = text.slice(up.length);
  if (up === '') return compile(base, rest, list, ground);
  const placed = compile(base, `/${rest}`, list, ground);
  // A path with dots in front names one place. In a restriction a bare name behind one dot still counts at any depth.
  if (list === 'allow' || up.includes('..')) return placed;
  return { ...compile(base, rest, list, ground), partsBelow: placed.parts };
}

/** `C:\a` and `\\server\a` as rules write them elsewhere. */
const windowsPattern = (text: string): string =>
  text.replaceAll('\\', '/').replace(/^([A-Za-z]):(?=\/)/, (_, drive: string) => `//${drive.toLowerCase()}`);

function settingsRoot({ scope, root }: SourcedRule, ground: Ground): string {
  if (root !== undefined) return joinPath('/', withSlashes(root, ground.platform));
  switch (scope) {
    case 'project':
      return ground.projectRoot;
    case 'user':
      return joinPath(ground.home, '.claude');
    case 'managed':
      return '/';
    case 'local':
    case 'session':
    case 'cli':
      return ground.startedIn;
  }
}

function compile(base: string, pattern: string, list: ListKind, ground: Ground): PathPattern {
  const shaped = shape(ground.fold(pattern), list);
  const matcher = ignore({ ignorecase: ground.foldsCase });
  const everything = /^(?:\/?\.?|\/?\*\*\/?|\/?\*\*\/\*)$/.test(shaped);
  // An object, since a string would be split at line breaks.
  if (!everything) matcher.add({ pattern: shaped.replace(/^#/, '\\#') });
  const parts = everything ? ['**'] : partsOf(shaped);
  return { list, anchor: ground.place(base), everything, matcher, parts, partsBelow: parts };
}

/**
 * A single folder name (`src/**`, `src/`) is the one below the anchor for an allow rule, and one at any depth for a
 * restriction. All other shapes are gitignore's.
 */
function shape(pattern: string, list: ListKind): string {
  const folder = /^([^/]+)\/(?:\*\*)?$/.test(pattern) && pattern !== '**/';
  if (!folder) return pattern;
  return list === 'allow' ? `/${pattern}` : `**/${pattern}`;
}

/** A name without a slash, except at the end, stands at any depth. */
function partsOf(pattern: string): readonly string[] {
  const parts = pattern.split('/').filter((part) => part !== '');
  return /^[^/]+\/?$/.test(pattern) ? ['**', ...parts] : parts;
}

/** Does the pattern mean this path? An allow rule needs all its names, a restriction one (CVE-2026-25724). */
export function matchesPlace(pattern: PathPattern, place: Place): boolean {
  const matches = (name: string): boolean => pattern.anchor.names.some((anchor) => matchesName(pattern, anchor, name));
  return pattern.list === 'allow' ? place.certain && place.names.every(matches) : place.names.some(matches);
}

function matchesName({ everything, matcher }: PathPattern, anchor: string, name: string): boolean {
  const way = wayDown(anchor, name);
  if (way === undefined) return false;
  return everything || (way !== '' && matcher.ignores(way));
}

/** A name that no pattern spells out: what matches it matches everything in the folder. */
const ANY_NAME = '\u{F0000}';

/** The folder itself, or all that lies in it. */
export const matchesFolder = (pattern: PathPattern, place: Place): boolean =>
  matchesPlace(pattern, place) ||
  matchesPlace(pattern, { ...place, names: place.names.map((name) => joinPath(name, ANY_NAME)) });

/**
 * Can something below the folder be what the pattern means? Nobody has looked what lies there.
 * @param depth names that begin with a dot are passed over when it is `visible`.
 */
export const mayMatchBelow = (pattern: PathPattern, place: Place, depth: 'all' | 'visible'): boolean =>
  place.names.some((name) =>
    mayMatchPath(pattern.anchor, pattern.partsBelow, [...partsIn(name), depth === 'all' ? '**' : VISIBLE_DEPTH]),
  );

/** The same for files that will be looked at one by one with `matchesPlace`, which knows no one place for `./x`. */
export const mayMeanBelow = (pattern: PathPattern, place: Place): boolean =>
  place.names.some((name) => mayMatchPath(pattern.anchor, pattern.parts, [...partsIn(name), '**']));

/** Can a path with wildcards of the shell, as `path-wildcards.ts` marks them, be what the pattern means? */
export const mayMatchNames = ({ anchor, parts }: PathPattern, place: Place): boolean =>
  place.names.some((name) => mayMatchPath(anchor, parts, partsIn(name)));

const partsIn = (path: string): readonly string[] => path.split('/').filter((part) => part !== '');

/** What lies in a matching folder is meant too. */
const mayMatchPath = (anchor: Place, parts: readonly string[], path: readonly string[]): boolean =>
  anchor.names.some((name) => mayMeet([...partsIn(name), ...parts, '**'], path));
