import { type Arg, type Refusal, refuse, toArg, undecidedPart } from './arguments.ts';
import type { Word } from './syntax.ts';

const unary = /^-[abcdefghknoprstuwxzGLNOS]$/;
const textBinary = /^(?:=|==|!=|<|>|-nt|-ot|-ef)$/;
const numberBinary = /^-(?:eq|ne|lt|le|gt|ge)$/;

/**
 * `test` and `[`. `-v` and `-R` evaluate a subscript, which can run commands, so they are refused wherever they
 * stand. A value that is not known may only stand where the operators around it leave no other reading.
 */
export function checkTestArguments(args: readonly Arg[]): Refusal | undefined {
  const evaluates = args.find(({ text }) => text === '-v' || text === '-R');
  if (evaluates !== undefined) return refuse('This test evaluates its argument.', evaluates);
  const open = args.find((arg) => !arg.fixed && !arg.number);
  if (open === undefined) return undefined;
  const spread = args.find((arg) => arg.spreads);
  if (spread !== undefined) return refuse('This can become several arguments; double quotes would prevent it.', spread);
  const rest = args[0]?.text === '!' && args.length > 1 ? args.slice(1) : args;
  const isKnown = (arg: Arg | undefined, pattern: RegExp) => arg?.fixed === true && pattern.test(arg.text);
  if (rest.length === 1) return undefined;
  if (rest.length === 2 && isKnown(rest[0], unary)) return undefined;
  if (rest.length === 3 && (isKnown(rest[1], textBinary) || isKnown(rest[1], numberBinary))) return undefined;
  return refuse('This test depends on a value that is not known.', open);
}

/**
 * The tokens of `[[ … ]]`. Unlike `[`, it evaluates the operands of `-eq` and friends as arithmetic, where
 * `a[$(…)]` runs a command; so these must be plain numbers.
 */
export function judgeDoubleBracket(tokens: readonly Word[]): Refusal | undefined {
  const args = tokens.map(toArg);
  for (const [index, arg] of args.entries()) {
    const undecided = undecidedPart(arg.word);
    if (undecided !== undefined) return undecided;
    if (/^-[vR]$/.test(arg.text)) return refuse('This test evaluates its argument.', arg);
    const isNumber = (other: Arg | undefined) => other !== undefined && (other.number || /^-?\d+$/.test(other.text));
    if (numberBinary.test(arg.text) && !(isNumber(args[index - 1]) && isNumber(args[index + 1]))) {
      return refuse('This test calculates with a value that is not a plain number.', arg);
    }
    if (arg.text === '-t' && !isNumber(args[index + 1])) return refuse('This test evaluates its argument.', arg);
  }
  return undefined;
}
