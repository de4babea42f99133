import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

/** What keeps a text from being JSON with comments, and where. */
export type JsonProblem = { readonly line: number; readonly what: string };

/** A text as a syntax tree, read as far as it goes. */
export type JsonText = {
  /** Undefined when the text holds no value at all: blanks and comments. */
  readonly root: Node | undefined;
  /** Empty: the text is well-formed. Comments and trailing commas are. */
  readonly problems: readonly JsonProblem[];
  /** The value of the whole text, keys like `__proto__` as ordinary ones. Undefined when there are problems. */
  readonly value: unknown;
  /** Line of an offset, from 1. */
  readonly lineAt: (offset: number) => number;
};

/** How jsonc-parser is to read settings everywhere. */
export const JSONC = { allowTrailingComma: true, allowEmptyContent: true, disallowComments: false } as const;

/** Reads JSON with comments and trailing commas. Never throws. */
export function parseJsonc(text: string): JsonText {
  const lineAt = lineFinder(text);
  const errors: ParseError[] = [];
  try {
    const root = parseTree(text, errors, JSONC);
    const problems = errors.map(({ error, offset }) => ({ line: lineAt(offset), what: words(error) }));
    return { root, problems, value: problems.length > 0 || root === undefined ? undefined : toValue(root), lineAt };
  } catch (error) {
    // The parser goes down one call deeper with every bracket.
    if (!(error instanceof RangeError)) throw error;
    return { root: undefined, problems: [{ line: 1, what: 'it is nested too deeply' }], value: undefined, lineAt };
  }
}

/** A property of an object in the tree. `value` is undefined where the text breaks off. */
export type Property = { readonly key: string; readonly node: Node; readonly value: Node | undefined };

/** The properties in their order, one that stands twice twice. Empty for what is no object. */
export const propertiesOf = (node: Node | undefined): readonly Property[] =>
  node?.type !== 'object'
    ? []
    : (node.children ?? []).map((property) => ({
        key: String(property.children?.[0]?.value),
        node: property,
        value: property.children?.[1],
      }));

/** `fromEntries` makes own properties, also of a key `__proto__`. */
export function toValue(node: Node): unknown {
  switch (node.type) {
    case 'object':
      return Object.fromEntries(
        propertiesOf(node).map(({ key, value }) => [key, value === undefined ? undefined : toValue(value)]),
      );
    case 'array':
      return (node.children ?? []).map(toValue);
    default:
      return node.value;
  }
}

function lineFinder(text: string): (offset: number) => number {
  const starts = [0];
  for (const { index } of text.matchAll(/\n/g)) starts.push(index + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return Math.max(1, low);
  };
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ['InvalidSymbol', 'a word is no value; texts need double quotes'],
  ['InvalidNumberFormat', 'a number is not written as one'],
  ['PropertyNameExpected', 'the name of a property is missing'],
  ['ValueExpected', 'a value is missing'],
  ['ColonExpected', 'a colon is missing'],
  ['CommaExpected', 'a comma is missing'],
  ['CloseBraceExpected', 'a closing brace is missing'],
  ['CloseBracketExpected', 'a closing bracket is missing'],
  ['EndOfFileExpected', 'something follows after the end'],
  ['UnexpectedEndOfComment', 'a comment has no end'],
  ['UnexpectedEndOfString', 'a text has no closing quote'],
  ['UnexpectedEndOfNumber', 'a number breaks off'],
  ['InvalidUnicode', 'an escape with \\u is not complete'],
  ['InvalidEscapeCharacter', 'a backslash stands before a character that has no escape'],
  ['InvalidCharacter', 'a text holds a line break or control character'],
]);

const words = (error: ParseError['error']): string =>
  WORDS.get(printParseErrorCode(error)) ?? 'it is not written as JSON';
