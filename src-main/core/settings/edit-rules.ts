import { applyEdits, type Edit, type Node } from 'jsonc-parser';
import { err, ok, type Result } from '../../../src-shared/result.ts';
import { gapAfter, indentAt, lineBreakOf, type NotAdded, separator, withRule } from './add-rule.ts';
import { type JsonText, parseJsonc, propertiesOf } from './jsonc.ts';

export type RuleListName = 'allow' | 'ask' | 'deny';

/** One change of a list of rules. Without `before` the new rules go to its end; with it they stand in its place. */
export type RuleChange = {
  readonly list: RuleListName;
  readonly before?: string | undefined;
  readonly after: readonly string[];
};

/**
 * The text of a settings file with changed rules. Only the entries themselves are touched, with the comma that parts them;
 * comments, order, indentation and line breaks stay. A comment behind a removed rule on its line goes with it.
 */
export function withRuleChange(text: string, change: RuleChange): Result<string, NotAdded> {
  return change.before === undefined
    ? withAdded(text, change.list, change.after)
    : withReplaced(text, { ...change, before: change.before });
}

function withAdded(text: string, list: RuleListName, rules: readonly string[]): Result<string, NotAdded> {
  let now = text;
  for (const rule of rules) {
    const added = withRule(now, list, rule);
    if (!added.ok) return added;
    now = added.value;
  }
  return ok(now);
}

function withReplaced(
  text: string,
  { list, before, after }: RuleChange & { readonly before: string },
): Result<string, NotAdded> {
  const json = parseJsonc(text);
  const [problem] = json.problems;
  if (problem !== undefined) return err(problem);
  const found = findEntry(json, list, before);
  if (!found.ok) return found;
  const { array, at } = found.value;
  const others = new Set(
    (array.children ?? []).flatMap(({ value }, index) => (index === at ? [] : [value as unknown])),
  );
  const rules = [...new Set(after)].filter((rule) => !others.has(rule));
  const edits = rules.length === 0 ? removal(text, array, at) : [replacement(text, array, at, rules)];
  const written = applyEdits(text, edits);
  return isWhatWasMeant(json, written, { list, at, rules })
    ? ok(written)
    : err({ line: json.lineAt(array.offset), what: `the rule ${before} cannot be taken out of its place` });
}

type Entry = { readonly array: Node; readonly at: number };

function findEntry({ root, lineAt }: JsonText, list: RuleListName, rule: string): Result<Entry, NotAdded> {
  const wrong = (node: Node | undefined, what: string): Result<never, NotAdded> =>
    err({ line: node === undefined ? 1 : lineAt(node.offset), what });
  const [permissions, second] = propertiesOf(root).filter(({ key }) => key === 'permissions');
  if (second !== undefined) return wrong(second.node, 'permissions stands in it twice');
  const [rules, other] = propertiesOf(permissions?.value).filter(({ key }) => key === list);
  if (other !== undefined) return wrong(other.node, `permissions.${list} stands in it twice`);
  const array = rules?.value;
  const at = array?.type === 'array' ? (array.children ?? []).findIndex(({ value }) => value === rule) : -1;
  if (array === undefined || at === -1) return wrong(rules?.node, `${rule} does not stand in permissions.${list}`);
  return ok({ array, at });
}

/** The first new rule takes the place of the old one, the others follow it as its neighbours do. */
function replacement(text: string, array: Node, at: number, rules: readonly string[]): Edit {
  const entry = array.children?.[at] as Node;
  const written = rules.map((rule) => JSON.stringify(rule));
  const between = standsAlone(text, array, entry)
    ? `,${lineBreakOf(text)}${indentAt(text, entry.offset)}`
    : `,${separator(text, array)}`;
  return { offset: entry.offset, length: entry.length, content: written.join(between) };
}

/** Nothing stands before it on its line. */
const standsAlone = (text: string, array: Node, entry: Node): boolean =>
  /^[ \t]*$/.test(text.slice(Math.max(lineStart(text, entry.offset), array.offset + 1), entry.offset)) &&
  text.slice(array.offset, entry.offset).includes('\n');

const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1;

/** Where the line ends, its break included. */
function lineEnd(text: string, offset: number): number {
  const at = text.indexOf('\n', offset);
  return at === -1 ? text.length : at + 1;
}

function removal(text: string, array: Node, at: number): Edit[] {
  const children = array.children ?? [];
  const entry = children[at] as Node;
  const end = entry.offset + entry.length;
  const next = children[at + 1];
  const close = array.offset + array.length - 1;
  const gap = gapAfter(text, end, next?.offset ?? close);
  const previous = children[at - 1];
  // The comma before it has nothing to part any more.
  const comma =
    next === undefined && previous !== undefined && !gap.comma
      ? commaAfter(text, previous.offset + previous.length, entry.offset)
      : [];
  const restOfLine = text.slice(gap.at, lineEnd(text, gap.at));
  if (standsAlone(text, array, entry) && restOfLine.trim() === '') {
    const from = lineStart(text, entry.offset);
    return [...comma, { offset: from, length: lineEnd(text, gap.at) - from, content: '' }];
  }
  // On a line with others: with the blanks that part it from the next one, or from the one before.
  const blanks = next === undefined ? 0 : (/^[ \t]*/.exec(text.slice(gap.at))?.[0].length ?? 0);
  const from = next === undefined && previous !== undefined ? blanksBefore(text, entry.offset) : entry.offset;
  return [...comma, { offset: from, length: gap.at + blanks - from, content: '' }];
}

const blanksBefore = (text: string, offset: number): number =>
  offset - (/[ \t]*$/.exec(text.slice(0, offset))?.[0].length ?? 0);

/** The comma that follows an entry, comments passed over. */
function commaAfter(text: string, from: number, until: number): Edit[] {
  const gap = commaPlace(text, from, until);
  return gap === undefined ? [] : [{ offset: gap, length: 1, content: '' }];
}

function commaPlace(text: string, from: number, until: number): number | undefined {
  let at = from;
  while (at < until) {
    if (text.startsWith('//', at)) at = lineEnd(text, at);
    else if (text.startsWith('/*', at)) at = text.indexOf('*/', at) + 2;
    else if (text[at] === ',') return at;
    else at++;
  }
  return undefined;
}

/** Read again, the text has to say exactly what it said before, but for the changed rules. */
function isWhatWasMeant(
  before: JsonText,
  text: string,
  { list, at, rules }: { readonly list: RuleListName; readonly at: number; readonly rules: readonly string[] },
): boolean {
  const after = parseJsonc(text);
  if (after.problems.length > 0) return false;
  const old = before.value as { readonly permissions: Readonly<Record<RuleListName, readonly unknown[]>> };
  const expected = {
    ...old,
    permissions: { ...old.permissions, [list]: old.permissions[list].toSpliced(at, 1, ...rules) },
  };
  return JSON.stringify(after.value) === JSON.stringify(expected);
}
