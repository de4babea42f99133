import type { RuleScope } from '../../../src-shared/permission/event.ts';

/** A permission rule as settings write it: `Tool` or `Tool(specifier)`. `Tool(*)` is `Tool`. */
export type Rule = { readonly tool: string; readonly specifier: string | undefined };

/** Whose rule it is: a place a person may add rules to, what an administrator has set, or a flag of the start. */
export type RuleSource = RuleScope | 'managed' | 'cli';

/** A rule and where it comes from, for the trace. */
export type SourcedRule = {
  readonly text: string;
  readonly scope: RuleSource;
  /** The settings file, absolute, and the line in it, from 1. Absent for rules of the session. */
  readonly file?: string;
  readonly line?: number;
  /** The folder in which a path with one slash in front starts, absolute. By the scope when it is left out. */
  readonly root?: string;
};

export type RuleSet = {
  readonly allow: readonly SourcedRule[];
  readonly ask: readonly SourcedRule[];
  readonly deny: readonly SourcedRule[];
};
export const NO_RULES: RuleSet = { allow: [], ask: [], deny: [] };

/** Parses `Tool(specifier)`. Undefined when it is not a rule. */
export function parseRule(text: string): Rule | undefined {
  const match = /^([\w.*-]+)(?:\(([\s\S]*)\))?$/.exec(text.trim());
  const [, tool, specifier] = match ?? [];
  if (tool === undefined) return undefined;
  return { tool, specifier: specifier?.trim() === '*' ? undefined : specifier };
}

/** Rules for `Edit` and `Read` are meant for all tools that change or read files (reference, section 3). */
const EDITORS: ReadonlySet<string> = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit']);
const READERS: ReadonlySet<string> = new Set(['Read', 'Grep', 'Glob', 'LS', 'LSP', 'NotebookRead']);
/** Tools that run a command of bash. */
const SHELLS: ReadonlySet<string> = new Set(['Bash', 'Monitor']);

export const isEditor = (tool: string): boolean => EDITORS.has(tool);
export const isReader = (tool: string): boolean => READERS.has(tool);
export const isShell = (tool: string): boolean => SHELLS.has(tool);

/** Names that rules and calls may use for the same tool. */
const NAMES: ReadonlyMap<string, string> = new Map([['Task', 'Agent']]);
export const toolName = (tool: string): string => NAMES.get(tool) ?? tool;

/** The field a tool's own specifiers speak of; `Tool(field:value)` is no way to say it (reference, section 1). */
const PRIMARY_FIELDS: ReadonlyMap<string, string> = new Map([
  ['Bash', 'command'],
  ['Monitor', 'command'],
  ['PowerShell', 'command'],
  ['Read', 'file_path'],
  ['Edit', 'file_path'],
  ['Write', 'file_path'],
  ['MultiEdit', 'file_path'],
  ['NotebookEdit', 'notebook_path'],
  ['Grep', 'path'],
  ['Glob', 'path'],
  ['LS', 'path'],
  ['WebFetch', 'url'],
]);
export const primaryField = (tool: string): string | undefined => PRIMARY_FIELDS.get(tool);

/** `name:value`, blanks around the colon aside. */
export function parameterOf(specifier: string): { readonly name: string; readonly value: string } | undefined {
  const [, name, value] = /^\s*(\w+)\s*:([\s\S]*)$/.exec(specifier) ?? [];
  return name === undefined || value === undefined ? undefined : { name, value: value.trim() };
}

/** Tools that take a specifier of their own in allow rules. */
const TAKES_SPECIFIER: ReadonlySet<string> = new Set('Bash Monitor Read Edit WebFetch Agent Skill'.split(' '));

/** All tools that Claude Code and Gantry have had: a rule for another one is most likely a slip. */
const KNOWN_TOOLS: ReadonlySet<string> = new Set([
  ...PRIMARY_FIELDS.keys(),
  ...EDITORS,
  ...READERS,
  ...'Agent Skill Task Cd WebSearch TodoWrite AskUserQuestion EnterPlanMode ExitPlanMode Advisor'.split(' '),
  ...'BashOutput KillShell KillBash TaskCreate TaskGet TaskList TaskOutput TaskStop TaskUpdate ToolSearch'.split(' '),
  ...'CronCreate CronDelete CronList EnterWorktree ExitWorktree ListAgents SendMessage SlashCommand'.split(' '),
  ...'ListMcpResources ReadMcpResource ListMcpResourcesTool ReadMcpResourceTool Artifact Workflow PushNotification RemoteTrigger'.split(
    ' ',
  ),
]);

/** A tool that a rule names, without wildcards; names with `_` are those of servers. */
const isUnknownTool = (tool: string): boolean => !/[_*]/.test(tool) && !KNOWN_TOOLS.has(tool);

/**
 * Why a rule does less than its author means, in one sentence for them; undefined when it works. A rule that is
 * `skipped` has no effect at all.
 */
export function ruleProblem(
  text: string,
  list: keyof RuleSet,
): { readonly skipped: boolean; readonly what: string } | undefined {
  const skipped = (what: string) => ({ skipped: true, what });
  const rule = parseRule(text);
  if (rule === undefined) return skipped('This is no rule. One looks like Bash(npm test:*) or Read(./src/**).');
  const { tool, specifier } = rule;
  if (list === 'allow' && tool.includes('*') && !isServerGlob(tool)) {
    return skipped('An allow rule names its tool; a star may only stand behind mcp__server__.');
  }
  if (specifier !== undefined) {
    const wrong = specifierProblem(tool, specifier, list);
    if (wrong !== undefined) return skipped(wrong);
  }
  if (isUnknownTool(tool)) {
    return { skipped: false, what: `No tool is called ${tool}. Names are compared with their case.` };
  }
  return undefined;
}

/** `mcp__server__` without a wildcard, then anything. */
export const isServerGlob = (tool: string): boolean => /^mcp__[^*]+?__/.test(tool);

function specifierProblem(tool: string, specifier: string, list: keyof RuleSet): string | undefined {
  if ((isEditor(tool) || isReader(tool)) && tool !== 'Edit' && tool !== 'Read') {
    const better = isEditor(tool) ? 'Edit' : 'Read';
    return `Paths are compared with rules for Edit and Read only. Write ${better}(${specifier}) instead.`;
  }
  if ((tool === 'Edit' || tool === 'Read') && specifier.trim().startsWith('!')) {
    return 'A rule cannot take a path out of another one.';
  }
  const parameter = parameterOf(specifier);
  if (parameter !== undefined && parameter.name === primaryField(tool)) {
    return `The field ${parameter.name} cannot be compared this way. Write ${tool}(${exampleOf(tool)}) instead.`;
  }
  if (list !== 'allow') return undefined;
  if (!TAKES_SPECIFIER.has(toolName(tool))) return `An allow rule for ${tool} takes no brackets.`;
  if (tool === 'WebFetch' && !specifier.trim().startsWith('domain:')) {
    return 'An allow rule for WebFetch names a domain: WebFetch(domain:example.com).';
  }
  if (tool === 'Bash' && parameter !== undefined && BASH_PARAMETERS.has(parameter.name)) {
    return 'An allow rule cannot be about one parameter: that would say nothing of the command.';
  }
  return undefined;
}

const BASH_PARAMETERS = new Set('description run_in_background dangerouslyDisableSandbox'.split(' '));

function exampleOf(tool: string): string {
  if (isShell(tool) || tool === 'PowerShell') return 'npm test:*';
  return tool === 'WebFetch' ? 'domain:example.com' : './path';
}
