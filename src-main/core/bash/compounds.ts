import type { Cursor } from './cursor.ts';
import { endOfArithmetic, readExpansionsUntil } from './expansions.ts';
import { readNewline, readRedirection } from './redirections.ts';
import { scriptOf } from './simple-commands.ts';
import type { CommandNode, CompoundForm, CompoundNode, Redirection, Script, Word } from './syntax.ts';
import { WordBuilder } from './word-builder.ts';
import { readWord, skipBlanks } from './words.ts';

/** The parts of the grammar that compounds need; passed in so that the files do not import in a circle. */
export type Grammar = {
  readonly readList: (cursor: Cursor, isEnd: () => boolean) => Script;
  readonly readCommand: (cursor: Cursor) => CommandNode;
  readonly skipNewlines: (cursor: Cursor) => void;
};

type Content = {
  readonly form: CompoundForm;
  readonly words?: readonly Word[];
  readonly bodies: readonly Script[];
  readonly name?: string;
};

const reserved =
  /^(?:if|then|elif|else|fi|for|while|until|do|done|case|esac|select|function|coproc|time|\[\[|[{}!])(?=[ \t\n;&|<>()]|$)/;

/** The reserved word at the cursor, when the text there is exactly one. */
export function reservedWordAt(cursor: Cursor): string | undefined {
  return reserved.exec(cursor.text.slice(cursor.at, cursor.at + 10))?.[0];
}

/** Reads a compound command with its redirections, or gives nothing when none starts here. */
export function readCompound(cursor: Cursor, grammar: Grammar): CompoundNode | undefined {
  const start = cursor.at;
  const content = readContent(cursor, grammar);
  if (content === undefined) return undefined;
  const redirections: Redirection[] = [];
  for (;;) {
    skipBlanks(cursor);
    const redirection = readRedirection(cursor);
    if (redirection === undefined) break;
    redirections.push(redirection);
  }
  const node: CompoundNode = { kind: 'compound', words: [], ...content, span: cursor.spanFrom(start), redirections };
  cursor.found.push(node);
  return node;
}

function readContent(cursor: Cursor, grammar: Grammar): Content | undefined {
  if (cursor.peek() === '(') return readBrackets(cursor, grammar);
  const word = reservedWordAt(cursor);
  if (word === undefined || word === 'time') return undefined;
  const start = cursor.at;
  cursor.at += word.length;
  switch (word) {
    case '{':
      return { form: 'group', bodies: [readBody(cursor, grammar, ['}'])] };
    case 'if':
      return { form: 'if', bodies: readBranches(cursor, grammar) };
    case 'while':
    case 'until':
      return { form: 'while', bodies: [readBody(cursor, grammar, ['do']), readBody(cursor, grammar, ['done'])] };
    case 'for':
    case 'select':
      return readFor(cursor, grammar, word);
    case 'case':
      return readCase(cursor, grammar);
    case '[[':
      return { form: 'test', words: readTest(cursor), bodies: [] };
    case 'function':
      return readFunction(cursor, grammar);
    case 'coproc':
      return { form: 'coproc', bodies: [scriptOf(grammar.readCommand(cursor))] };
    default:
      return cursor.fail(`The word ${word} is not expected here`, start);
  }
}

/** Reads a list that ends with one of `closers`, and steps over that word. */
function readBody(cursor: Cursor, grammar: Grammar, closers: readonly string[]): Script {
  const start = cursor.at;
  const script = grammar.readList(cursor, () => closers.includes(reservedWordAt(cursor) ?? ''));
  if (script.items.length === 0) cursor.fail('A command is missing here', start);
  cursor.at += reservedWordAt(cursor)?.length ?? 0;
  return script;
}

function readBrackets(cursor: Cursor, grammar: Grammar): Content {
  const start = cursor.at;
  const close = cursor.peek(1) === '(' ? endOfArithmetic(cursor.text, start + 2) : undefined;
  if (close !== undefined) {
    cursor.at += 2;
    readExpansionsUntil(cursor, new WordBuilder(), close);
    cursor.at += 2;
    return { form: 'arithmetic', bodies: [] };
  }
  cursor.at += 1;
  const body = grammar.readList(cursor, () => cursor.peek() === ')');
  if (body.items.length === 0) cursor.fail('A command is missing here', start);
  cursor.at += 1;
  return { form: 'subshell', bodies: [body] };
}

function readBranches(cursor: Cursor, grammar: Grammar): readonly Script[] {
  const bodies = [readBody(cursor, grammar, ['then'])];
  for (;;) {
    const start = cursor.at;
    const body = grammar.readList(cursor, () => ['elif', 'else', 'fi'].includes(reservedWordAt(cursor) ?? ''));
    if (body.items.length === 0) cursor.fail('A command is missing here', start);
    bodies.push(body);
    const word = reservedWordAt(cursor) ?? '';
    cursor.at += word.length;
    if (word === 'fi') return bodies;
    if (word === 'else') return [...bodies, readBody(cursor, grammar, ['fi'])];
    bodies.push(readBody(cursor, grammar, ['then']));
  }
}

function readFor(cursor: Cursor, grammar: Grammar, form: 'for' | 'select'): Content {
  skipBlanks(cursor);
  if (cursor.startsWith('((')) return readArithmeticFor(cursor, grammar);
  const name = readWord(cursor)?.forShellQuote ?? cursor.fail('A loop needs a variable');
  grammar.skipNewlines(cursor);
  const words: Word[] = [];
  if (/^in[ \t\n;]/.test(cursor.text.slice(cursor.at, cursor.at + 3))) {
    cursor.at += 2;
    for (;;) {
      skipBlanks(cursor);
      const word = readWord(cursor);
      if (word === undefined) break;
      words.push(word);
    }
  }
  return { form, words, bodies: [readLoopBody(cursor, grammar)], name };
}

function readLoopBody(cursor: Cursor, grammar: Grammar): Script {
  skipBlanks(cursor);
  if (cursor.peek() === ';') cursor.at += 1;
  grammar.skipNewlines(cursor);
  const word = reservedWordAt(cursor);
  if (word !== 'do' && word !== '{') cursor.fail('A loop needs a body');
  cursor.at += word.length;
  return readBody(cursor, grammar, [word === 'do' ? 'done' : '}']);
}

function readArithmeticFor(cursor: Cursor, grammar: Grammar): Content {
  const close = endOfArithmetic(cursor.text, cursor.at + 2) ?? cursor.fail('A for (( is not closed');
  cursor.at += 2;
  readExpansionsUntil(cursor, new WordBuilder(), close);
  cursor.at += 2;
  return { form: 'arithmetic for', bodies: [readLoopBody(cursor, grammar)] };
}

function readCase(cursor: Cursor, grammar: Grammar): Content {
  skipBlanks(cursor);
  const words = [readWord(cursor) ?? cursor.fail('A case needs a subject')];
  const bodies: Script[] = [];
  grammar.skipNewlines(cursor);
  if (!/^in[ \t\n]/.test(cursor.text.slice(cursor.at, cursor.at + 3))) cursor.fail('A case needs the word in');
  cursor.at += 2;
  for (;;) {
    grammar.skipNewlines(cursor);
    if (reservedWordAt(cursor) === 'esac') break;
    if (cursor.done) cursor.fail('A case is not closed');
    words.push(...readPatterns(cursor));
    const atEnd = () => cursor.startsWith(';;') || cursor.startsWith(';&') || reservedWordAt(cursor) === 'esac';
    bodies.push(grammar.readList(cursor, atEnd));
    cursor.at += /^(?:;;&|;;|;&)?/.exec(cursor.text.slice(cursor.at, cursor.at + 3))?.[0].length ?? 0;
  }
  cursor.at += 'esac'.length;
  return { form: 'case', words, bodies };
}

function readPatterns(cursor: Cursor): readonly Word[] {
  const patterns: Word[] = [];
  if (cursor.peek() === '(') cursor.at += 1;
  for (;;) {
    skipBlanks(cursor);
    patterns.push(readWord(cursor) ?? cursor.fail('A case pattern is missing here'));
    skipBlanks(cursor);
    const next = cursor.peek();
    if (next !== '|' && next !== ')') cursor.fail('A case pattern is not closed');
    cursor.at += 1;
    if (next === ')') return patterns;
  }
}

/** The tokens between `[[` and `]]`; operators are words of their own. */
function readTest(cursor: Cursor): readonly Word[] {
  const start = cursor.at;
  const tokens: Word[] = [];
  for (;;) {
    skipBlanks(cursor);
    const at = cursor.at;
    if (cursor.done) cursor.fail('A [[ is not closed', start);
    if (cursor.peek() === '\n') {
      readNewline(cursor);
      continue;
    }
    const mode = tokens.at(-1)?.forShellQuote === '=~' ? 'regex' : 'usual';
    const word = readWord(cursor, mode) ?? readTestOperator(cursor, at);
    if (word.forShellQuote === ']]') return tokens;
    tokens.push(word);
  }
}

function readTestOperator(cursor: Cursor, at: number): Word {
  const op =
    /^(?:&&|\|\||[()<>])/.exec(cursor.text.slice(at, at + 2))?.[0] ?? cursor.fail('This is not understood here');
  cursor.at += op.length;
  return { span: cursor.spanFrom(at), parts: [{ kind: 'text', text: op, quoted: false }], forShellQuote: op };
}

function readFunction(cursor: Cursor, grammar: Grammar): Content {
  skipBlanks(cursor);
  const name = readWord(cursor)?.forShellQuote ?? cursor.fail('A function needs a name');
  skipBlanks(cursor);
  if (/^\([ \t]*\)/.test(cursor.text.slice(cursor.at, cursor.at + 20)))
    cursor.at = cursor.text.indexOf(')', cursor.at) + 1;
  grammar.skipNewlines(cursor);
  return { form: 'function', bodies: [scriptOf(grammar.readCommand(cursor))], name };
}
