import { findNodeAtLocation, type Node } from 'jsonc-parser';
import { z } from 'zod';
import { PermissionMode } from '../../../src-shared/permission/event.ts';
import { parseRule, type SourcedRule } from '../permission/rules.ts';
import { type JsonText, type Property, parseJsonc, propertiesOf, toValue } from './jsonc.ts';
import { problemOf, Report, Text } from './report.ts';
import type { ClaudeSettings, Placed, SettingsScope } from './settings.ts';
import { counted, shownText } from './words.ts';

type Source = { readonly scope: SettingsScope; readonly file: string };

/**
 * One settings file. Every entry is looked at for itself: a broken one is skipped and reported. Of a file that is not
 * well-formed only deny and ask rules are kept, as far as they can be read. Never throws.
 */
export function readClaudeSettings(source: Source & { readonly text: string }): ClaudeSettings {
  const json = parseJsonc(source.text);
  const report = new Report(source.file);
  const read = readTree(source, json, report);
  const settings = { ...read, json: json.value, lineOf: placeFinder(json), findings: report.findings };
  const [problem] = json.problems;
  return problem === undefined ? settings : withoutGrants(settings, problem, report);
}

/** A file that is there and cannot be read at all. */
export function unreadableSettings(source: Source & { readonly why: string }): ClaudeSettings {
  const report = new Report(source.file);
  report.add('settings-unreadable', 0, `The file cannot be read: ${source.why}. Nothing in it has an effect.`);
  return { ...emptySettings(source), broken: true, findings: report.findings };
}

export const emptySettings = ({ scope, file }: Source): ClaudeSettings => ({
  scope,
  file,
  broken: false,
  allow: [],
  ask: [],
  deny: [],
  directories: [],
  defaultMode: undefined,
  forbidsBypass: false,
  managedRulesOnly: false,
  variables: [],
  json: undefined,
  lineOf: () => 1,
  findings: [],
});

/**
 * While a file is broken, what it denied and asked for before still holds: somebody who edits it, or something that
 * damages it, lifts no rule by it.
 */
export function heldOver(now: ClaudeSettings, before: ClaudeSettings | undefined): ClaudeSettings {
  if (!now.broken || before === undefined) return now;
  const added = (rules: readonly SourcedRule[], old: readonly SourcedRule[]): readonly SourcedRule[] => {
    const texts = new Set(rules.map(({ text }) => text));
    return [...rules, ...old.filter(({ text }) => !texts.has(text))];
  };
  return {
    ...now,
    deny: added(now.deny, before.deny),
    ask: added(now.ask, before.ask),
    forbidsBypass: now.forbidsBypass || before.forbidsBypass,
    managedRulesOnly: now.managedRulesOnly || before.managedRulesOnly,
  };
}

type Read = Omit<ClaudeSettings, 'json' | 'lineOf' | 'findings'>;

function readTree(source: Source, json: JsonText, report: Report): Read {
  const { root, lineAt } = json;
  const read = { ...emptySettings(source), broken: json.problems.length > 0 };
  if (root === undefined) return read;
  const line = ({ offset }: Node): number => lineAt(offset);
  if (root.type !== 'object') {
    report.add('settings-entry', line(root), 'Settings have to be an object in braces. Nothing here has an effect.');
    return read;
  }
  const top = propertiesOf(root);
  reportTwice(top, '', report, line);
  const permissions = permissionsIn(top, report, line);
  const rules = (name: RuleList): readonly SourcedRule[] => readRules(source, permissions, name, report, line);
  return {
    ...read,
    deny: rules('deny'),
    ask: rules('ask'),
    allow: rules('allow'),
    directories: readDirectories(permissions, report, line),
    defaultMode: readMode(permissions, report, line),
    forbidsBypass: permissions.some(({ key, value }) => key === FORBID_BYPASS && value?.value === 'disable'),
    managedRulesOnly: top.some(({ key, value }) => key === 'allowManagedPermissionRulesOnly' && value?.value === true),
    variables: readVariables(top, report, line),
  };
}

const FORBID_BYPASS = 'disableBypassPermissionsMode';
/** The rest of what Claude Code knows under `permissions`: nothing of Gantry's, and no slip of the pen. */
const PERMISSION_KEYS: ReadonlySet<string> = new Set([
  'allow',
  'ask',
  'deny',
  'additionalDirectories',
  'defaultMode',
  FORBID_BYPASS,
  'disableAutoMode',
  'skipDangerousModePermissionPrompt',
]);

type LineOf = (node: Node) => number;

/** The properties of every `permissions` there is: a second one must not hide the deny rules of the first. */
function permissionsIn(top: readonly Property[], report: Report, line: LineOf): readonly Property[] {
  const objects = top.filter(({ key }) => key === 'permissions');
  return objects.flatMap(({ node, value }) => {
    if (value?.type !== 'object') {
      report.add('settings-entry', line(node), 'permissions has to be an object. It is skipped.');
      return [];
    }
    const properties = propertiesOf(value);
    reportTwice(properties, 'permissions.', report, line);
    for (const property of properties) {
      if (PERMISSION_KEYS.has(property.key)) continue;
      report.add(
        'settings-unknown-key',
        line(property.node),
        `There is no permissions.${shownText(property.key)}. It has no effect.`,
      );
    }
    return properties;
  });
}

function reportTwice(properties: readonly Property[], before: string, report: Report, line: LineOf): void {
  const seen = new Set<string>();
  for (const { key, node } of properties) {
    if (seen.has(key)) {
      report.add(
        'settings-twice',
        line(node),
        `${before}${shownText(key)} stands here a second time. Deny and ask rules of both count, otherwise the last.`,
      );
    }
    seen.add(key);
  }
}

