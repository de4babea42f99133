import { type Arg, type Refusal, refuse } from '../arguments.ts';
import { readOptions } from '../options.ts';
import type { TableProgram } from './program.ts';

/** Queries to the local daemon. Options that choose another one (`-H`, `--context`) come first and are refused. */
const commands = new Map<string, TableProgram>([
  ['ps', { options: '-aqlnsf: --all --quiet --latest --last: --no-trunc --size --filter: --format:' }],
  ['images', { options: '-aqf: --all --quiet --digests --no-trunc --filter: --format:' }],
  ['inspect', { options: '-f:s --format: --size --type:' }],
  ['logs', { options: '-tn: --timestamps --tail: --since: --until: --details' }],
  ['version', { options: '-f: --format:' }],
  ['info', { options: '-f: --format:' }],
  ['port', { options: '' }],
  ['diff', { options: '' }],
  ['history', { options: '-qH --quiet --no-trunc --human --format:' }],
]);

/** docker, for the few commands that ask the local daemon about its state. */
export function judgeDocker(args: readonly Arg[]): Refusal | undefined {
  const [verb, ...rest] = args;
  if (verb === undefined || (/^(?:--version|-v|--help)$/.test(verb.text) && rest.length === 0)) return undefined;
  const command = verb.fixed ? commands.get(verb.text) : undefined;
  if (command === undefined) return refuse('This use of docker is not known to only read.', verb);
  const call = readOptions(rest, command);
  return 'reason' in call ? call : undefined;
}
