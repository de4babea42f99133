import type { BashAnalysis, SimpleCommand } from '../bash/analyse-bash.ts';

const ALWAYS = new Set(['sudo', 'doas', 'su', 'dd', 'mkfs', 'fdisk', 'shred', 'shutdown', 'reboot', 'eval', 'chown']);
const SHELLS = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh']);
const FETCHERS = new Set(['curl', 'wget']);

/**
 * Commands for which one key press is not enough (spec 5.4): they remove much, change the system, or run what they
 * fetched. Only about the dialog; what may run unasked is decided elsewhere, and fail closed.
 */
export function isDangerous(analysis: BashAnalysis): boolean {
  const { commands } = analysis;
  const fetches = commands.some((command) => FETCHERS.has(name(command)));
  return commands.some((command) => {
    const [, ...args] = command.argv;
    if (ALWAYS.has(name(command))) return true;
    if (SHELLS.has(name(command))) return fetches || args.some((arg) => arg === '-c');
    if (name(command) === 'rm') return args.some((arg) => /^-\w*[rRf]|^--(recursive|force)$/.test(arg));
    if (name(command) === 'git') return isDangerousGit(args);
    if (name(command) === 'chmod') return args.some((arg) => /^-\w*R|^--recursive$/.test(arg));
    return name(command) === 'find' && args.some((arg) => arg === '-delete' || arg.startsWith('-exec'));
  });
}

const name = (command: SimpleCommand): string => (command.argv[0] ?? '').replace(/^.*\//, '');

function isDangerousGit(args: readonly string[]): boolean {
  if (args.includes('push')) return args.some((arg) => arg.startsWith('--force') || arg === '-f' || arg === '--delete');
  if (args.includes('reset')) return args.includes('--hard');
  return args.includes('clean') || args.includes('filter-branch');
}
