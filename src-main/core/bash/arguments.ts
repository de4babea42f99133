import type { Span, Word } from './syntax.ts';

/** One argument as a program would get it. */
export type Arg = {
  /** The decoded text; expansions stand in it as they were written. */
  readonly text: string;
  /** The program gets exactly this one text, whatever the files and variables are. */
  readonly fixed: boolean;
  /** Starts with a tilde that bash replaces by a folder: an absolute path, and so never an option. */
  readonly home: boolean;
  /** An expansion that can only be digits, such as `$?`. */
  readonly number: boolean;
  /** May become several arguments, or none: globs, braces, unquoted variables, `"$@"`. */
  readonly spreads: boolean;
  readonly span: Span;
  /** How it was written; for the rare rule that depends on quoting. */
  readonly word: Word;
};

/** Why a command is not read-only, and the part of the text that says so. */
export type Refusal = { readonly reason: string; readonly span?: Span };

export function refuse(reason: string, at?: { readonly span: Span }): Refusal {
  return at === undefined ? { reason } : { reason, span: at.span };
}

/** Decodes a word: quotes removed, escapes resolved, and what bash would still expand marked as not fixed. */
export function toArg(word: Word): Arg {
  let text = '';
  let mask = '';
  let expands = false;
  let onlyNumber = true;
  let spreads = false;
  for (const part of word.parts) {
    if (part.kind === 'text' || part.kind === 'ansi') {
      const quoted = part.kind === 'ansi' || part.quoted;
      text += part.text;
      mask += quoted ? 'q'.repeat(part.text.length) : part.text;
      if (part.text !== '') onlyNumber = false;
      continue;
    }
    expands = true;
    text += part.source;
    mask += 'q';
    const isNumber = part.kind === 'expansion' && part.risk === 'number';
    if (!isNumber) onlyNumber = false;
    const quoted = part.kind === 'expansion' && part.quoted;
    if (!isNumber && (!quoted || /^\$\{?[@*]/.test(part.source))) spreads = true;
  }
  const matchesFiles = /[*?]/.test(mask) || between(mask, '[', ']') !== undefined || isBraceExpansion(mask);
  const hasTilde = /(?:^|[:=])~/.test(mask);
  return {
    text,
    fixed: !expands && !matchesFiles && !hasTilde,
    home: !expands && !matchesFiles && mask.startsWith('~'),
    number: expands && onlyNumber && word.parts.length === 1,
    spreads: spreads || matchesFiles,
    span: word.span,
    word,
  };
}

/** The text from the first `open` to the last `close`; linear, where a pattern would not be. */
function between(mask: string, open: string, close: string): string | undefined {
  const start = mask.indexOf(open);
  const end = mask.lastIndexOf(close);
  return start === -1 || end < start ? undefined : mask.slice(start + 1, end);
}

function isBraceExpansion(mask: string): boolean {
  const inside = between(mask, '{', '}');
  return inside?.includes(',') === true || inside?.includes('..') === true;
}

/** Why the value of a word cannot be relied on at all, whatever command it belongs to. */
export function undecidedPart(word: Word): Refusal | undefined {
  for (const part of word.parts) {
    if (part.kind === 'substitution') return refuse('Another command runs to fill in this part.', part);
    if (part.kind === 'expansion' && part.risk === 'unknown') {
      return refuse('This expansion can do more than give a value.', part);
    }
    if (part.kind === 'ansi' && !part.sure) return refuse('This quoted text cannot be decoded for certain.', word);
  }
  const [first] = word.parts;
  const hidden =
    first?.kind === 'ansi' || (first?.kind === 'text' && first.text.length < 2 && word.parts[1]?.kind === 'ansi');
  if (hidden && toArg(word).text.startsWith('-')) return refuse("An option is hidden in a $' quote.", word);
  return undefined;
}

/** Whether a part of the word may run commands that its text does not show, such as `${x@P}` or `$((x))`. */
export function mayHideCommands(word: Pick<Word, 'parts'>): boolean {
  return word.parts.some((part) => part.kind === 'expansion' && part.risk === 'unknown');
}
