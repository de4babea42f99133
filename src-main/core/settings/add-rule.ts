import { applyEdits, createScanner, type Edit, type Node, type SyntaxKind } from 'jsonc-parser';
import { err, ok, type Result } from '../../../src-shared/result.ts';
import { type JsonText, parseJsonc, propertiesOf } from './jsonc.ts';

/** Why nothing was added, as the end of a sentence, and where. */
export type NotAdded = { readonly line: number; readonly what: string };

/**
 * The text of a settings file with one allow rule more, at the end of its list. Every other byte stays as it is:
 * formatting, comments, the order of keys, line breaks. (jsonc-parser's `modify` formats whole lines anew and parts an
 * entry from the comment behind it, so the places are found here.) The same text when the rule is there already.
 */
export const withAllowRule = (text: string, rule: string): Result<string, NotAdded> => withRule(text, 'allow', rule);

type List = 'allow' | 'ask' | 'deny';

/** The same for any of the three lists. */
export function withRule(text: string, list: List, rule: string): Result<string, NotAdded> {
  const json = parseJsonc(text);
  const [problem] = json.problems;
  if (problem !== undefined) return err(problem);
  const found = findPlace(json, list, rule);
  if (!found.ok) return found;
  if (found.value === 'there') return ok(text);
  const { into, value } = found.value;
  const written = into === undefined ? wholeFile(text, list, value) : applyEdits(text, append(text, into, value));
  return isWhatWasMeant(json, written, list, rule)
    ? ok(written)
    : err({ line: 1, what: 'the rule finds no place in it' });
}

/** What is put where: `into` is the object or list that gets one more entry, undefined when the file has no object yet. */
type Place = { readonly into: Node | undefined; readonly value: NewEntry };
/** A property when it has a key. Arrays and objects are written over several lines. */
type NewEntry = {
  readonly key?: string;
  readonly value: string | readonly string[] | Readonly<Record<string, readonly string[]>>;
};

function findPlace({ root, lineAt }: JsonText, list: List, rule: string): Result<Place | 'there', NotAdded> {
  if (root === undefined) return ok({ into: undefined, value: { value: rule } });
  const wrong = (node: Node, what: string): Result<never, NotAdded> => err({ line: lineAt(node.offset), what });
  if (root.type !== 'object') return wrong(root, 'it is no object in braces');

  const [permissions, second] = propertiesOf(root).filter(({ key }) => key === 'permissions');
  if (second !== undefined) return wrong(second.node, 'permissions stands in it twice');
  if (permissions === undefined) return ok({ into: root, value: { key: 'permissions', value: { [list]: [rule] } } });
  if (permissions.value?.type !== 'object') return wrong(permissions.node, 'permissions is no object');

  const [rules, other] = propertiesOf(permissions.value).filter(({ key }) => key === list);
  if (other !== undefined) return wrong(other.node, `permissions.${list} stands in it twice`);
  if (rules === undefined) return ok({ into: permissions.value, value: { key: list, value: [rule] } });
  if (rules.value?.type !== 'array') return wrong(rules.node, `permissions.${list} is no list`);
  if (rules.value.children?.some(({ value }) => value === rule)) return ok('there');
  return ok({ into: rules.value, value: { value: rule } });
}

/** A file without any value: blanks and comments stay, and what is new follows them. */
function wholeFile(text: string, list: List, entry: NewEntry): string {
  const eol = lineBreakOf(text);
  const object = written({ permissions: { [list]: [entry.value] } }, '', DEFAULT_INDENT, eol);
  if (text.trim() === '') return `${object}${eol}`;
  return `${text}${/[\r\n]$/.test(text) ? '' : eol}${object}${eol}`;
}

const DEFAULT_INDENT = '  ';

