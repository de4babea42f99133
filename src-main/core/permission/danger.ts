import type { BashAnalysis } from '../bash/analyse-bash.ts';
import { innerTexts, innerWords } from './wrapped-commands.ts';

const ALWAYS = new Set('sudo doas su dd mkfs fdisk shred shutdown reboot eval chown'.split(' '));
const FETCHERS = new Set(['curl', 'wget']);
const SHELLS = new Set('sh bash zsh dash ksh'.split(' '));

/**
 * Commands for which one key press is not enough (spec 5.4): they remove much, change the system, or run what they
 * fetched. Only about the dialog; what may run unasked is decided elsewhere, and fail closed.
 */
export function isDangerous(analysis: BashAnalysis): boolean {
  const all = analysis.commands.flatMap(({ argv }) =>
    innerWords(argv.map((text) => ({ text }))).map((inner) => inner.argv.map(({ text }) => text)),
  );
  const fetches = all.some((words) => FETCHERS.has(nameOf(words)));
  return all.some((words) => isDangerousCommand(words, fetches));
}

function isDangerousCommand(words: readonly string[], fetches: boolean): boolean {
  const name = nameOf(words);
  const args = words.slice(1);
  const has = (option: RegExp): boolean => args.some((arg) => option.test(arg));
  if (ALWAYS.has(name)) return true;
  if (SHELLS.has(name)) return fetches || innerTexts(words.map((text) => ({ text }))).length > 0;
  switch (name) {
    case 'rm':
      return has(/^-\w*[rRf]|^--(?:recursive|force)$/);
    case 'chmod':
      return has(/^-\w*R|^--recursive$/);
    case 'find':
      return has(/^-(?:delete|exec|ok)/);
    case 'git':
      return isDangerousGit(args, has);
    default:
      return name.startsWith('mkfs.');
  }
}

function isDangerousGit(args: readonly string[], has: (option: RegExp) => boolean): boolean {
  if (args.includes('push')) return has(/^--(?:force|delete|mirror|prune)|^-\w*[fd]|^[+:]\S/);
  if (args.includes('reset')) return args.includes('--hard');
  return args.includes('clean') || args.includes('filter-branch');
}

const nameOf = ([name = '']: readonly string[]): string => name.slice(name.lastIndexOf('/') + 1);
