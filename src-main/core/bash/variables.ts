import { type Refusal, refuse, toArg } from './arguments.ts';
import type { Assignment } from './syntax.ts';

/**
 * Names a loop or `read` may set: lower case, as no program of ours heeds such a variable, save proxies and the
 * settings of npm.
 */
export function isHarmlessVariable(name: string): boolean {
  return /^[a-z][a-z0-9_]{0,40}$/.test(name) && !/proxy|^npm_/.test(name);
}

const plainWord = /^[\w.@+:,=-]*$/;
const plainNumber = /^\d*$/;

/** Environment prefixes that only change how things are printed, and the values they may have. */
const harmlessPrefixes = new Map<string, RegExp>([
  ['LANG', plainWord],
  ['TZ', /^[\w.@+:,/<>-]*$/],
  ['NO_COLOR', plainWord],
  ['FORCE_COLOR', plainWord],
  ['CLICOLOR', plainWord],
  ['CLICOLOR_FORCE', plainWord],
  ['COLORTERM', plainWord],
  ['TERM', /^[A-Za-z0-9][\w+-]*$/],
  ['COLUMNS', plainNumber],
  ['LINES', plainNumber],
  ['NODE_ENV', plainWord],
  ['BLOCK_SIZE', plainWord],
  ['BLOCKSIZE', plainWord],
  ['TIME_STYLE', /^[\w.@+:, %-]*$/],
  ['QUOTING_STYLE', plainWord],
  ['LS_COLORS', /^[\w.@+:,=;*-]*$/],
  ['GREP_COLORS', /^[\w:,=;*-]*$/],
]);

const localeCategory =
  /^LC_(?:ALL|COLLATE|CTYPE|MESSAGES|MONETARY|NUMERIC|TIME|PAPER|NAME|ADDRESS|TELEPHONE|MEASUREMENT|IDENTIFICATION)$/;

/** Why an assignment before a command may change what the command does, or nothing when it cannot. */
export function judgePrefix(assignment: Assignment, commandName: string): Refusal | undefined {
  const { name, value, plain } = assignment;
  const arg = toArg(value);
  // The usual `IFS= read -r line`; for `read` alone the variable has no lasting effect.
  if (name === 'IFS' && commandName === 'read' && plain && arg.fixed) return undefined;
  const allowed = localeCategory.test(name) ? plainWord : harmlessPrefixes.get(name);
  if (allowed === undefined || !plain) return refuse(`The variable ${name} is not known to be harmless.`, assignment);
  if (!arg.fixed || !allowed.test(arg.text))
    return refuse(`This value of ${name} is not known to be harmless.`, assignment);
  return undefined;
}
