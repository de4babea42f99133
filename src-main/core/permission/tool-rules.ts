import { isShell, parameterOf, parseRule, primaryField, type SourcedRule, toolName } from './rules.ts';
import { mayMatch, wordPatterns } from './wildcard.ts';

/** A tool and the input it is called with. */
export type Use = { readonly tool: string; readonly input: unknown };

/** One string field of an input. Own fields only: an input may call a field `constructor`. */
export function field(input: unknown, name: string): string | undefined {
  const value = scalar(input, name);
  return typeof value === 'string' ? value : undefined;
}

function scalar(input: unknown, name: string): string | number | boolean | undefined {
  if (typeof input !== 'object' || input === null || !Object.hasOwn(input, name)) return undefined;
  const value = (input as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
}

/**
 * Does the tool of a restriction mean this tool? A star is any run of characters; a server's name means all of its
 * tools, whether the two underscores stand in its own name or not.
 */
export const restrictsTool = (rule: string, tool: string): boolean =>
  mayMatch(toolName(rule), toolName(tool)) ||
  (rule.startsWith('mcp__') && tool.startsWith(`${rule}__`)) ||
  (rule === 'Bash' && isShell(tool));

/**
 * Does one of these deny rules name the tool without a specifier? Such a tool is not told of to the model at all
 * (reference, section 1). One with a specifier forbids some of its uses.
 */
export const isForbidden = (tool: string, deny: readonly SourcedRule[]): boolean =>
  deny.some(({ text }) => {
    const parsed = parseRule(text);
    if (parsed === undefined || parsed.specifier !== undefined) return false;
    // `Edit(*)` and `Read(*)` are patterns: of files in a folder.
    const isPattern = text.includes('(') && (parsed.tool === 'Edit' || parsed.tool === 'Read');
    return !isPattern && restrictsTool(parsed.tool, tool);
  });

/** The same for an allow rule: one tool, one server, or a star behind a server's name (reference, section 1). */
export function allowsTool(rule: string, tool: string): boolean {
  if (rule.includes('*')) return /^mcp__[^*]+?__/.test(rule) && mayMatch(rule, tool);
  if (/^mcp__(?:(?!__).)+$/.test(rule)) return tool === rule || tool.startsWith(`${rule}__`);
  return toolName(rule) === toolName(tool) || (rule === 'Bash' && isShell(tool));
}

/** `Tool(name:value)`, for deny and ask rules: a field that is left out never matches, and the value is the input's own. */
export function matchesParameter(specifier: string, { tool, input }: Use): boolean {
  const parameter = parameterOf(specifier);
  if (parameter === undefined || parameter.name === primaryField(tool)) return false;
  const value = scalar(input, parameter.name);
  return value !== undefined && mayMatch(parameter.value, String(value));
}

/** `domain:…` of WebFetch against the address that would be fetched. */
export function matchesDomain(specifier: string, url: string | undefined): boolean {
  const pattern = /^\s*domain:([\s\S]*)$/.exec(specifier)?.[1]?.trim().toLowerCase().replace(/\.$/, '');
  const host = url === undefined ? undefined : hostOf(url);
  if (pattern === undefined || pattern === '' || host === undefined) return false;
  if (pattern === '*') return true;
  // At the front a star is any number of names; elsewhere it stays between two dots.
  const [, front, rest = ''] = /^(\*\.)?([\s\S]*)$/.exec(pattern) ?? [];
  const names = rest.split('.').map(nameExpression).join('\\.');
  return new RegExp(`^${front === undefined ? '' : '(?:[^.]+\\.)+'}${names}$`).test(host);
}

const nameExpression = (name: string): string => name.split('*').map(literally).join('[^.]*');
const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** As the program that fetches sees it: a name before an `@` is none, and a dot at the end makes no difference. */
function hostOf(url: string): string | undefined {
  try {
    return new URL(url).hostname.toLowerCase().replace(/\.$/, '');
  } catch {
    return undefined;
  }
}

/** `Agent(type)`. Without a type the call starts the general one. */
export const matchesAgent = (specifier: string, input: unknown): boolean =>
  mayMatch(specifier.trim(), field(input, 'subagent_type') ?? 'general-purpose');

/** `Skill(name)` is the name alone, `Skill(name *)` with anything behind it. A restriction by name needs no arguments. */
export function matchesSkill(specifier: string, input: unknown, list: 'allow' | 'restrict'): boolean {
  const bare = (text: string): string => text.trim().replace(/^\//, '');
  const name = bare(field(input, 'skill') ?? field(input, 'name') ?? field(input, 'command') ?? '');
  const args = (field(input, 'args') ?? '').trim();
  const texts = [args === '' ? name : `${name} ${args}`, ...(list === 'restrict' ? [name] : [])];
  return name !== '' && wordPatterns(bare(specifier)).some((pattern) => texts.some((text) => mayMatch(pattern, text)));
}
