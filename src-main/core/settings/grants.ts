import { createHash } from 'node:crypto';
import type { CommandHook } from '../hooks/settings.ts';
import type { ClaudeSettings, FolderEntry } from './settings.ts';

/**
 * What a person confirms when they trust a folder: every entry by what it says, not by where it stands. One that is
 * moved is still the same; one that says something else is another, and waits to be confirmed.
 */
export function grantKey(kind: FolderEntry['kind'], content: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify([kind, content]))
    .digest('base64url');
}

type Place = { readonly file: string; readonly line: number };

const entry = (kind: FolderEntry['kind'], text: string, { file, line }: Place): FolderEntry => ({
  kind,
  text,
  full: text,
  file,
  line,
  key: grantKey(kind, text),
});

export const allowRuleEntry = (text: string, place: Place): FolderEntry => entry('allow rule', text, place);
export const folderEntry = (path: string, place: Place): FolderEntry => entry('folder', path, place);
export const modeEntry = (mode: string, place: Place): FolderEntry => entry('mode', mode, place);
export const schedulingRuleEntry = (text: string, place: Place): FolderEntry => entry('scheduling rule', text, place);

/** The value is part of what is confirmed and shown in full, but in no journal: it may be a secret. */
export const variableEntry = (
  variable: { readonly name: string; readonly value: string },
  place: Place,
): FolderEntry => ({
  ...entry('variable', variable.name, place),
  full: `${variable.name}=${variable.value}`,
  key: grantKey('variable', [variable.name, variable.value]),
});

/** `disableAllHooks` of a folder's file has a say in whether the person's own hooks run. */
export const hookSwitchEntry = (value: boolean, place: Place): FolderEntry => ({
  ...entry('hook switch', `disableAllHooks ${value}`, place),
  full: value ? 'disableAllHooks true: no hooks run, your own neither' : 'disableAllHooks false: hooks run',
  key: grantKey('hook switch', value),
});

export function hookEntry(hook: CommandHook, line: number): FolderEntry {
  const command = [hook.command, ...(hook.args ?? [])].join(' ');
  const manner = [
    hook.matcher === undefined || hook.matcher === '' ? '' : ` for ${hook.matcher}`,
    hook.condition === undefined ? '' : ` if ${hook.condition}`,
    hook.shell === 'bash' ? '' : ` in ${hook.shell}`,
    hook.mode === 'wait' ? '' : ' in the background',
  ].join('');
  return {
    kind: 'hook',
    text: `${hook.event}: ${command}`,
    full: `${hook.event}${manner}: ${command}`,
    file: hook.file,
    line,
    key: hookKey(hook),
  };
}

/** Everything of a hook but the place where it stands. */
export function hookKey(hook: CommandHook): string {
  const { event, matcher, command, args, shell, condition, timeoutMs, mode, statusMessage } = hook;
  // Absent and `undefined` are the same in JSON lists: null.
  return grantKey('hook', [event, matcher, command, args, shell, condition, timeoutMs, mode, statusMessage]);
}

/** What a file of a folder would grant beside its hooks. Of mode bypassPermissions nothing is granted, whoever trusts it. */
export function grantsOf(settings: ClaudeSettings): readonly FolderEntry[] {
  const { file, allow, directories, defaultMode, variables } = settings;
  const at = (line: number | undefined): Place => ({ file, line: line ?? 1 });
  const isGrant = defaultMode !== undefined && defaultMode.value !== 'bypassPermissions';
  const hookSwitch = settings.broken ? undefined : hookSwitchOf(settings.json);
  return [
    ...allow.map(({ text, line }) => allowRuleEntry(text, at(line))),
    ...directories.map(({ value, line }) => folderEntry(value, at(line))),
    ...(isGrant ? [modeEntry(defaultMode.value, at(defaultMode.line))] : []),
    ...variables.map(({ value, line }) => variableEntry(value, at(line))),
    ...(hookSwitch === undefined ? [] : [hookSwitchEntry(hookSwitch, at(settings.lineOf(SWITCH)))]),
  ];
}

const SWITCH = 'disableAllHooks';

/** `disableAllHooks` of a file's JSON, where it has one. */
export function hookSwitchOf(json: unknown): boolean | undefined {
  if (typeof json !== 'object' || json === null || !Object.hasOwn(json, SWITCH)) return undefined;
  const value = (json as Readonly<Record<string, unknown>>)[SWITCH];
  return typeof value === 'boolean' ? value : undefined;
}

/** The same file with only those of its grants that are confirmed. */
export function confirmedPart(settings: ClaudeSettings, confirms: (key: string) => boolean): ClaudeSettings {
  const at: Place = { file: settings.file, line: 1 };
  const { defaultMode } = settings;
  const mode = defaultMode?.value;
  return {
    ...settings,
    allow: settings.allow.filter(({ text }) => confirms(allowRuleEntry(text, at).key)),
    directories: settings.directories.filter(({ value }) => confirms(folderEntry(value, at).key)),
    defaultMode:
      mode === undefined || mode === 'bypassPermissions' || confirms(modeEntry(mode, at).key) ? defaultMode : undefined,
    variables: settings.variables.filter(({ value }) => confirms(variableEntry(value, at).key)),
  };
}
