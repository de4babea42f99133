import { type Arg, type Refusal, refuse } from '../arguments.ts';
import { readOptions } from '../options.ts';
import { findAwkTrouble } from './awk-program.ts';

/** `-f`, `-i`, `-l`, `-e` and `-E` bring in code from elsewhere; `-o`, `-p` and `-d` of gawk write files. */
const options = { options: '-F:v: --field-separator: --assign: --help --version' };

/** awk with a program on the command line that neither writes, nor runs, nor reads files by itself. */
export function judgeAwk(args: readonly Arg[]): Refusal | undefined {
  const call = readOptions(args, { ...options, optionsFirst: true });
  if ('reason' in call) return call;
  if (call.options.some(({ name }) => name === '--help' || name === '--version')) return undefined;
  const [program, ...files] = call.operands;
  if (program === undefined) return refuse('awk has no program.');
  if (!program.fixed) return refuse('The program is not known.', program);
  const assignments = call.options.filter(({ name }) => name === '-v' || name === '--assign');
  const odd = assignments.find(({ value }) => !/^[A-Za-z_]\w*=/.test(value?.text ?? ''));
  if (odd !== undefined) return refuse('This assignment is not understood.', odd.arg);
  // gawk opens /inet/… as a network connection.
  const special = files.find(({ text }) => /^\/inet/.test(text) || /=.*\/inet/.test(text));
  if (special !== undefined) return refuse('gawk takes this name for a network connection.', special);
  const trouble = findAwkTrouble(program.text);
  return trouble === undefined ? undefined : refuse(trouble, program);
}
