import { Cursor } from './cursor.ts';
import type { ExpansionRisk } from './syntax.ts';
import { expansionMark, WordBuilder } from './word-builder.ts';
import { readDoubleQuoted } from './words.ts';

type Where = { readonly quoted: boolean };

/** Reads what starts with `$`, which may turn out to be a plain dollar sign. */
export function readDollar(cursor: Cursor, builder: WordBuilder, where: Where): void {
  const start = cursor.at;
  const next = cursor.peek(1);
  if (next === '(') {
    const close = cursor.peek(2) === '(' ? endOfArithmetic(cursor.text, start + 3) : undefined;
    if (close !== undefined) readArithmetic(cursor, builder, { ...where, from: start + 3, close, closer: '))' });
    else readCommandSubstitution(cursor, builder);
  } else if (next === '{') {
    readBraces(cursor, builder, where);
  } else if (next === '[') {
    const close = cursor.text.indexOf(']', start);
    if (close === -1) cursor.fail('A $[ is not closed');
    readArithmetic(cursor, builder, { ...where, from: start + 2, close, closer: ']' });
  } else if (next === '"' && !where.quoted) {
    // A translated string: what it says depends on message files.
    cursor.at += 1;
    builder.expansion({ source: '$', quoted: true, risk: 'unknown', span: cursor.spanFrom(start), spelling: '$' });
    readDoubleQuoted(cursor, builder);
  } else {
    const name = /^(?:[A-Za-z_]\w*|[0-9]|[@*#?$!-])/.exec(cursor.text.slice(start + 1, start + 101))?.[0];
    if (name === undefined) {
      builder.text('$', { quoted: where.quoted, spelling: '$' });
      cursor.at += 1;
      return;
    }
    cursor.at += 1 + name.length;
    const longer = /^[A-Za-z_]/.test(name) ? (/^\w*/.exec(cursor.text.slice(cursor.at))?.[0] ?? '') : '';
    cursor.at += longer.length;
    const source = cursor.text.slice(start, cursor.at);
    const risk: ExpansionRisk = /^[?#$]$/.test(name) ? 'number' : 'none';
    builder.expansion({ source, ...where, risk, span: cursor.spanFrom(start), spelling: source });
  }
}

function readCommandSubstitution(cursor: Cursor, builder: WordBuilder): void {
  const start = cursor.at;
  cursor.at += 2;
  cursor.nested(() => cursor.readScript(cursor, ')'));
  builder.substitution(cursor.text.slice(start, cursor.at), cursor.spanFrom(start));
}

/** Reads `<( … )` or `>( … )`. */
export function readProcessSubstitution(cursor: Cursor, builder: WordBuilder): void {
  readCommandSubstitution(cursor, builder);
}

/** Reads a substitution in backticks. Its commands get the span of the whole of it. */
export function readBackticks(cursor: Cursor, builder: WordBuilder, where: Where): void {
  const start = cursor.at;
  let close = start + 1;
  while (close < cursor.text.length && cursor.text[close] !== '`') close += cursor.text[close] === '\\' ? 2 : 1;
  if (close >= cursor.text.length) cursor.fail('A backtick is not closed');
  const inside = cursor.text.slice(start + 1, close).replace(where.quoted ? /\\([\\`$"])/g : /\\([\\`$])/g, '$1');
  cursor.at = close + 1;
  const span = cursor.spanFrom(start);
  const { found, readScript, depth } = cursor;
  const inner = new Cursor({ text: inside, readScript, found, standsFor: span, depth });
  inner.nested(() => readScript(inner, ''));
  builder.substitution(cursor.text.slice(start, cursor.at), span);
}

function readBraces(cursor: Cursor, builder: WordBuilder, where: Where): void {
  const start = cursor.at;
  cursor.at += 2;
  const inside = new WordBuilder();
  cursor.nested(() => {
    while (cursor.peek() !== '}') {
      if (cursor.done) cursor.fail('A ${ is not closed', start);
      readInsideBraces(cursor, inside, where);
    }
  });
  cursor.at += 1;
  finishExpansion(cursor, builder, { ...where, start, inside });
}

function readInsideBraces(cursor: Cursor, inside: WordBuilder, where: Where): void {
  const c = cursor.peek();
  if (c === '\\') cursor.at += 2;
  else if (c === '$') readDollar(cursor, inside, where);
  else if (c === '`') readBackticks(cursor, inside, where);
  else if (c === '"') readDoubleQuoted(cursor, inside);
  else if (c === "'" && !where.quoted) {
    const close = cursor.text.indexOf("'", cursor.at + 1);
    if (close === -1) cursor.fail('A single quote is not closed');
    cursor.at = close + 1;
  } else if ((c === '<' || c === '>') && cursor.peek(1) === '(') readProcessSubstitution(cursor, inside);
  else cursor.at += 1;
}

function readArithmetic(
  cursor: Cursor,
  builder: WordBuilder,
  range: Where & { readonly from: number; readonly close: number; readonly closer: string },
): void {
  const start = cursor.at;
  const inside = new WordBuilder();
  cursor.at = range.from;
  cursor.nested(() => readExpansionsUntil(cursor, inside, range.close));
  if (cursor.at !== range.close) cursor.fail('An arithmetic expansion is not closed', start);
  cursor.at += range.closer.length;
  finishExpansion(cursor, builder, { quoted: range.quoted, start, inside });
}

/** Steps to `end`, following only `$` and backticks. */
export function readExpansionsUntil(cursor: Cursor, builder: WordBuilder, end: number): void {
  while (cursor.at < end) {
    const c = cursor.peek();
    if (c === '$') readDollar(cursor, builder, { quoted: true });
    else if (c === '`') readBackticks(cursor, builder, { quoted: true });
    else cursor.at += c === '\\' ? 2 : 1;
  }
}

function finishExpansion(
  cursor: Cursor,
  builder: WordBuilder,
  read: Where & { readonly start: number; readonly inside: WordBuilder },
): void {
  const source = cursor.text.slice(read.start, cursor.at);
  const span = cursor.spanFrom(read.start);
  for (const part of read.inside.collected) {
    if (part.kind === 'substitution') builder.substitution('', part.span);
  }
  const risk = riskOf(source);
  const spelling = source.startsWith('$((') ? expansionMark : source;
  builder.expansion({ source, quoted: read.quoted, risk, span, spelling });
}

/** Longer calculations are taken for subshells, which bounds the time spent on looking for their end. */
const longestArithmetic = 2000;

/** Where the `))` of an arithmetic text starts, or nothing when the brackets do not close as a pair. */
export function endOfArithmetic(text: string, from: number): number | undefined {
  const last = Math.min(text.length, from + longestArithmetic);
  let open = 0;
  for (let i = from; i < last; i += 1) {
    const c = text[i];
    if (c === '\\') i += 1;
    else if (c === '(') open += 1;
    else if (c === ')') {
      if (open === 0) return text[i + 1] === ')' ? i : undefined;
      open -= 1;
    }
  }
  return undefined;
}

const literal = '[\\w .,/:*?@+=-]*';
const name = '[A-Za-z_]\\w*';
const harmlessForms: readonly RegExp[] = [
  new RegExp(`^\\$\\{(?:${name}|[0-9]+|[@*!-])\\}$`),
  new RegExp(`^\\$\\{#?${name}\\[(?:@|\\*|[0-9]+)\\]\\}$`),
  new RegExp(`^\\$\\{${name}:?[-+]${literal}\\}$`),
  new RegExp(`^\\$\\{${name}(?:##?|%%?)${literal}\\}$`),
  new RegExp(`^\\$\\{${name}//?[\\w .,:*?@+=#%-]+/${literal}\\}$`),
  new RegExp(`^\\$\\{${name}(?:\\^\\^?|,,?)\\}$`),
  new RegExp(`^\\$\\{${name}:(?: ?-)?[0-9]+(?::(?: ?-)?[0-9]+)?\\}$`),
];

/**
 * Whether an expansion can only give a text. `=` assigns, `@P` expands a prompt, `!` reads another name,
 * a subscript or a variable in arithmetic is evaluated again: all of those can run commands.
 */
function riskOf(source: string): ExpansionRisk {
  if (/^\$\{(?:#(?:[A-Za-z_]\w*)?|[?$])\}$/.test(source)) return 'number';
  if (/^\$\(\([0-9+\-*/%()<>=!&|^~?: \t]*\)\)$/.test(source)) return 'none';
  return harmlessForms.some((form) => form.test(source)) ? 'none' : 'unknown';
}
