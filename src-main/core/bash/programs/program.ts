import type { Arg, Refusal } from '../arguments.ts';
import type { Call, OptionTable } from '../options.ts';

/** A program described by its options, with a check for what options alone cannot say. */
export type TableProgram = OptionTable & { readonly check?: (call: Call) => Refusal | undefined };

/** A program whose arguments have a grammar of their own. */
export type JudgedProgram = {
  readonly judge: (args: readonly Arg[]) => Refusal | undefined;
  /** See `OptionTable.harmless`. */
  readonly harmless?: boolean;
};

export type Program = TableProgram | JudgedProgram;

/** Programs by the name they are called with. */
export type ProgramTable = { readonly [name: string]: Program };

/** A program that starts another one named in its arguments. Gives the arguments from that name on. */
export type Wrapper = (args: readonly Arg[]) => { readonly inner: readonly Arg[] } | Refusal;
