import type { Cursor } from './cursor.ts';
import { readRedirection } from './redirections.ts';
import type { Assignment, CommandNode, Piece, SimpleNode, Word } from './syntax.ts';
import { readWord, skipBlanks } from './words.ts';

/** Reads a command made of assignments, words and redirections, or a function written `name() { … }`. */
export function readSimple(cursor: Cursor, readCommand: (cursor: Cursor) => CommandNode): CommandNode {
  const start = cursor.at;
  let end = start;
  const pieces: Piece[] = [];
  const words: Word[] = [];
  const assignments: Assignment[] = [];
  for (;;) {
    skipBlanks(cursor);
    const redirection = readRedirection(cursor);
    if (redirection !== undefined) {
      pieces.push({ kind: 'redirection', redirection });
      end = cursor.at;
      continue;
    }
    const word = readWord(cursor);
    if (word === undefined) break;
    end = cursor.at;
    pieces.push({ kind: 'word', word });
    const assignment = words.length === 0 ? assignmentOf(word) : undefined;
    if (assignment !== undefined) assignments.push(assignment);
    else words.push(word);
    skipBlanks(cursor);
    if (cursor.peek() === '(' && pieces.length === 1) return readFunctionBody(cursor, { start, word, readCommand });
  }
  if (pieces.length === 0) cursor.fail('A command is missing here');
  const redirections = pieces.flatMap((piece) => (piece.kind === 'redirection' ? [piece.redirection] : []));
  const span = cursor.standsFor ?? { start, end };
  const node: SimpleNode = { kind: 'simple', span, assignments, words, redirections, pieces };
  cursor.found.push(node);
  return node;
}

function readFunctionBody(
  cursor: Cursor,
  head: {
    readonly start: number;
    readonly word: Word;
    readonly readCommand: (cursor: Cursor) => CommandNode;
  },
): CommandNode {
  cursor.at += 1;
  skipBlanks(cursor);
  if (cursor.peek() !== ')') cursor.fail('A bracket is not expected here');
  cursor.at += 1;
  do skipBlanks(cursor);
  while (cursor.peek() === '\n' && ++cursor.at > 0);
  const body = head.readCommand(cursor);
  const name = head.word.forShellQuote;
  const node: CommandNode = {
    kind: 'compound',
    form: 'function',
    span: cursor.spanFrom(head.start),
    words: [],
    bodies: [scriptOf(body)],
    redirections: [],
    name,
  };
  cursor.found.push(node);
  return node;
}

/** Wraps one command as a script. */
export function scriptOf(command: CommandNode) {
  return { items: [{ pipelines: [{ span: command.span, negated: false, stages: [command] }], connectors: [] }] };
}

function assignmentOf(word: Word): Assignment | undefined {
  const [first, ...rest] = word.parts;
  if (first?.kind !== 'text' || first.quoted) return undefined;
  const match = /^([A-Za-z_]\w*)(\[[^\]]*\])?(\+)?=/.exec(first.text);
  if (match === null) return undefined;
  const [whole, name = '', subscript, plus] = match;
  const remains = first.text.slice(whole.length);
  const parts = remains === '' ? rest : [{ ...first, text: remains }, ...rest];
  const value: Word = { span: word.span, parts, forShellQuote: word.forShellQuote };
  return { span: word.span, name, value, plain: subscript === undefined && plus === undefined };
}
