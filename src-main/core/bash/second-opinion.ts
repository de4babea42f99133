import { parse } from 'shell-quote';
import type { Piece, Word } from './syntax.ts';
import { expansionMark } from './word-builder.ts';

/**
 * Asks shell-quote how it reads a simple command and compares that, token by token, with our own reading.
 * What shell-quote is known to misread (see the README of this folder) was rewritten or refused before; any
 * difference left means that one of the two is wrong, and then nothing is decided.
 */
export function shellQuoteAgrees(pieces: readonly Piece[]): boolean {
  const asked: string[] = [];
  const expected: string[] = [];
  for (const piece of pieces) {
    if (piece.kind === 'word') {
      asked.push(piece.word.forShellQuote);
      expected.push(expectedWord(piece.word));
      continue;
    }
    const { descriptor, op, target, heredoc } = piece.redirection;
    if (heredoc !== undefined) continue;
    asked.push(`${descriptor}${op} ${target.forShellQuote}`);
    if (descriptor !== '') expected.push(`word ${descriptor}`);
    expected.push(`op ${op}`, expectedWord(target));
  }
  return sameTokens(asked.join(' '), expected);
}

/** The same for words that stand on their own, such as the list of a loop. */
export function shellQuoteAgreesOnWords(words: readonly Word[]): boolean {
  return shellQuoteAgrees(words.map((word) => ({ kind: 'word', word })));
}

function expectedWord(word: Word): string {
  const text = word.parts
    .map((part) => (part.kind === 'text' || part.kind === 'ansi' ? part.text : expansionMark))
    .join('');
  return `word ${text}`;
}

function sameTokens(asked: string, expected: readonly string[]): boolean {
  let entries: ReturnType<typeof parse>;
  try {
    entries = parse(asked, (key) => (key === '' ? '$' : expansionMark));
  } catch {
    // shell-quote throws for substitutions it calls bad.
    return false;
  }
  if (entries.length !== expected.length) return false;
  return entries.every((entry, index) => tokenOf(entry) === expected[index]);
}

function tokenOf(entry: ReturnType<typeof parse>[number]): string {
  if (typeof entry === 'string') return `word ${entry}`;
  const { op, pattern } = entry as { readonly op?: string; readonly pattern?: string };
  if (op === undefined) return 'comment';
  return op === 'glob' ? `word ${pattern ?? ''}` : `op ${op}`;
}
