import { readCompound, reservedWordAt } from './compounds.ts';
import { Cursor, NotBash } from './cursor.ts';
import { readNewline } from './redirections.ts';
import { readSimple } from './simple-commands.ts';
import type { AndOr, CommandNode, Pipeline, Script, Span } from './syntax.ts';
import { skipBlanks } from './words.ts';

export type Reading = {
  readonly script: Script;
  /** Every command, also those inside substitutions and bodies, in the order of the text. */
  readonly found: readonly CommandNode[];
  /** Set when the text could not be read to its end; `found` then holds what came before. */
  readonly trouble?: { readonly message: string; readonly span: Span };
};

/** Reads a whole command text as bash. Never throws for any text. */
export function readBash(text: string): Reading {
  const cursor = new Cursor({ text, readScript });
  const inOrder = () => [...cursor.found].sort(byPlace);
  try {
    const script = readScript(cursor, '');
    return { script, found: inOrder() };
  } catch (error) {
    if (!(error instanceof NotBash)) throw error;
    return { script: { items: [] }, found: inOrder(), trouble: { message: error.message, span: error.span } };
  }
}

/** By start, outer before inner. In backticks all have the same span; compounds then come first. */
function byPlace(a: CommandNode, b: CommandNode): number {
  const order = a.span.start - b.span.start || b.span.end - a.span.end;
  return order || Number(a.kind === 'simple') - Number(b.kind === 'simple');
}

/** Reads up to the end of the text, or up to and over the closing `)` of a substitution. */
function readScript(cursor: Cursor, closer: string): Script {
  const outer = cursor.pendingHeredocs;
  cursor.pendingHeredocs = [];
  const start = cursor.at;
  const script = readList(cursor, () => (closer === '' ? cursor.done : cursor.peek() === closer));
  if (closer !== '') {
    if (cursor.pendingHeredocs.length > 0) cursor.fail('A here-document is cut short by a bracket', start);
    cursor.at += closer.length;
  }
  cursor.pendingHeredocs = outer;
  return script;
}

/** Reads commands up to where `isEnd` holds; fails at the end of the text unless that is the end. */
export function readList(cursor: Cursor, isEnd: () => boolean): Script {
  const items: AndOr[] = [];
  const start = cursor.at;
  skipNewlines(cursor);
  while (!isEnd()) {
    if (cursor.done) cursor.fail('The command is not complete', start);
    const item = readAndOr(cursor);
    skipBlanks(cursor);
    const at = cursor.at;
    if (cursor.peek() === '&' && cursor.peek(1) !== '&') {
      cursor.at += 1;
      items.push({ ...item, background: cursor.spanFrom(at) });
    } else {
      items.push(item);
      if (cursor.peek() === ';' && cursor.peek(1) !== ';' && cursor.peek(1) !== '&') cursor.at += 1;
      else if (cursor.peek() === '\n') readNewline(cursor);
      else if (!isEnd()) cursor.fail('This is not understood here');
    }
    skipNewlines(cursor);
  }
  return { items };
}

/** Skips blanks, comments and empty lines. */
export function skipNewlines(cursor: Cursor): void {
  skipBlanks(cursor);
  while (cursor.peek() === '\n') {
    readNewline(cursor);
    skipBlanks(cursor);
  }
}

function readAndOr(cursor: Cursor): AndOr {
  const pipelines = [readPipeline(cursor)];
  const connectors: ('&&' | '||')[] = [];
  for (;;) {
    skipBlanks(cursor);
    const connector = cursor.startsWith('&&') ? '&&' : cursor.startsWith('||') ? '||' : undefined;
    if (connector === undefined) return { pipelines, connectors };
    cursor.at += 2;
    skipNewlines(cursor);
    connectors.push(connector);
    pipelines.push(readPipeline(cursor));
  }
}

function readPipeline(cursor: Cursor): Pipeline {
  skipBlanks(cursor);
  const start = cursor.at;
  let negated = false;
  for (;;) {
    const reserved = reservedWordAt(cursor);
    if (reserved === '!') negated = !negated;
    else if (reserved !== 'time' || !isTimeKeyword(cursor)) break;
    cursor.at += reserved.length;
    skipBlanks(cursor);
    if (reserved === 'time' && /^-p[ \t]/.test(cursor.text.slice(cursor.at, cursor.at + 3))) cursor.at += 3;
    skipBlanks(cursor);
  }
  const stages = [readCommand(cursor)];
  for (;;) {
    skipBlanks(cursor);
    if (cursor.peek() !== '|' || cursor.peek(1) === '|') break;
    cursor.at += cursor.peek(1) === '&' ? 2 : 1;
    skipNewlines(cursor);
    stages.push(readCommand(cursor));
  }
  return { span: cursor.spanFrom(start), negated, stages };
}

/** `time -o out ls` is not the keyword but the program of that name; `time -p ls` is the keyword. */
function isTimeKeyword(cursor: Cursor): boolean {
  const rest = cursor.text.slice(cursor.at + 4);
  return /^[ \t]*(?:-p[ \t]|[^-\s])/.test(rest) || /^[ \t]*\(/.test(rest);
}

function readCommand(cursor: Cursor): CommandNode {
  skipBlanks(cursor);
  return cursor.nested(
    () => readCompound(cursor, { readList, readCommand, skipNewlines }) ?? readSimple(cursor, readCommand),
  );
}