/** The edits that add an entry at the end of an object or list. All of them only insert. */
function append(text: string, into: Node, entry: NewEntry): Edit[] {
  const eol = lineBreakOf(text);
  const unit = indentUnit(text, into);
  const last = into.children?.at(-1);
  const open = into.offset + 1;
  const close = into.offset + into.length - 1;
  const gap = gapAfter(text, last === undefined ? open : last.offset + last.length, close);
  const own = indentAt(text, into.offset);
  const isOnOneLine = last === undefined ? isInOneLineFile(text, into) : !text.slice(open, last.offset).includes('\n');
  const breaks = !isOnOneLine || gap.lineComment;
  const indent = isOnOneLine || last === undefined ? own + unit : indentAt(text, last.offset);
  const before = breaks ? eol + indent : last === undefined ? '' : separator(text, into);
  const json = breaks ? written(entry.value, indent, unit, eol) : JSON.stringify(entry.value);
  const key = entry.key === undefined ? '' : `${JSON.stringify(entry.key)}: `;
  const comma = gap.comma ? ',' : '';
  // The closing bracket goes to a line of its own, unless it is on one already or all is on one line.
  const after = breaks && !text.slice(gap.at, close).includes('\n') ? eol + own : '';
  const edits: Edit[] = [{ offset: gap.at, length: 0, content: `${before}${key}${json}${comma}${after}` }];
  if (last !== undefined && !gap.comma) {
    const end = last.offset + last.length;
    if (end === gap.at) return [{ offset: end, length: 0, content: `,${edits[0]?.content ?? ''}` }];
    edits.unshift({ offset: end, length: 0, content: ',' });
  }
  return edits;
}

type Gap = {
  /** Where the new entry goes: behind the last entry, its comma and the comment on its line. */
  readonly at: number;
  readonly comma: boolean;
  /** A comment up to the line's end stands right before `at`. */
  readonly lineComment: boolean;
};

// The numbers of jsonc-parser's `SyntaxKind`, which is a const enum and so has no values at run time.
const COMMA = 5 satisfies SyntaxKind.CommaToken;
const LINE_COMMENT = 12 satisfies SyntaxKind.LineCommentTrivia;
const BLOCK_COMMENT = 13 satisfies SyntaxKind.BlockCommentTrivia;
const LINE_BREAK = 14 satisfies SyntaxKind.LineBreakTrivia;

/** Looks at what stands between the last entry (or the opening bracket) and the closing bracket. */
export function gapAfter(text: string, from: number, close: number): Gap {
  const scanner = createScanner(text, false);
  scanner.setPosition(from);
  let gap: Gap = { at: from, comma: false, lineComment: false };
  let sameLine = true;
  while (true) {
    const token = Number(scanner.scan());
    const end = scanner.getTokenOffset() + scanner.getTokenLength();
    if (end > close || scanner.getTokenLength() === 0) return gap;
    if (token === LINE_BREAK) sameLine = false;
    if (token === COMMA) gap = { at: end, comma: true, lineComment: false };
    // A comment of a later line belongs to nothing yet, unless a comma still follows it.
    if (token === LINE_COMMENT || token === BLOCK_COMMENT) {
      if (sameLine) gap = { ...gap, at: end, lineComment: token === LINE_COMMENT };
    }
  }
}

export const lineBreakOf = (text: string): string => (/\r?\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n');

/** The blanks with which the line of an offset begins. */
export function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

/** By how much one level is indented: what the first entry of the outermost object shows. */
function indentUnit(text: string, node: Node): string {
  let root = node;
  while (root.parent !== undefined) root = root.parent;
  const first = root.children?.[0];
  if (first === undefined || !text.slice(root.offset, first.offset).includes('\n')) return DEFAULT_INDENT;
  return indentAt(text, first.offset).slice(indentAt(text, root.offset).length) || DEFAULT_INDENT;
}

/** An empty list in a file that is written on one line stays on it; one that is the whole file does not. */
function isInOneLineFile(text: string, node: Node): boolean {
  let root = node;
  while (root.parent !== undefined) root = root.parent;
  return root !== node && !text.slice(root.offset, root.offset + root.length).includes('\n');
}

/** On one line: as the first two entries are parted. */
export function separator(text: string, { children = [] }: Node): string {
  const [first, second] = children;
  if (first === undefined || second === undefined) return ' ';
  return text.slice(first.offset + first.length, second.offset) === ',' ? '' : ' ';
}

/** JSON over several lines, with these line breaks and blanks. */
const written = (value: unknown, indent: string, unit: string, eol: string): string =>
  JSON.stringify(value, undefined, unit).replaceAll('\n', eol + indent);

/** Read again, the text has to say exactly what it said before, and the rule. */
function isWhatWasMeant(before: JsonText, text: string, list: List, rule: string): boolean {
  const after = parseJsonc(text);
  if (after.problems.length > 0) return false;
  const old = (before.value ?? {}) as Settings;
  const expected: Settings = {
    ...old,
    permissions: { ...old.permissions, [list]: [...(old.permissions?.[list] ?? []), rule] },
  };
  return JSON.stringify(after.value) === JSON.stringify(expected);
}

type Settings = { readonly permissions?: { readonly [L in List]?: readonly unknown[] } };
