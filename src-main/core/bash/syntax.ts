/** A half-open range of UTF-16 offsets in the command's source text. */
export type Span = { readonly start: number; readonly end: number };

/** What a parameter expansion may do besides giving a text. */
export type ExpansionRisk = 'none' | 'number' | 'unknown';

export type WordPart =
  | { readonly kind: 'text'; readonly text: string; readonly quoted: boolean }
  /** `$'…'`, already decoded; `sure` is false when an escape in it is one we do not decode. */
  | { readonly kind: 'ansi'; readonly text: string; readonly sure: boolean }
  /** `$x`, `${…}`, `$((…))`, `$[…]`, `$"…"`: `source` is the text as written. */
  | {
      readonly kind: 'expansion';
      readonly source: string;
      readonly quoted: boolean;
      readonly risk: ExpansionRisk;
      readonly span: Span;
    }
  /** `$(…)`, backticks, `<(…)`, `>(…)`: other commands run to make this text. */
  | { readonly kind: 'substitution'; readonly source: string; readonly span: Span };

export type Word = {
  readonly span: Span;
  readonly parts: readonly WordPart[];
  /** The word as written, with the spellings rewritten that shell-quote is known to misread. */
  readonly forShellQuote: string;
};

export type Redirection = {
  readonly span: Span;
  /** The digits or `{name}` written before the operator, or nothing. */
  readonly descriptor: string;
  readonly op: string;
  readonly target: Word;
  /** Set for `<<` and `<<-` only. */
  readonly heredoc?: Heredoc;
};

/** A here-document. The body arrives later in the text than the operator, so the reader fills it in. */
export type Heredoc = {
  readonly delimiter: string;
  readonly literal: boolean;
  readonly stripsTabs: boolean;
  body: HeredocBody | undefined;
};

export type HeredocBody = {
  readonly span: Span;
  readonly parts: readonly WordPart[];
  readonly closed: boolean;
};

export type Assignment = { readonly span: Span; readonly name: string; readonly value: Word; readonly plain: boolean };

export type SimpleNode = {
  readonly kind: 'simple';
  readonly span: Span;
  readonly assignments: readonly Assignment[];
  readonly words: readonly Word[];
  readonly redirections: readonly Redirection[];
  /** Everything of the command in the order it was written, for the second opinion. */
  readonly pieces: readonly Piece[];
};

export type Piece =
  | { readonly kind: 'word'; readonly word: Word }
  | { readonly kind: 'redirection'; readonly redirection: Redirection };

export type CompoundForm =
  | 'group'
  | 'subshell'
  | 'if'
  | 'while'
  | 'for'
  | 'case'
  | 'select'
  | 'arithmetic for'
  | 'arithmetic'
  | 'test'
  | 'function'
  | 'coproc';

export type CompoundNode = {
  readonly kind: 'compound';
  readonly form: CompoundForm;
  readonly span: Span;
  /** List of a `for`, subject and patterns of a `case`, tokens of a `[[ ]]`. */
  readonly words: readonly Word[];
  readonly bodies: readonly Script[];
  readonly redirections: readonly Redirection[];
  /** Loop variable or function name. */
  readonly name?: string;
};

export type CommandNode = SimpleNode | CompoundNode;

export type Pipeline = {
  readonly span: Span;
  readonly negated: boolean;
  readonly stages: readonly CommandNode[];
};

export type AndOr = {
  readonly pipelines: readonly Pipeline[];
  /** `connectors[i]` stands between pipeline i and i + 1. */
  readonly connectors: readonly ('&&' | '||')[];
  /** Where the `&` is that sends the list to the background. */
  readonly background?: Span;
};

export type Script = { readonly items: readonly AndOr[] };
