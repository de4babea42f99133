import { type Arg, type Refusal, refuse } from '../arguments.ts';

const withoutValue = new Set(
  '-print -print0 -ls -prune -quit -empty -readable -writable -executable -nouser -nogroup -true -false -not -a -and -o -or -depth -d -xdev -x -mount -follow -daystart -noleaf -ignore_readdir_race -noignore_readdir_race -nowarn -warn ( ) ! ,'.split(
    ' ',
  ),
);

const withValue = new Set(
  '-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -size -mtime -atime -ctime -mmin -amin -cmin -newer -anewer -cnewer -maxdepth -mindepth -perm -user -group -uid -gid -links -inum -samefile -lname -ilname -fstype -used -context -printf'.split(
    ' ',
  ),
);

/**
 * `find`: start paths, then an expression of tests and of actions that print. Every word must be known, since
 * any of them could be `-delete` or `-exec`; a value is taken whole, so `-name -delete` is a name.
 */
export function judgeFind(args: readonly Arg[]): Refusal | undefined {
  if (args.length === 1 && (args[0]?.text === '--version' || args[0]?.text === '--help')) return undefined;
  const open = args.find((arg) => !arg.fixed && !arg.home);
  if (open !== undefined)
    return refuse('The value of this part is not known, and it could become an action of find.', open);
  let i = 0;
  while (/^-(?:[HLP]+|O[0-3])$/.test(args[i]?.text ?? '')) i += 1;
  while (i < args.length && !/^(?:-.|[(),!]$)/.test(args[i]!.text)) i += 1;
  for (; i < args.length; i += 1) {
    const arg = args[i]!;
    if (withoutValue.has(arg.text)) continue;
    if (!withValue.has(arg.text) && !/^-newer[aBcmt][aBcmt]$/.test(arg.text)) {
      return refuse(`${arg.text} is not a part of find that is known to only read.`, arg);
    }
    i += 1;
    if (args[i] === undefined) return refuse(`${arg.text} lacks its value.`, arg);
  }
  return undefined;
}
