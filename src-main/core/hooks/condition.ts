import { dirname, sep } from 'node:path';
import { analyseBash, type SimpleCommand } from '../bash/analyse-bash.ts';
import { Ground, worldWithoutLinks } from '../permission/ground.ts';
import { matchesPlace, pathPattern } from '../permission/path-rules.ts';
import type { ToolHookInput } from './hook-input.ts';
import type { CommandHook } from './settings.ts';

/** A condition and where it stands: paths that begin with `/` are relative to the folder of the settings. */
type Condition = Pick<CommandHook, 'condition' | 'file' | 'scope'>;

const RULE = /^([^\s()]+)(?:\(([\s\S]*)\))?$/;

export const conditionProblem = (condition: string): string | undefined =>
  RULE.test(condition.trim())
    ? undefined
    : `if: ${condition} is no permission rule; one looks like Bash(git *) or Edit(*.ts).`;

/**
 * Whether the use of a tool is one that `if` speaks of. A filter, not a guard: where it cannot tell, the answer is yes
 * and the hook itself looks (HR#bash-if-matching).
 */
export function conditionHolds(hook: Condition, input: ToolHookInput, home: string): boolean {
  const match = RULE.exec((hook.condition ?? '').trim());
  if (match === null) return false;
  const [, tool = '', specifier] = match;
  if (!namesTool(tool, input.toolName)) return false;
  if (specifier === undefined || specifier === '' || specifier === '*') return true;
  if (input.toolName === 'Bash') return concernsCommand(specifier, field(input.toolInput, 'command'));
  if (input.toolName === 'WebFetch') return concernsUrl(specifier, field(input.toolInput, 'url'));
  const path = PATH_FIELDS.map((name) => field(input.toolInput, name)).find((value) => value !== undefined);
  if (path === undefined) return true;
  return concernsPath(specifier, path, { hook, cwd: input.session.cwd, home });
}

/** Rules for `Edit` and `Read` speak of every tool that edits and reads files. */
const FAMILIES: Readonly<Record<string, readonly string[]>> = {
  Edit: ['Edit', 'MultiEdit', 'Write', 'NotebookEdit'],
  Read: ['Read', 'Grep', 'Glob'],
};

const namesTool = (rule: string, tool: string): boolean =>
  rule === tool ||
  (Object.hasOwn(FAMILIES, rule) && FAMILIES[rule]!.includes(tool)) ||
  (rule.includes('*') && wildcard(rule).test(tool)) ||
  // `mcp__server` means all tools of the server.
  (rule.startsWith('mcp__') && tool.startsWith(`${rule}__`));

function concernsCommand(pattern: string, command: string | undefined): boolean {
  if (command === undefined) return true;
  const { commands, parsed } = analyseBash(command);
  if (!parsed || commands.length === 0) return true;
  const expression = commandPattern(pattern);
  // More than a name can only be judged where every word is known.
  const isName = /^[^\s*]+(?::\*| ?\*)?$/.test(pattern);
  return commands.some(
    (simple) =>
      expression.test(simple.argv.join(' ')) ||
      expression.test(withoutAssignments(command, simple)) ||
      (!isName && !simple.exact && /[$`]/.test(command.slice(simple.span.start, simple.span.end))),
  );
}

/** As it was written, which is how people write their patterns: with its quotes. */
function withoutAssignments(command: string, { span, env }: SimpleCommand): string {
  let text = command.slice(span.start, span.end).trim();
  for (const { name } of env) {
    text = text.replace(new RegExp(`^${literally(name)}\\+?=(?:"[^"]*"|'[^']*'|[^\\s"'])*\\s+`), '');
  }
  return text;
}

/** `git *` and `git:*` take in `git` alone and anything after it; `git*` also `gitk`; other stars any characters. */
function commandPattern(pattern: string): RegExp {
  const words = /^([\s\S]*?)(?::\*| \*)$/.exec(pattern.trim())?.[1];
  return words === undefined ? wildcard(pattern.trim()) : new RegExp(`^${starred(words)}(?:\\s[\\s\\S]*)?$`);
}

const wildcard = (pattern: string): RegExp => new RegExp(`^${starred(pattern)}$`);
const starred = (pattern: string): string => pattern.split('*').map(literally).join('[\\s\\S]*');
const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

function concernsUrl(specifier: string, url: string | undefined): boolean {
  const domain = /^domain:(.+)$/.exec(specifier)?.[1]?.toLowerCase();
  if (domain === undefined || url === undefined || !URL.canParse(url)) return true;
  return wildcard(domain).test(new URL(url).hostname.replace(/\.$/, ''));
}

const PATH_FIELDS = ['file_path', 'notebook_path', 'path'] as const;
type Places = { readonly hook: Condition; readonly cwd: string; readonly home: string };

/** As allow rules read paths (reference, section 3); by the names in the input alone, no link is followed. */
function concernsPath(pattern: string, path: string, { hook, cwd, home }: Places): boolean {
  const ground = new Ground(worldWithoutLinks(cwd, { home, platform: sep === '\\' ? 'win32' : 'linux' }));
  const rule = { text: '', scope: hook.scope, file: hook.file, root: folderOf(hook) };
  const compiled = pathPattern(pattern, rule, 'allow', ground);
  const place = ground.place(path);
  return compiled === undefined || !place.certain || matchesPlace(compiled, place);
}

/** The user's settings lie in the folder that is meant (`~/.claude`); a project's in `.claude` below it. */
const folderOf = ({ file, scope }: Condition): string =>
  scope === 'project' || scope === 'local' ? dirname(dirname(file)) : dirname(file);

function field(input: unknown, name: string): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  const value = (input as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value : undefined;
}
