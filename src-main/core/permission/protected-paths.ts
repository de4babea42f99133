import type { Place } from './ground.ts';
import { hasShellWildcard } from './path-wildcards.ts';

const FOLDERS = new Set('.git .ssh .vscode .idea .husky .cargo .devcontainer .yarn .mvn .claude .gantry'.split(' '));
const FILES = new RegExp(
  `^(?:${[
    String.raw`\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|kshrc)`,
    String.raw`\.(?:zshrc|zprofile|zshenv|zlogin|zlogout)`,
    String.raw`\.(?:gitconfig|gitmodules|envrc|npmrc|ripgreprc|yarnrc(?:\.yml)?|pnp\..*|pnpmfile\.cjs|bazel.*)`,
    String.raw`\.(?:pre-commit-config\.yaml|devcontainer\.json|mcp\.json|claude\.json)`,
    String.raw`\.?bunfig\.toml|\.?lefthook.*|(?:gradle|maven)-wrapper\.properties|pyrightconfig\.json`,
  ].join('|')})$`,
);

/**
 * Files whose change would let something run or decide later: no rule and no mode but bypass opens them (spec 2.5).
 * Names are compared without regard to case, since some file systems do not regard it either.
 * @param path absolute.
 */
export function isProtected(path: string): boolean {
  const parts = path.toLowerCase().split(/[\\/]/);
  return (
    FILES.test(parts.at(-1) ?? '') ||
    parts.some((part, at) => {
      const after = parts.slice(at + 1);
      // Work trees of agents and scratch folders of scenarios hold ordinary files.
      if (part === '.claude') return after[0] !== 'worktrees';
      if (part === '.gantry') return after[0] !== 'sessions' || after[2] !== 'scratch';
      if (part === '.config') return after[0] === 'git';
      return FOLDERS.has(part);
    })
  );
}

/** By any of its names, or perhaps: nearly all protected names begin with a dot, so one with a wildcard behind it may be. */
export const isProtectedPlace = ({ names, certain }: Place): boolean =>
  !certain || names.some((name) => isProtected(name) || name.split('/').some(isDotWithWildcard));

const isDotWithWildcard = (part: string): boolean => part.startsWith('.') && hasShellWildcard(part);
