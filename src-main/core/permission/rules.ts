import type { RuleScope } from '../../../src-shared/permission/event.ts';
import type { SimpleCommand } from '../bash/analyse-bash.ts';
import { analyseBash } from '../bash/analyse-bash.ts';

/** A permission rule as settings write it: `Tool` or `Tool(specifier)`. */
export type Rule = { readonly tool: string; readonly specifier: string | undefined };

/** Where a rule comes from, for the trace. */
export type SourcedRule = { readonly text: string; readonly scope: RuleScope };

export type RuleSet = {
  readonly allow: readonly SourcedRule[];
  readonly ask: readonly SourcedRule[];
  readonly deny: readonly SourcedRule[];
};
export const NO_RULES: RuleSet = { allow: [], ask: [], deny: [] };

/** Parses `Tool(specifier)`. Undefined when it is not a rule. */
export function parseRule(text: string): Rule | undefined {
  const match = /^([A-Za-z_][\w-]*)(?:\(([\s\S]*)\))?$/.exec(text.trim());
  if (match === null) return undefined;
  const specifier = match[2];
  return {
    tool: match[1] as string,
    specifier: specifier === undefined || specifier === '' || specifier === '*' ? undefined : specifier,
  };
}

export type Use = { readonly tool: string; readonly input: unknown };

/**
 * Does an allow rule cover this use? Fail closed: a Bash rule covers a command only when every simple command in it is
 * covered or read-only by itself, and none of the covered ones redirects or sets variables.
 */
export function allowCovers(text: string, use: Use): boolean {
  const rule = parseRule(text);
  if (rule === undefined || rule.tool !== use.tool) return false;
  if (rule.specifier === undefined) return true;
  const specifier = rule.specifier;
  if (use.tool !== 'Bash') return primaryField(use.input) === specifier;
  const command = commandOf(use.input);
  if (command === undefined) return false;
  if (command.trim() === specifier) return true;
  const analysis = analyseBash(command);
  if (analysis.commands.length === 0) return false;
  return analysis.commands.every(
    (simple) =>
      simple.readOnly ||
      (simple.redirections.length === 0 && simple.env.length === 0 && prefixMatches(specifier, wordsOf(simple))),
  );
}

/** Does a deny or ask rule concern this use? Any simple command in it is enough, and doubt counts as yes. */
export function restrictionConcerns(text: string, use: Use): boolean {
  const rule = parseRule(text);
  if (rule === undefined || rule.tool !== use.tool) return false;
  if (rule.specifier === undefined) return true;
  const specifier = rule.specifier;
  if (use.tool !== 'Bash') return primaryField(use.input) === specifier;
  const command = commandOf(use.input);
  if (command === undefined) return true;
  if (command.trim() === specifier || prefixMatches(specifier, command.trim())) return true;
  const analysis = analyseBash(command);
  // A command that cannot be taken apart may hide what the rule is about.
  if (analysis.commands.length === 0) return true;
  return analysis.commands.some((simple) => prefixMatches(specifier, wordsOf(simple)));
}

const wordsOf = (simple: SimpleCommand): string => simple.argv.join(' ');

/** `git push:*` and `git push *`: the words, or the words and more. Without a star: exactly the words. */
function prefixMatches(specifier: string, words: string): boolean {
  const prefix = /^(.*?)(?::\*| \*)$/.exec(specifier)?.[1];
  if (prefix === undefined) return words === specifier;
  return words === prefix || words.startsWith(`${prefix} `);
}

const commandOf = (input: unknown): string | undefined => field(input, 'command');

const primaryField = (input: unknown): string | undefined =>
  field(input, 'file_path') ?? field(input, 'path') ?? field(input, 'notebook_path') ?? field(input, 'url');

function field(input: unknown, name: string): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  const value = (input as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : undefined;
}