type RuleList = 'allow' | 'ask' | 'deny';

function readRules(
  source: Source,
  permissions: readonly Property[],
  name: RuleList,
  report: Report,
  line: LineOf,
): readonly SourcedRule[] {
  const all = permissions.filter(({ key }) => key === name);
  // JSON's habit is that the last of two counts, and for what allows it is kept.
  const lists = name === 'allow' ? all.slice(-1) : all;
  return lists.flatMap((list) =>
    entriesOf(list, `permissions.${name}`, report, line).flatMap(({ value: entry, where, at }) => {
      const rule = RuleText.safeParse(entry);
      if (rule.success) return [{ text: rule.data, scope: source.scope, file: source.file, line: at }];
      report.add('settings-entry', at, `${where} is no rule: ${problemOf(rule.error)}. It is skipped.`);
      return [];
    }),
  );
}

const RuleText = Text.refine((text) => parseRule(text) !== undefined, {
  error: ({ input }) => `${shownText(String(input))} is not written like Tool or Tool(specifier)`,
});

type Entry = { readonly value: unknown; readonly where: string; readonly at: number };

/** The entries of a list, or nothing and a finding. */
function entriesOf({ node, value }: Property, name: string, report: Report, line: LineOf): readonly Entry[] {
  if (value?.type !== 'array') {
    report.add('settings-entry', line(node), `${name} has to be a list. It is skipped.`);
    return [];
  }
  return (value.children ?? []).map((child, index) => ({
    value: toValue(child),
    where: `${name}[${index}]`,
    at: line(child),
  }));
}

function readDirectories(permissions: readonly Property[], report: Report, line: LineOf): readonly Placed<string>[] {
  const list = permissions.findLast(({ key }) => key === 'additionalDirectories');
  if (list === undefined) return [];
  return entriesOf(list, 'permissions.additionalDirectories', report, line).flatMap(({ value, where, at }) => {
    const path = PathText.safeParse(value);
    if (path.success) return [{ value: path.data, line: at }];
    report.add('settings-entry', at, `${where} is no folder: ${problemOf(path.error)}. It is skipped.`);
    return [];
  });
}

const PathText = Text.refine((path) => !path.includes('\0'), 'it holds a NUL character');

function readMode(permissions: readonly Property[], report: Report, line: LineOf): Placed<PermissionMode> | undefined {
  const property = permissions.findLast(({ key }) => key === 'defaultMode');
  if (property === undefined) return undefined;
  const mode = PermissionMode.safeParse(property.value?.value);
  if (mode.success) return { value: mode.data, line: line(property.node) };
  report.add(
    'settings-entry',
    line(property.node),
    `permissions.defaultMode has to be one of ${PermissionMode.options.join(', ')}. It is skipped.`,
  );
  return undefined;
}

/** Numbers and truth values are what people write for `PORT` and `CI`. */
const VariableText = z
  .union([z.string(), z.number(), z.boolean()], 'a text, number or truth value is expected')
  .transform(String)
  .refine((text) => !text.includes('\0'), 'it holds a NUL character');

function readVariables(top: readonly Property[], report: Report, line: LineOf): ClaudeSettings['variables'] {
  const env = top.findLast(({ key }) => key === 'env');
  if (env === undefined) return [];
  if (env.value?.type !== 'object') {
    report.add('settings-entry', line(env.node), 'env has to be an object. It is skipped.');
    return [];
  }
  return propertiesOf(env.value).flatMap(({ key: name, node, value }) => {
    const text = VariableText.safeParse(value === undefined ? undefined : toValue(value));
    const problem = nameProblem(name) ?? (text.success ? undefined : problemOf(text.error));
    if (problem === undefined && text.success) return [{ value: { name, value: text.data }, line: line(node) }];
    report.add('settings-entry', line(node), `env.${shownText(name)} is not set: ${problem}.`);
    return [];
  });
}

function nameProblem(name: string): string | undefined {
  if (!/^[A-Za-z_]\w*$/.test(name)) return 'a variable has a name of letters, digits and _';
  return name.toUpperCase().startsWith('GANTRY_') ? 'variables of this name are Gantry’s own' : undefined;
}

/** What a file that is not well-formed may still say: no and ask. */
function withoutGrants(
  settings: ClaudeSettings,
  problem: { readonly line: number; readonly what: string },
  report: Report,
): ClaudeSettings {
  const { allow, ask, deny } = settings;
  const kept = ask.length + deny.length;
  // Before its entries, so that the cause stands above what follows from it.
  report.findings.unshift({
    file: settings.file,
    line: problem.line,
    kind: 'settings-broken',
    message: [
      `The file is broken: ${problem.what}.`,
      `Until it is mended its ${allow.length === 0 ? '' : `${allow.length} `}allow rules, folders, mode, variables and hooks have no effect.`,
      `Its deny and ask rules count as far as they can be read (${counted(kept, 'rule')}).`,
    ].join(' '),
  });
  return { ...settings, allow: [], directories: [], defaultMode: undefined, variables: [], findings: report.findings };
}

/** Finds the line of `hooks.PreToolUse[0].hooks[1]`, as `core/hooks` names places, or of the last part that is there. */
function placeFinder({ root, lineAt }: JsonText): (path: string) => number {
  return (path) => {
    const segments = [...path.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([name, index]) =>
      index === undefined ? name : Number(index),
    );
    let line = 1;
    for (let length = 1; root !== undefined && length <= segments.length; length++) {
      const node = findNodeAtLocation(root, segments.slice(0, length));
      if (node === undefined) break;
      line = lineAt((node.parent?.type === 'property' ? node.parent : node).offset);
    }
    return line;
  };
}
