import { type Arg, type Refusal, refuse } from '../arguments.ts';
import { readOptions } from '../options.ts';
import { findSedTrouble } from './sed-script.ts';

const options = {
  options:
    '-nEruszbe: --quiet --silent --regexp-extended --unbuffered --separate --null-data --expression: --sandbox --help --version',
};

/** sed without -i and -f, whose script has no command that writes, reads a file by name, or runs something. */
export function judgeSed(args: readonly Arg[]): Refusal | undefined {
  // BSD sed would take a script before -e for its script, where GNU sed takes it for a file.
  const call = readOptions(args, { ...options, optionsFirst: true });
  if ('reason' in call) return call;
  const expressions = call.options.filter(({ name }) => name === '-e' || name === '--expression');
  if (call.options.some(({ name }) => name === '--help' || name === '--version')) return undefined;
  const scripts = expressions.length > 0 ? expressions.map(({ value }) => value!) : call.operands.slice(0, 1);
  if (scripts.length === 0) return refuse('sed has no script.');
  const open = scripts.find(({ fixed }) => !fixed);
  if (open !== undefined) return refuse('The script is not known.', open);
  const trouble = findSedTrouble(scripts.map(({ text }) => text).join('\n'));
  return trouble === undefined ? undefined : refuse(trouble, scripts[0]);
}
