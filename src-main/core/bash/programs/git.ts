import { type Arg, type Refusal, refuse } from '../arguments.ts';
import { readOptions } from '../options.ts';
import { gitCommands } from './git-commands.ts';

/** Global options that choose neither repository, nor configuration, nor pager. */
const globalOptions = new Set([
  '--no-pager',
  '-P',
  '--no-optional-locks',
  '--literal-pathspecs',
  '--no-replace-objects',
  '--icase-pathspecs',
  '--glob-pathspecs',
  '--noglob-pathspecs',
]);

/**
 * git in the repository around the working folder, whose own configuration is trusted. Every word must be known,
 * since nearly every subcommand has an option that writes a file.
 */
export function judgeGit(args: readonly Arg[]): Refusal | undefined {
  let at = 0;
  while (args[at]?.fixed && globalOptions.has(args[at]!.text)) at += 1;
  const verb = args[at];
  if (verb === undefined) return undefined;
  if (/^(?:--version|-v|--help|-h)$/.test(verb.text) && args.length === at + 1) return undefined;
  const command = verb.fixed ? gitCommands.get(verb.text) : undefined;
  if (command === undefined) {
    return refuse(
      verb.text.startsWith('-')
        ? `The option ${verb.text} of git is not known to be harmless.`
        : `git ${verb.text} is not known to only read.`,
      verb,
    );
  }
  // The manual page of the command, which goes to a pipe here.
  if (args.length === at + 2 && args[at + 1]?.text === '--help') return undefined;
  const call = readOptions(args.slice(at + 1), command);
  if ('reason' in call) return call;
  // These placeholders start gpg to check a signature.
  const signs = call.options.find(({ value }) => /%G|%\([^)]*signature/.test(value?.text ?? ''));
  if (signs !== undefined) return refuse('This format starts gpg.', signs.arg);
  return command.check?.(call);
}
