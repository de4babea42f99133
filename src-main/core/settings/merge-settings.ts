import { join, resolve } from 'node:path';
import type { Finding } from '../../../src-shared/session/summary.ts';
import { type CollectedHooks, collectHooks } from '../hooks/settings.ts';
import { chooseServers, type McpSettings, mcpChoices } from '../mcp/choose.ts';
import { type McpFile, NO_MCP_FILE } from '../mcp/definitions.ts';
import type { RuleSet } from '../permission/rules.ts';
import {
  allowRuleEntry,
  confirmedPart,
  grantsOf,
  hookEntry,
  hookKey,
  hookSwitchEntry,
  hookSwitchOf,
  modeEntry,
  schedulingRuleEntry,
} from './grants.ts';
import {
  type ClaudeSettings,
  comesWithFolder,
  type FolderEntry,
  type GantrySettings,
  type InertEntry,
  type LoadedSettings,
  type ModelDefaults,
  SETTINGS_SCOPES,
  type SessionDefaults,
} from './settings.ts';

export type SettingsFilesRead = {
  /** The session's folder, absolute. */
  readonly folder: string;
  /** The person's home folder, for `~`. */
  readonly home: string;
  /** Whether the person has trusted the folder at all. */
  readonly trusted: boolean;
  /** Which entries they have confirmed, by key (`grants.ts`). All of a trusted folder where it is left out. */
  readonly confirms?: (key: string) => boolean;
  readonly claude: readonly ClaudeSettings[];
  readonly gantry: readonly GantrySettings[];
  /** The folder's `.mcp.json`; none when left out. */
  readonly mcp?: McpFile;
  /** What was found beside the files themselves. */
  readonly findings: readonly Finding[];
};

/**
 * All files together (reference, section 7): lists add up, of single values the strongest file's counts. What grants
 * something and comes with the folder is inert until a person has confirmed it; deny and ask rules of all files count.
 */
export function mergeSettings(read: SettingsFilesRead): LoadedSettings {
  const claude = [...read.claude].sort((a, b) => SETTINGS_SCOPES.indexOf(a.scope) - SETTINGS_SCOPES.indexOf(b.scope));
  const managedRulesOnly = claude.some((file) => file.scope === 'managed' && file.managedRulesOnly);
  const confirms = read.confirms ?? (() => read.trusted);
  const inert: InertEntry[] = [];
  const granted: FolderEntry[] = [];
  const sort = (entry: FolderEntry): void => {
    if (confirms(entry.key)) granted.push(entry);
    else inert.push({ ...entry, why: 'folder-not-trusted' });
  };
  const granting = claude.map((file) => {
    if (!comesWithFolder(file.scope)) return file;
    grantsOf(file).forEach(sort);
    return confirmedPart(file, confirms);
  });

  const rules = mergeRules(claude, granting, managedRulesOnly, inert);
  const { hooks, findings } = hooksOfFiles(claude, confirms, sort);
  const { mcp, findings: mcpFindings } = mcpOf(read, (entry) => {
    sort(entry);
    return confirms(entry.key);
  });
  return {
    folder: read.folder,
    trusted: read.trusted,
    rules,
    directories: directoriesOf(granting, read),
    mode: modeOf(granting, inert),
    forbidsBypass: claude.some((file) => file.forbidsBypass),
    managedRulesOnly,
    env: Object.fromEntries(
      granting.flatMap(({ variables }) => variables.map(({ value }) => [value.name, value.value])),
    ),
    hooks,
    mcp,
    ...gantryValues(read, confirms, sort),
    ...modelDefaults(read.gantry),
    inert,
    granted,
    findings: [
      ...read.findings,
      ...claude.flatMap(({ findings }) => findings),
      ...read.gantry.flatMap(({ findings }) => findings),
      ...findings,
      ...mcpFindings,
    ],
  };
}

/** The hooks of all files. Those that come with the folder go to the list of what is, or is not, confirmed. */
function hooksOfFiles(
  claude: readonly ClaudeSettings[],
  confirms: (key: string) => boolean,
  sort: (entry: FolderEntry) => void,
): { readonly hooks: CollectedHooks; readonly findings: readonly Finding[] } {
  const hooks = collectHooks({
    files: claude.flatMap(({ scope, file, json, broken }) => (broken ? [] : [{ scope, file, settings: json }])),
    trusted: {
      hook: (hook) => confirms(hookKey(hook)),
      switches: ({ settings, file }) => {
        const value = hookSwitchOf(settings);
        return value === undefined || confirms(hookSwitchEntry(value, { file, line: 1 }).key);
      },
    },
  });
  const lineOf = (file: string, path: string): number => claude.find((each) => each.file === file)?.lineOf(path) ?? 1;
  for (const hook of [...hooks.hooks, ...hooks.leftOut.map((left) => left.hook)]) {
    if (comesWithFolder(hook.scope)) sort(hookEntry(hook, lineOf(hook.file, hook.path)));
  }
  return {
    hooks,
    findings: hooks.findings.map(({ file, path, what }) => ({
      file,
      line: lineOf(file, path),
      kind: 'hook-entry',
      message: `${path}: ${what}`,
    })),
  };
}

