import { type Arg, type Refusal, refuse } from '../arguments.ts';
import { checkTestArguments } from '../conditional.ts';
import { isHarmlessVariable } from '../variables.ts';
import type { ProgramTable } from './program.ts';

/** Commands that bash carries out itself. */
export const builtins: ProgramTable = {
  // Neither has options that do more than change what is printed.
  echo: { harmless: true, judge: () => undefined },
  expr: { harmless: true, judge: () => undefined },
  true: { harmless: true, judge: () => undefined },
  false: { harmless: true, judge: () => undefined },
  ':': { harmless: true, judge: () => undefined },
  printf: { judge: judgePrintf },
  pwd: { operands: 0, options: '-LP' },
  cd: { judge: judgeCd },
  test: { judge: checkTestArguments },
  '[': {
    judge: (args) =>
      args.at(-1)?.text === ']'
        ? checkTestArguments(args.slice(0, -1))
        : refuse('The bracket ] is missing.', args.at(-1)),
  },
  type: { harmless: true, options: '-aftpP' },
  which: { harmless: true, options: '-as --all --help --version' },
  read: { judge: judgeRead },
  exit: { judge: oneNumber },
  break: { judge: oneNumber },
  continue: { judge: oneNumber },
  jobs: { operands: 0, options: '-lnprs' },
  dirs: { operands: 0, options: '-lpv' },
  umask: { operands: 0, options: '-pS' },
  ulimit: { operands: 0, options: '-aHScdefilmnpqrstuvx' },
  times: { operands: 0, options: '' },
  help: {
    options: '',
    check: ({ operands }) => {
      const odd = operands.find(({ text }) => !/^[\w.[:]+$/.test(text));
      return odd === undefined ? undefined : refuse('This is not the plain name of a builtin.', odd);
    },
  },
};

/** printf without `-v`, which assigns, and without `%n`, which assigns too. */
function judgePrintf(args: readonly Arg[]): Refusal | undefined {
  const [first, ...rest] = args;
  const format = first?.text === '--' ? rest[0] : first;
  if (format === undefined) return refuse('printf has no format.');
  if (!format.fixed) return refuse('The format is not known.', format);
  if (first?.text !== '--' && format.text.startsWith('-'))
    return refuse('An option of printf can set a variable.', format);
  const left = format.text.replace(
    /%%|%[-+ #0']*(?:\*|\d+)?(?:\.(?:\*|\d+)?)?(?:[bqQcsdiouxXeEfFgGaA]|\([^)]*\)T)/g,
    '',
  );
  return left.includes('%') ? refuse('A conversion of this format is not known to only print.', format) : undefined;
}

/** A change of folder ends with the shell; which folders may be read is decided elsewhere. */
function judgeCd(args: readonly Arg[]): Refusal | undefined {
  const operands = args[0]?.text === '--' ? args.slice(1) : args;
  const [target] = operands;
  if (target === undefined) return undefined;
  if (operands.length > 1) return refuse('cd takes one folder.', operands[1]);
  if (!target.fixed && !target.home) return refuse('The folder is not known.', target);
  return target.text.startsWith('-') ? refuse('The folder is not known.', target) : undefined;
}

/** `read` into plain lower-case names: others could steer the programs that run later. */
function judgeRead(args: readonly Arg[]): Refusal | undefined {
  let names = 0;
  for (let i = 0; i < args.length; i += 1) {
    const arg = args[i]!;
    if (!arg.fixed) return refuse('The value of this part is not known.', arg);
    if (names === 0 && /^-[rs]+$/.test(arg.text)) continue;
    if (names === 0 && /^-r?[dntN]$/.test(arg.text) && args[i + 1]?.fixed) {
      i += 1;
      continue;
    }
    if (!isHarmlessVariable(arg.text)) return refuse('read may set a variable that other programs look at.', arg);
    names += 1;
  }
  return names > 0 ? undefined : refuse('read sets a variable.');
}

function oneNumber(args: readonly Arg[]): Refusal | undefined {
  const [first, second] = args;
  if (second !== undefined) return refuse('One number is expected here.', second);
  return first === undefined || first.number || /^\d+$/.test(first.text)
    ? undefined
    : refuse('A number is expected here.', first);
}
