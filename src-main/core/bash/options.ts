import { type Arg, type Refusal, refuse } from './arguments.ts';

/**
 * What a program accepts without ceasing to be a reader. Options that are not listed are refused.
 *
 * `options` is a list of words. In a word with one dash every letter is an option; a `:` behind it says that it
 * takes a value (attached or the next argument), a `?` that one may be attached. `--name`, `--name:` and `--name?`
 * likewise, and `--name~` takes the next argument if there is one. Long options must be written in full: an
 * abbreviation may mean another option tomorrow.
 */
export type OptionTable = {
  readonly options: string;
  /** `-20` as a count. */
  readonly numeric?: boolean;
  /** At most so many operands. */
  readonly operands?: number;
  /**
   * No option of the program, listed or not, on any system, writes or executes. Globs and variables may then
   * stand anywhere, and xargs may add arguments.
   */
  readonly harmless?: boolean;
  /** Options after the first operand are refused: BSD programs, and some others, take them for operands. */
  readonly optionsFirst?: boolean;
};

export type OptionUse = { readonly name: string; readonly value?: Arg; readonly arg: Arg };
export type Call = { readonly options: readonly OptionUse[]; readonly operands: readonly Arg[] };

type Arity = 'none' | 'value' | 'optional' | 'value unless last';

const arities: Readonly<Record<string, Arity>> = { ':': 'value', '?': 'optional', '~': 'value unless last' };

const compiled = new Map<string, ReadonlyMap<string, Arity>>();

function compile(options: string): ReadonlyMap<string, Arity> {
  const known = compiled.get(options);
  if (known !== undefined) return known;
  const table = new Map<string, Arity>();
  for (const match of options.matchAll(/(?<long>--[^\s:?~]+)(?<mark>[:?~]?)|(?<letters>-[^-\s]\S*)/g)) {
    const { long, mark = '', letters = '' } = match.groups ?? {};
    if (long !== undefined) table.set(long, arities[mark] ?? 'none');
    for (const [, letter, after = ''] of letters.slice(1).matchAll(/(.)([:?]?)/g)) {
      table.set(`-${letter}`, arities[after] ?? 'none');
    }
  }
  compiled.set(options, table);
  return table;
}

/** Sorts arguments into options and operands by the table, refusing whatever it does not list. */
export function readOptions(args: readonly Arg[], table: OptionTable): Call | Refusal {
  const known = compile(table.options);
  const options: OptionUse[] = [];
  const operands: Arg[] = [];
  for (let i = 0; i < args.length; i += 1) {
    const arg = args[i]!;
    if (!arg.fixed && !arg.number && !arg.home) {
      if (!table.harmless) return refuse('The value of this part is not known, and it could become an option.', arg);
      operands.push(arg);
    } else if (arg.text === '--') {
      const rest = args.slice(i + 1);
      const open = rest.find((other) => !other.fixed && !other.home && !table.harmless);
      if (open !== undefined) return refuse('The value of this part is not known.', open);
      operands.push(...rest);
      break;
    } else if (arg.text.startsWith('-') && arg.text !== '-') {
      if (table.optionsFirst && operands.length > 0) return refuse('Some systems take this for a file name.', arg);
      const read = readOption(arg, args[i + 1], { known, table });
      if ('reason' in read) return read;
      options.push(...read.uses);
      if (read.tookNext) i += 1;
    } else {
      operands.push(arg);
    }
  }
  if (table.operands !== undefined && operands.length > table.operands) {
    return refuse('There are more arguments here than a read-only use has.', operands[table.operands]);
  }
  return { options, operands };
}

type Known = { readonly known: ReadonlyMap<string, Arity>; readonly table: OptionTable };
type OptionRead = { readonly uses: readonly OptionUse[]; readonly tookNext: boolean };

function readOption(arg: Arg, next: Arg | undefined, { known, table }: Known): OptionRead | Refusal {
  if (table.numeric && /^-\d+$/.test(arg.text)) return { uses: [{ name: '-number', arg }], tookNext: false };
  if (arg.text.startsWith('--')) return readLong(arg, next, { known, table });
  const uses: OptionUse[] = [];
  const letters = arg.text.slice(1);
  for (let i = 0; i < letters.length; i += 1) {
    const name = `-${letters[i]}`;
    const arity = known.get(name);
    if (arity === undefined) return refuse(`The option ${name} is not known to be harmless.`, arg);
    const attached = letters.slice(i + 1);
    if (arity === 'none') {
      uses.push({ name, arg });
    } else if (attached !== '') {
      uses.push({ name, arg, value: { ...arg, text: attached } });
      break;
    } else if (arity === 'value') {
      return withNext(uses, { name, arg, next, table });
    } else {
      uses.push({ name, arg });
    }
  }
  return { uses, tookNext: false };
}

function readLong(arg: Arg, next: Arg | undefined, { known, table }: Known): OptionRead | Refusal {
  const equals = arg.text.indexOf('=');
  const name = equals === -1 ? arg.text : arg.text.slice(0, equals);
  const arity = known.get(name);
  if (arity === undefined || (equals !== -1 && arity === 'none')) {
    return refuse(`The option ${name} is not known to be harmless.`, arg);
  }
  if (equals !== -1) {
    return { uses: [{ name, arg, value: { ...arg, text: arg.text.slice(equals + 1) } }], tookNext: false };
  }
  const takesNext = arity === 'value' || (arity === 'value unless last' && next !== undefined);
  return takesNext ? withNext([], { name, arg, next, table }) : { uses: [{ name, arg }], tookNext: false };
}

/**
 * Takes the next argument as the option's value. One that starts with a dash is refused unless nothing can go
 * wrong: were the program to disagree about the arity, it would be an option of its own.
 */
function withNext(
  before: readonly OptionUse[],
  use: { readonly name: string; readonly arg: Arg; readonly next: Arg | undefined; readonly table: OptionTable },
): OptionRead | Refusal {
  const { name, arg, next, table } = use;
  if (next === undefined) return refuse(`The option ${name} lacks its value.`, arg);
  if (!table.harmless) {
    if (!next.fixed && !next.number) return refuse('The value of this part is not known.', next);
    if (/^-./.test(next.text)) return refuse(`The value of ${name} looks like an option.`, next);
  }
  return { uses: [...before, { name, arg, value: next }], tookNext: true };
}
