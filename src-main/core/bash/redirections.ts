import { Cursor } from './cursor.ts';
import type { Heredoc, Redirection, Word, WordPart } from './syntax.ts';
import { WordBuilder } from './word-builder.ts';
import { readQuotedCharacter, readWord, skipBlanks } from './words.ts';

const operators = /^(\d+|\{[A-Za-z_]\w*\})?(&>>|&>|<<<|<<-|<<|<>|<&|>>|>\||>&|<|>)/;

/** Reads one redirection, or gives nothing when the cursor stands on none. */
export function readRedirection(cursor: Cursor): Redirection | undefined {
  const start = cursor.at;
  const match = operators.exec(cursor.text.slice(start, start + 100));
  if (match === null) return undefined;
  const [whole, descriptor = '', op = ''] = match;
  const isProcessSubstitution = (op === '<' || op === '>') && cursor.peek(whole.length) === '(';
  if (isProcessSubstitution || (descriptor !== '' && op.startsWith('&'))) return undefined;
  // bash takes a number that is too large for a descriptor as a word of the command.
  if (/^\d{3,}$/.test(descriptor)) cursor.fail('A file descriptor is too large');
  cursor.at += whole.length;
  skipBlanks(cursor);
  const target = readWord(cursor);
  if (target === undefined) cursor.fail(`The redirection ${op} has no target`, start);
  const span = cursor.spanFrom(start);
  if (op !== '<<' && op !== '<<-') return { span, descriptor, op, target };
  const heredoc = heredocFor(target, op);
  cursor.pendingHeredocs.push(heredoc);
  return { span, descriptor, op, target, heredoc };
}

function heredocFor(target: Word, op: '<<' | '<<-'): Heredoc {
  const delimiter = target.parts.map((part) => ('text' in part ? part.text : part.source)).join('');
  const literal = target.parts.some((part) => part.kind !== 'text' || part.quoted);
  return { delimiter, literal, stripsTabs: op === '<<-', body: undefined };
}

/** Steps over a newline and reads the bodies of the here-documents that were announced before it. */
export function readNewline(cursor: Cursor): void {
  cursor.at += 1;
  const waiting = cursor.pendingHeredocs;
  cursor.pendingHeredocs = [];
  for (const heredoc of waiting) readBody(cursor, heredoc);
}

function readBody(cursor: Cursor, heredoc: Heredoc): void {
  const start = cursor.at;
  const { text } = cursor;
  let lineStart = start;
  let continued = false;
  while (lineStart < text.length) {
    const newline = text.indexOf('\n', lineStart);
    const lineEnd = newline === -1 ? text.length : newline;
    const raw = text.slice(lineStart, lineEnd);
    const line = heredoc.stripsTabs ? raw.replace(/^\t+/, '') : raw;
    if (!continued && line === heredoc.delimiter) {
      finishBody(cursor, heredoc, { start, end: lineStart, closed: true });
      cursor.at = Math.min(text.length, lineEnd + 1);
      return;
    }
    continued = !heredoc.literal && /(?:^|[^\\])(?:\\\\)*\\$/.test(raw);
    lineStart = lineEnd + 1;
  }
  finishBody(cursor, heredoc, { start, end: text.length, closed: false });
  cursor.at = text.length;
}

function finishBody(
  cursor: Cursor,
  heredoc: Heredoc,
  range: { readonly start: number; readonly end: number; readonly closed: boolean },
): void {
  cursor.at = Math.max(range.start, range.end);
  const span = cursor.spanFrom(range.start);
  const parts = heredoc.literal ? [] : expansionsOf(cursor, range);
  heredoc.body = { span, parts, closed: range.closed };
}

/** The parts of an unquoted body. It is read like double-quoted text in which `"` means nothing. */
function expansionsOf(cursor: Cursor, range: { readonly start: number; readonly end: number }): readonly WordPart[] {
  const { found, readScript, depth, standsFor } = cursor;
  const inner = new Cursor({
    text: cursor.text.slice(0, range.end),
    readScript,
    found,
    depth,
    ...(standsFor === undefined ? {} : { standsFor }),
  });
  inner.at = range.start;
  const builder = new WordBuilder();
  inner.nested(() => {
    while (!inner.done) readQuotedCharacter(inner, builder, '');
  });
  return builder.collected;
}
