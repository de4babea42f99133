import { decodeAnsiC } from './ansi-c.ts';
import type { Cursor } from './cursor.ts';
import { readBackticks, readDollar, readProcessSubstitution } from './expansions.ts';
import type { Word } from './syntax.ts';
import { WordBuilder } from './word-builder.ts';

const blanks = ' \t';
const breaks = ' \t\n;&|<>()';

/** Skips spaces, tabs and continued lines, then a comment if one starts here. */
export function skipBlanks(cursor: Cursor): void {
  for (;;) {
    if (cursor.peek() !== '' && blanks.includes(cursor.peek())) cursor.at += 1;
    else if (cursor.startsWith('\\\n')) cursor.at += 2;
    else break;
  }
  if (cursor.peek() === '#') {
    const newline = cursor.text.indexOf('\n', cursor.at);
    cursor.at = newline === -1 ? cursor.text.length : newline;
  }
}

/** How a word ends: as usual, or, after `=~`, with brackets and bars as part of it. */
export type WordMode = 'usual' | 'regex';

/**
 * Reads one word. Gives nothing when no word starts here.
 * @throws NotBash for an open quote, brace or bracket.
 */
export function readWord(cursor: Cursor, mode: WordMode = 'usual'): Word | undefined {
  const start = cursor.at;
  const builder = new WordBuilder();
  let brackets = 0;
  while (!cursor.done) {
    const c = cursor.peek();
    if ((c === '<' || c === '>') && cursor.peek(1) === '(') {
      readProcessSubstitution(cursor, builder);
    } else if (mode === 'regex' && '()|<>'.includes(c)) {
      if (c === ')' && brackets === 0) break;
      brackets += c === '(' ? 1 : c === ')' ? -1 : 0;
      builder.text(c, { quoted: false, spelling: `\\${c}` });
      cursor.at += 1;
    } else if (mode === 'regex' && brackets > 0 && blanks.includes(c)) {
      builder.text(c, { quoted: false, spelling: `\\${c}` });
      cursor.at += 1;
    } else if (breaks.includes(c)) {
      if (c === '(' && /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=$/.test(builder.bareText ?? '')) {
        readArrayValue(cursor, builder);
        continue;
      }
      break;
    } else {
      readCharacter(cursor, builder);
    }
  }
  return cursor.at === start ? undefined : builder.build(cursor.spanFrom(start));
}

function readCharacter(cursor: Cursor, builder: WordBuilder): void {
  const c = cursor.peek();
  if (c === "'") readSingleQuoted(cursor, builder);
  else if (c === '"') readDoubleQuoted(cursor, builder);
  else if (c === '\\') readEscape(cursor, builder);
  else if (c === '$' && cursor.peek(1) === "'") readAnsiQuoted(cursor, builder);
  else if (c === '$') readDollar(cursor, builder, { quoted: false });
  else if (c === '`') readBackticks(cursor, builder, { quoted: false });
  else {
    // shell-quote takes a # in the middle of a word for a comment, so it gets to see it escaped.
    builder.text(c, { quoted: false, spelling: c === '#' ? '\\#' : c });
    cursor.at += 1;
  }
}

function readEscape(cursor: Cursor, builder: WordBuilder): void {
  const next = cursor.peek(1);
  if (next === '') cursor.fail('A backslash stands at the end of the command');
  if (next === '\n') builder.spell('');
  else builder.text(next, { quoted: true, spelling: `\\${next}` });
  cursor.at += 2;
}

function readSingleQuoted(cursor: Cursor, builder: WordBuilder): void {
  const close = cursor.text.indexOf("'", cursor.at + 1);
  if (close === -1) cursor.fail('A single quote is not closed');
  const text = cursor.text.slice(cursor.at + 1, close);
  builder.text(text, { quoted: true, spelling: `'${text}'` });
  cursor.at = close + 1;
}

function readAnsiQuoted(cursor: Cursor, builder: WordBuilder): void {
  let close = cursor.at + 2;
  while (close < cursor.text.length && cursor.text[close] !== "'") close += cursor.text[close] === '\\' ? 2 : 1;
  if (close >= cursor.text.length) cursor.fail("A $' quote is not closed");
  const body = cursor.text.slice(cursor.at + 2, close);
  const { text, sure } = decodeAnsiC(body);
  builder.ansi(text, { sure, spelling: `$'${body}'` });
  cursor.at = close + 1;
}

/** Reads `"…"`, the cursor standing on the opening quote. */
export function readDoubleQuoted(cursor: Cursor, builder: WordBuilder): void {
  const start = cursor.at;
  cursor.at += 1;
  builder.text('', { quoted: true, spelling: '"' });
  while (cursor.peek() !== '"') {
    if (cursor.done) cursor.fail('A double quote is not closed', start);
    readQuotedCharacter(cursor, builder, '"');
  }
  builder.spell('"');
  cursor.at += 1;
}

/** One step inside double quotes, or inside a here-document when `escapable` is empty. */
export function readQuotedCharacter(cursor: Cursor, builder: WordBuilder, escapable: '"' | ''): void {
  const c = cursor.peek();
  const next = cursor.peek(1);
  if (c === '$') {
    readDollar(cursor, builder, { quoted: true });
  } else if (c === '`') {
    readBackticks(cursor, builder, { quoted: true });
  } else if (c === '\\' && next === '\n') {
    cursor.at += 2;
  } else if (c === '\\' && next !== '' && `$\`\\${escapable}`.includes(next)) {
    // shell-quote keeps the backslash of \` inside double quotes; bash drops it.
    builder.text(next, { quoted: true, spelling: next === '`' ? '`' : `\\${next}` });
    cursor.at += 2;
  } else if (c === '\\' && next !== '') {
    builder.text(`\\${next}`, { quoted: true, spelling: `\\${next}` });
    cursor.at += 2;
  } else {
    builder.text(c, { quoted: true, spelling: c });
    cursor.at += 1;
  }
}

/** Reads the `( … )` of `name=( … )`. What an array holds is never decided; only its substitutions count. */
function readArrayValue(cursor: Cursor, builder: WordBuilder): void {
  const start = cursor.at;
  cursor.at += 1;
  for (;;) {
    while (cursor.peek() === '\n' || (cursor.peek() !== '' && blanks.includes(cursor.peek()))) cursor.at += 1;
    skipBlanks(cursor);
    if (cursor.peek() === ')') break;
    if (cursor.peek() === '\n') continue;
    const before = cursor.at;
    const element = cursor.nested(() => readWord(cursor));
    if (element === undefined || cursor.at === before) cursor.fail('A list of values is not closed', start);
  }
  cursor.at += 1;
  const source = cursor.text.slice(start, cursor.at);
  builder.expansion({ source, quoted: false, risk: 'unknown', span: cursor.spanFrom(start), spelling: '' });
}
