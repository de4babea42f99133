import type { Span } from './syntax.ts';

/**
 * One simple command found anywhere in a text: in a pipeline, a body, a subshell or a substitution. `[[ … ]]` and
 * `(( … ))` are listed too, and so is the head of a loop or function that cannot be read-only (`for PATH in …`), so
 * that whoever asks about every command also asks about these.
 */
export type SimpleCommand = {
  /** The decoded words. Expansions that only bash can resolve stand in them as written (`$HOME`, `*.ts`). */
  readonly argv: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  /** `op` with its descriptor (`2>`), `target` decoded; those of the groups and loops around it as well. */
  readonly redirections: readonly { readonly op: string; readonly target: string }[];
  /** UTF-16 offsets in the source; a command in backticks has the span of the whole substitution. */
  readonly span: Span;
  readonly readOnly: boolean;
  readonly reason: string;
  /** Every word, value and target is exactly what `argv`, `env` and `redirections` say; nothing expands. */
  readonly exact: boolean;
};

export type BashAnalysis = {
  /** Proved: running the command changes no file, ref or process, uses no network, starts no unknown program. */
  readonly readOnly: boolean;
  /** One sentence for a user: what decides. */
  readonly reason: string;
  readonly commands: readonly SimpleCommand[];
  /** The part of the source that decides against it, for underlining. */
  readonly decides?: Span;
  /**
   * False when the text, or a part of it, could not be read for certain, or may run what it does not show (`${x@P}`,
   * `$((x))`): `commands` may then lack some, and no allow rule can be trusted to cover all of it.
   */
  readonly parsed: boolean;
};
