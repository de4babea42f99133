import type { Node } from 'jsonc-parser';
import type { RuleNote } from '../../../src-shared/ledger/view.ts';
import { parseRule, ruleProblem, type SourcedRule } from '../permission/rules.ts';
import { readClaudeSettings, unreadableSettings } from '../settings/claude-settings.ts';
import { allowRuleEntry } from '../settings/grants.ts';
import { parseJsonc, propertiesOf, toValue } from '../settings/jsonc.ts';
import { mergeSettings } from '../settings/merge-settings.ts';
import { comesWithFolder, type LoadedSettings, SETTINGS_SCOPES, type SettingsScope } from '../settings/settings.ts';

/** A file in which rules may stand. */
export type RuleFile = {
  readonly scope: SettingsScope;
  /** Absolute. */
  readonly file: string;
  /** Undefined when it is not there, or cannot be read. */
  readonly text: string | undefined;
  /** Why it cannot be read, as the end of a sentence. */
  readonly unreadable?: string | undefined;
};

/** The files of one folder, the weakest first, and what its person has said of those that come with it. */
export type FolderRules = {
  /** Absolute. */
  readonly folder: string;
  readonly home: string;
  readonly trusted: boolean;
  readonly confirms: (key: string) => boolean;
  readonly files: readonly RuleFile[];
};

/** The settings of a folder, as a session there would have them. */
export const loadedOf = ({ folder, home, trusted, confirms, files }: FolderRules): LoadedSettings =>
  mergeSettings({
    folder,
    home,
    trusted,
    confirms,
    claude: files.map(({ scope, file, text, unreadable }) =>
      unreadable === undefined
        ? readClaudeSettings({ scope, file, text: text ?? '' })
        : unreadableSettings({ scope, file, why: unreadable }),
    ),
    gantry: [],
    findings: [],
  });

/** One entry of a list of rules, as it stands in its file. */
export type ListedRule = {
  readonly key: string;
  readonly list: RuleList;
  readonly rule: SourcedRule & { readonly scope: SettingsScope; readonly file: string; readonly line: number };
  /** Whose project or local file; undefined for those that hold everywhere. */
  readonly folder: string | undefined;
  /** Why it has no effect, or not the one that is meant. */
  readonly note: RuleNote | undefined;
};
type RuleList = 'allow' | 'ask' | 'deny';

/** In the order in which the chain looks at lists. */
export const LISTS = ['deny', 'ask', 'allow'] as const satisfies readonly RuleList[];

export const ruleKey = (
  list: RuleList,
  place: { readonly scope: string; readonly file?: string | undefined },
  text: string,
) => JSON.stringify([list, place.scope, place.file ?? '', text]);

/** All rules of all folders, each file once, in the order in which they are looked at. */
export function listRules(folders: readonly FolderRules[]): readonly ListedRule[] {
  const seen = new Set<string>();
  const all = folders.flatMap((folder) =>
    folder.files.flatMap((file) => {
      if (seen.has(file.file)) return [];
      seen.add(file.file);
      return rulesIn(file, folder, isManagedOnly(folder));
    }),
  );
  return LISTS.flatMap((list) =>
    SETTINGS_SCOPES.flatMap((scope) => all.filter((each) => each.list === list && each.rule.scope === scope)),
  );
}

const isManagedOnly = ({ files }: FolderRules): boolean =>
  files.some(
    ({ scope, file, text }) =>
      scope === 'managed' && text !== undefined && readClaudeSettings({ scope, file, text }).managedRulesOnly,
  );

function rulesIn(source: RuleFile, folder: FolderRules, isManaged: boolean): readonly ListedRule[] {
  const { root, problems, lineAt } = parseJsonc(source.text ?? '');
  const isBroken = problems.length > 0;
  const managedOnly = source.scope !== 'managed' && isManaged;
  const permissions = propertiesOf(root).filter(({ key }) => key === 'permissions');
  const own = comesWithFolder(source.scope) ? folder : undefined;
  return LISTS.flatMap((list) => {
    const lists = permissions.flatMap(({ value }) => propertiesOf(value).filter(({ key }) => key === list));
    return lists.flatMap(({ value }, at) =>
      (value?.type === 'array' ? (value.children ?? []) : []).map((entry): ListedRule => {
        const text = textOf(entry);
        const rule = { text, scope: source.scope, file: source.file, line: lineAt(entry.offset) };
        const note =
          problemOf(entry, list) ??
          (list === 'allow' && isBroken ? BROKEN_FILE : undefined) ??
          (list === 'allow' && at < lists.length - 1 ? OVERRIDDEN : undefined) ??
          (list === 'allow' && managedOnly ? MANAGED_ONLY : undefined) ??
          (list === 'allow' && own !== undefined && !own.confirms(allowRuleEntry(text, rule).key)
            ? UNTRUSTED
            : undefined);
        return { key: ruleKey(list, source, text), list, rule, folder: own?.folder, note };
      }),
    );
  });
}

const textOf = (entry: Node): string =>
  typeof entry.value === 'string' ? entry.value : (JSON.stringify(toValue(entry)) ?? 'null');

function problemOf(entry: Node, list: RuleList): RuleNote | undefined {
  const broken = (text: string): RuleNote => ({ kind: 'broken', short: 'broken, skipped', text });
  if (typeof entry.value !== 'string') return broken('A rule is a text in double quotes.');
  if (parseRule(entry.value) === undefined) {
    return broken('This is no rule. One looks like Bash(npm test:*) or Read(./src/**).');
  }
  const problem = ruleProblem(entry.value, list);
  if (problem === undefined) return undefined;
  return problem.skipped ? broken(problem.what) : { kind: 'odd', short: 'unknown tool', text: problem.what };
}

const BROKEN_FILE: RuleNote = {
  kind: 'broken',
  short: 'file is broken',
  text: 'The file is broken. Until it is mended its allow rules have no effect.',
};
const OVERRIDDEN: RuleNote = {
  kind: 'broken',
  short: 'list stands twice',
  text: 'The list stands a second time in the file, and only the last one counts.',
};
const MANAGED_ONLY: RuleNote = {
  kind: 'inert',
  short: 'no effect: managed',
  text: 'An administrator’s settings allow no other allow rules.',
};
const UNTRUSTED: RuleNote = {
  kind: 'inert',
  short: 'no effect: not trusted',
  text: 'It came with the folder and has no effect until you trust it.',
};
