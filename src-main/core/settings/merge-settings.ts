import { join, resolve } from 'node:path';
import type { Finding } from '../../../src-shared/session/summary.ts';
import { collectHooks } from '../hooks/settings.ts';
import type { RuleSet } from '../permission/rules.ts';
import {
  type ClaudeSettings,
  comesWithFolder,
  type GantrySettings,
  type InertEntry,
  type LoadedSettings,
  SETTINGS_SCOPES,
  type SessionDefaults,
} from './settings.ts';

export type SettingsFilesRead = {
  /** The session's folder, absolute. */
  readonly folder: string;
  /** The person's home folder, for `~`. */
  readonly home: string;
  readonly trusted: boolean;
  readonly claude: readonly ClaudeSettings[];
  readonly gantry: readonly GantrySettings[];
  /** What was found beside the files themselves. */
  readonly findings: readonly Finding[];
};

/**
 * All files together (reference, section 7): lists add up, of single values the strongest file's counts. What grants
 * something and comes with the folder is inert until the folder is trusted; deny and ask rules of all files count.
 */
export function mergeSettings(read: SettingsFilesRead): LoadedSettings {
  const claude = [...read.claude].sort((a, b) => SETTINGS_SCOPES.indexOf(a.scope) - SETTINGS_SCOPES.indexOf(b.scope));
  const managedRulesOnly = claude.some((file) => file.scope === 'managed' && file.managedRulesOnly);
  const inert: InertEntry[] = [];
  const granting = claude.filter((file) => read.trusted || !comesWithFolder(file.scope));
  for (const file of claude) if (!granting.includes(file)) inert.push(...grantsOf(file));

  const rules = mergeRules(claude, granting, managedRulesOnly, inert);
  const hooks = collectHooks({
    files: claude.flatMap(({ scope, file, json, broken }) => (broken ? [] : [{ scope, file, settings: json }])),
    trusted: read.trusted,
  });
  const lineOf = (file: string, path: string): number => claude.find((each) => each.file === file)?.lineOf(path) ?? 1;
  for (const { hook, why } of hooks.leftOut) {
    if (why !== 'folder-not-trusted') continue;
    const text = `${hook.event}: ${[hook.command, ...(hook.args ?? [])].join(' ')}`;
    inert.push({ kind: 'hook', text, file: hook.file, line: lineOf(hook.file, hook.path), why });
  }
  const hookFindings = hooks.findings.map(({ file, path, what }) => ({
    file,
    line: lineOf(file, path),
    kind: 'hook-entry',
    message: `${path}: ${what}`,
  }));
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
    ...gantryValues(read, inert),
    inert,
    findings: [
      ...read.findings,
      ...claude.flatMap(({ findings }) => findings),
      ...read.gantry.flatMap(({ findings }) => findings),
      ...hookFindings,
    ],
  };
}

/** What a file would grant, if it were trusted. */
function grantsOf({ file, allow, directories, defaultMode, variables }: ClaudeSettings): readonly InertEntry[] {
  const entry = (kind: InertEntry['kind'], text: string, line: number): InertEntry => ({
    kind,
    text,
    file,
    line,
    why: 'folder-not-trusted',
  });
  return [
    ...allow.map(({ text, line }) => entry('allow rule', text, line ?? 1)),
    ...directories.map(({ value, line }) => entry('folder', value, line)),
    ...(defaultMode === undefined ? [] : [entry('mode', defaultMode.value, defaultMode.line)]),
    ...variables.map(({ value, line }) => entry('variable', value.name, line)),
  ];
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
      inert.push({ kind: 'allow rule', text, file, line: line ?? 1, why: 'managed-rules-only' });
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
      inert.push({ kind: 'mode', text: value, file, line, why: 'bypass-from-folder' });
    } else {
      mode = { mode: value, scope, file, line };
    }
  }
  return mode;
}

/** The project's values before the user's. Which calls may run beside others is left to folders that are trusted. */
function gantryValues(read: SettingsFilesRead, inert: InertEntry[]): Pick<LoadedSettings, 'defaults' | 'treatAsSafe'> {
  const files = [...read.gantry].sort((a, b) => Number(a.scope === 'project') - Number(b.scope === 'project'));
  const limits = files.flatMap(({ values }) => Object.entries(values.maxResultChars ?? {}));
  const treatAsSafe = files.flatMap(({ scope, file, treatAsSafe: rules }) => {
    if (read.trusted || scope === 'user') return rules.map(({ value }) => value);
    for (const { value, line } of rules) {
      inert.push({ kind: 'scheduling rule', text: value, file, line, why: 'folder-not-trusted' });
    }
    return [];
  });
  let defaults: SessionDefaults = {};
  for (const { values } of files) defaults = { ...defaults, ...values };
  return {
    defaults: { ...defaults, ...(limits.length === 0 ? {} : { maxResultChars: Object.fromEntries(limits) }) },
    treatAsSafe,
  };
}
