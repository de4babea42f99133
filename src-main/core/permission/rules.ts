import type { RuleScope } from '../../../src-shared/permission/event.ts';
import { bashConcern, bashCover, type Concern } from './bash-rules.ts';
import { mayMatch } from './wildcard.ts';

/** A permission rule as settings write it: `Tool` or `Tool(specifier)`. `Tool(*)` is `Tool`. */
export type Rule = { readonly tool: string; readonly specifier: string | undefined };

/** Whose rule it is: a place a person may add rules to, or what an administrator has set. */
export type RuleSource = RuleScope | 'managed';

/** A rule and where it comes from, for the trace. */
export type SourcedRule = {
  readonly text: string;
  readonly scope: RuleSource;
  /** The settings file, absolute, and the line in it, from 1. Absent for rules of the session. */
  readonly file?: string;
  readonly line?: number;
};

export type RuleSet = {
  readonly allow: readonly SourcedRule[];
  readonly ask: readonly SourcedRule[];
  readonly deny: readonly SourcedRule[];
};
export const NO_RULES: RuleSet = { allow: [], ask: [], deny: [] };

/** Parses `Tool(specifier)`. Undefined when it is not a rule. */
export function parseRule(text: string): Rule | undefined {
  const match = /^([\w*-]+)(?:\(([\s\S]*)\))?$/.exec(text.trim());
  const [, tool, specifier] = match ?? [];
  if (tool === undefined) return undefined;
  return { tool, specifier: specifier?.trim() === '*' ? undefined : specifier };
}

export type Use = { readonly tool: string; readonly input: unknown };

/** Rules for `Edit` and `Read` are meant for all tools that change or read files (reference, section 3). */
const FAMILIES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['Edit', new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit'])],
  ['Read', new Set(['Read', 'Grep', 'Glob'])],
]);
/** Whoever may not read a file may not change it either. */
const CHANGES_WHAT_IT_READS: ReadonlySet<string> = new Set(['Edit', 'Write', 'MultiEdit']);

/** Does an allow rule cover this use? Fail closed: what is not understood is not covered. */
export const allowCovers = (text: string, use: Use): boolean => coverOf([text], use) !== undefined;

/** The allow rules that cover this use, for a Bash command perhaps several together; nothing when a part is left over. */
export function coverOf(texts: readonly string[], use: Use): readonly string[] | undefined {
  const specific = new Map<string, string>();
  for (const text of texts) {
    const rule = parseRule(text);
    if (rule === undefined || (rule.tool !== use.tool && !FAMILIES.get(rule.tool)?.has(use.tool))) continue;
    if (rule.specifier === undefined) return [text];
    if (rule.specifier.trim() !== '') specific.set(rule.specifier, text);
  }
  if (specific.size === 0) return undefined;
  if (use.tool !== 'Bash') {
    const text = specific.get(primaryField(use.input) ?? '');
    return text === undefined ? undefined : [text];
  }
  const command = field(use.input, 'command');
  const covering = command === undefined ? undefined : bashCover([...specific.keys()], command);
  // Commands that only read need no rule, and are not what these rules are about.
  return covering === undefined || covering.length === 0 ? undefined : covering.map((key) => specific.get(key) ?? key);
}

/**
 * Does a deny or ask rule concern this use? Which files a path pattern means depends on folders and links that nobody
 * has looked at here: a rule with another path than the one in the input concerns every use of its tools perhaps.
 */
export function concernOf(text: string, use: Use): Concern {
  const rule = parseRule(text);
  if (rule === undefined || !concernsTool(rule.tool, use.tool)) return 'no';
  const { specifier } = rule;
  if (specifier === undefined || specifier.trim() === '') return 'yes';
  const parameter = /^\s*(\w+)\s*:(.*)$/s.exec(specifier);
  if (parameter !== null && isParameter(parameter[1] ?? '', use.input)) {
    return mayMatch((parameter[2] ?? '').trim(), String((use.input as Record<string, unknown>)[parameter[1] ?? '']))
      ? 'yes'
      : 'no';
  }
  if (use.tool !== 'Bash') return primaryField(use.input) === specifier ? 'yes' : 'perhaps';
  const command = field(use.input, 'command');
  return command === undefined ? 'perhaps' : bashConcern(specifier, command);
}

/** `Tool(name:value)`: a scalar of the input, but not the one that the other forms of rules are about. */
function isParameter(name: string, input: unknown): boolean {
  if (PRIMARY.includes(name) || name === 'command') return false;
  if (typeof input !== 'object' || input === null || !Object.hasOwn(input, name)) return false;
  return ['string', 'number', 'boolean'].includes(typeof (input as Record<string, unknown>)[name]);
}

const concernsTool = (pattern: string, tool: string): boolean =>
  mayMatch(pattern, tool) ||
  FAMILIES.get(pattern)?.has(tool) === true ||
  (pattern === 'Read' && CHANGES_WHAT_IT_READS.has(tool));

const PRIMARY: readonly string[] = ['file_path', 'path', 'notebook_path', 'url'];
const primaryField = (input: unknown): string | undefined =>
  PRIMARY.map((name) => field(input, name)).find((value) => value !== undefined);

function field(input: unknown, name: string): string | undefined {
  if (typeof input !== 'object' || input === null || !Object.hasOwn(input, name)) return undefined;
  const value = (input as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : undefined;
}
