import type { Span } from './syntax.ts';

/**
 * Characters that bash, shell-quote and a reader's eye do not agree on: control and format characters, blanks
 * other than space, tab and newline, halves of pairs, and private-use characters, one of which we use ourselves.
 */
const undecidable = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Z}\uFFFE\uFFFF]/gu;

/** The first character that makes a command undecidable, with words for it. */
export function findUndecidableCharacter(text: string): { readonly reason: string; readonly span: Span } | undefined {
  for (const match of text.matchAll(undecidable)) {
    const [character] = match;
    if (character === ' ' || character === '\t' || character === '\n') continue;
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    const reason = `The command holds a hidden or unusual character, U+${code}.`;
    return { reason, span: { start: match.index, end: match.index + character.length } };
  }
  return undefined;
}

/**
 * bash removes a backslash and newline before it looks at anything else, so `"$⏎(rm x)"` with a backslash before
 * the newline is a substitution. Between words this changes nothing; elsewhere we do not decide.
 */
export function findBrokenContinuation(text: string): Span | undefined {
  const match = /[^ \t;&|]\\\n/.exec(text);
  return match === null ? undefined : { start: match.index + 1, end: match.index + 3 };
}