function mergeRules(
  all: readonly ClaudeSettings[],
  granting: readonly ClaudeSettings[],
  managedRulesOnly: boolean,
  inert: InertEntry[],
): RuleSet {
  const allowing = managedRulesOnly ? granting.filter(({ scope }) => scope === 'managed') : granting;
  for (const { allow, file } of granting.filter((each) => !allowing.includes(each))) {
    for (const { text, line } of allow) {
      inert.push({ ...allowRuleEntry(text, { file, line: line ?? 1 }), why: 'managed-rules-only' });
    }
  }
  return {
    deny: all.flatMap(({ deny }) => deny),
    ask: all.flatMap(({ ask }) => ask),
    allow: allowing.flatMap(({ allow }) => allow),
  };
}

function directoriesOf(granting: readonly ClaudeSettings[], read: SettingsFilesRead): readonly string[] {
  const absolute = (path: string): string =>
    path === '~' || path.startsWith('~/') ? join(read.home, path.slice(1)) : resolve(read.folder, path);
  const all = granting.flatMap(({ directories }) => directories.map(({ value }) => absolute(value)));
  return [...new Set(all)].filter((path) => path !== read.folder);
}

/** The strongest file's mode. That a folder's own file switches all questions off is not even for a trusted one. */
function modeOf(granting: readonly ClaudeSettings[], inert: InertEntry[]): LoadedSettings['mode'] {
  let mode: LoadedSettings['mode'];
  for (const { scope, file, defaultMode } of granting) {
    if (defaultMode === undefined) continue;
    const { value, line } = defaultMode;
    if (value === 'bypassPermissions' && comesWithFolder(scope)) {
      inert.push({ ...modeEntry(value, { file, line }), why: 'bypass-from-folder' });
    } else {
      mode = { mode: value, scope, file, line };
    }
  }
  return mode;
}

function modelDefaults(files: readonly GantrySettings[]): ModelDefaults {
  const own = files.filter(({ scope }) => scope === 'user');
  return {
    model: Object.assign({}, ...own.map(({ model }) => model)),
    titles: own.find(({ titles }) => titles !== undefined)?.titles,
    classifier: Object.assign({}, ...own.map(({ classifier }) => classifier)),
    advisor: Object.assign({}, ...own.map(({ advisor }) => advisor)),
    allowPrivate: own.flatMap(({ allowPrivate }) => allowPrivate),
    redact: {
      patterns: own.flatMap(({ redact }) => redact.patterns),
      broken: own.reduce((sum, { redact }) => sum + redact.broken, 0),
    },
    notifications: own.find(({ notifications }) => notifications !== undefined)?.notifications,
    otherPrograms: own.find(({ otherPrograms }) => otherPrograms !== undefined)?.otherPrograms,
    library: Object.assign({}, ...own.map(({ library }) => library)),
    vault: Object.assign({}, ...own.map(({ vault }) => vault)),
  };
}

/** The project's values before the user's. Which calls may run beside others is left to folders that are trusted. */
function gantryValues(
  read: SettingsFilesRead,
  confirms: (key: string) => boolean,
  sort: (entry: FolderEntry) => void,
): Pick<LoadedSettings, 'defaults' | 'treatAsSafe'> {
  const files = [...read.gantry].sort((a, b) => Number(a.scope === 'project') - Number(b.scope === 'project'));
  const limits = files.flatMap(({ values }) => Object.entries(values.maxResultChars ?? {}));
  const treatAsSafe = files.flatMap(({ scope, file, treatAsSafe: rules }) => {
    if (scope === 'user') return rules.map(({ value }) => value);
    const entries = rules.map(({ value, line }) => schedulingRuleEntry(value, { file, line }));
    entries.forEach(sort);
    return entries.filter(({ key }) => confirms(key)).map(({ text }) => text);
  });
  let defaults: SessionDefaults = {};
  for (const { values } of files) defaults = { ...defaults, ...values };
  return {
    defaults: { ...defaults, ...(limits.length === 0 ? {} : { maxResultChars: Object.fromEntries(limits) }) },
    treatAsSafe,
  };
}

/** The servers of all files, the folder's own settings before its `.mcp.json`. */
function mcpOf(
  { claude, gantry, mcp = NO_MCP_FILE }: SettingsFilesRead,
  isConfirmed: (entry: FolderEntry) => boolean,
): { readonly mcp: McpSettings; readonly findings: readonly Finding[] } {
  const of = (scope: GantrySettings['scope']) => gantry.filter((file) => file.scope === scope);
  const chosen = chooseServers({
    own: of('user').flatMap(({ mcpServers }) => mcpServers),
    project: [...of('project').flatMap(({ mcpServers }) => mcpServers), ...mcp.servers],
    choices: mcpChoices(claude),
    isConfirmed,
  });
  const defer = [...of('project'), ...of('user')].find(({ mcpDefer }) => mcpDefer !== undefined)?.mcpDefer ?? 'auto';
  const { servers, untrusted, findings } = chosen;
  return { mcp: { servers, untrusted, defer }, findings: [...mcp.findings, ...findings] };
}
