import type { Place } from './ground.ts';

/**
 * Wildcards that bash replaces by names of files, as one character each, so that a quoted star stays a star. Private-use
 * characters: no command that can be read holds one.
 */
export const SHELL_STAR = '\uE010';
export const SHELL_ONE = '\uE011';
/** As a part of its own: any number of names that do not begin with a dot. */
export const VISIBLE_DEPTH = '\uE012';

export const hasShellWildcard = (path: string): boolean => path.includes(SHELL_STAR) || path.includes(SHELL_ONE);
export const hasWildcard = ({ names }: Place): boolean => names.some(hasShellWildcard);

/**
 * Can a path of gitignore's pattern and one of the other be the same? Both as parts; `**` is any number of parts on
 * either side. Errs towards yes: of `[…]` and escapes in a pattern it only knows that they may be anything.
 */
export function mayMeet(pattern: readonly string[], path: readonly string[]): boolean {
  // reachable[j]: the parts of the pattern read so far can be the first j parts of the path.
  let reachable = closed([true], path);
  for (const part of pattern) {
    const next: boolean[] = [];
    for (let at = 0; at <= path.length; at++) {
      if (!reachable[at]) continue;
      const there = path[at];
      if (part === '**') for (let to = at; to <= path.length; to++) next[to] = true;
      else if (there === '**' || (there === VISIBLE_DEPTH && !part.startsWith('.'))) next[at] = true;
      else if (there !== undefined && partsMayMeet(part, there)) next[at + 1] = true;
    }
    reachable = closed(next, path);
  }
  return reachable[path.length] === true;
}

/** A `**` of the path, or a depth, may be nothing. */
function closed(reachable: boolean[], path: readonly string[]): boolean[] {
  for (let at = 0; at < path.length; at++) if (reachable[at] && isDepth(path[at])) reachable[at + 1] = true;
  return reachable;
}

const isDepth = (part: string | undefined): boolean => part === '**' || part === VISIBLE_DEPTH;

function partsMayMeet(pattern: string, name: string): boolean {
  // A wildcard at the start of a name passes over names that begin with a dot.
  if (pattern.startsWith('.') && (name.startsWith(SHELL_STAR) || name.startsWith(SHELL_ONE))) return false;
  const loose = pattern.replace(/\\(.)/g, '?').replace(/\[[^\]]*\]?/g, '*');
  return wildcardsMayMeet([...loose], [...name]);
}

/** Two texts with wildcards: `*` and `?` on the left, those of the shell on the right. */
function wildcardsMayMeet(left: readonly string[], right: readonly string[]): boolean {
  const seen = new Set<number>();
  const meet = (i: number, j: number): boolean => {
    const key = i * (right.length + 1) + j;
    if (seen.has(key)) return false;
    seen.add(key);
    const [a, b] = [left[i], right[j]];
    if (a === undefined && b === undefined) return true;
    if (a === '*') return meet(i + 1, j) || (b !== undefined && meet(i, j + 1));
    if (b === SHELL_STAR) return meet(i, j + 1) || (a !== undefined && meet(i + 1, j));
    if (a === undefined || b === undefined) return false;
    return (a === '?' || b === SHELL_ONE || a === b) && meet(i + 1, j + 1);
  };
  return meet(0, 0);
}
