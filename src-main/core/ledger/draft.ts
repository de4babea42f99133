import type { EditableScope, RuleEdit } from '../../../src-shared/ledger/edit.ts';
import type { FilePreview } from '../../../src-shared/ledger/view.ts';
import { ruleProblem } from '../permission/rules.ts';
import { readClaudeSettings } from '../settings/claude-settings.ts';
import { withRuleChange } from '../settings/edit-rules.ts';
import { allowRuleEntry } from '../settings/grants.ts';
import { comesWithFolder } from '../settings/settings.ts';
import type { RulesOf } from './dry-run.ts';
import { type FolderRules, loadedOf } from './rule-book.ts';

/** A settings file with its changes. */
export type DraftFile = FilePreview & {
  readonly folder: string;
  /** Texts of the new allow rules. */
  readonly allowed: readonly string[];
};

export type Draft = {
  readonly files: readonly DraftFile[];
  /** Edits that cannot be made, by their place in the list. */
  readonly problems: readonly { readonly edit: number; readonly message: string }[];
};

/** The settings files as the edits would leave them, each made after the other. */
export function draftOf(edits: readonly RuleEdit[], rulesOf: (folder: string) => FolderRules): Draft {
  const files = new Map<string, DraftFile>();
  const problems: { edit: number; message: string }[] = [];
  for (const [at, edit] of edits.entries()) {
    const wrong = (message: string): void => void problems.push({ edit: at, message });
    const found = fileOf(rulesOf(edit.folder), edit.scope);
    if (found === undefined || found.unreadable !== undefined) {
      wrong(
        found === undefined ? 'There is no such settings file.' : `${found.file} cannot be read: ${found.unreadable}.`,
      );
      continue;
    }
    const broken = edit.after.flatMap((text) => {
      const problem = ruleProblem(text, edit.list);
      return problem?.skipped === true ? [`${text}: ${problem.what}`] : [];
    });
    for (const message of broken) wrong(message);
    if (broken.length > 0) continue;
    const { file, text: before = '' } = found;
    const now = files.get(file) ?? { file, scope: edit.scope, folder: edit.folder, before, after: before, allowed: [] };
    const changed = withRuleChange(now.after, edit);
    if (!changed.ok) {
      wrong(`${file}:${changed.error.line}: ${changed.error.what}.`);
      continue;
    }
    const allowed = edit.list === 'allow' ? [...now.allowed, ...edit.after] : now.allowed;
    files.set(file, { ...now, after: changed.value, allowed });
  }
  return { files: [...files.values()].filter(({ before, after }) => before !== after), problems };
}

/** A whole file with this text in the place of what stands there. */
export function draftOfText(
  { scope, folder, text }: { readonly scope: EditableScope; readonly folder: string; readonly text: string },
  rulesOf: (folder: string) => FolderRules,
): Draft {
  const found = fileOf(rulesOf(folder), scope);
  if (found === undefined) return { files: [], problems: [{ edit: 0, message: 'There is no such settings file.' }] };
  const { file, text: before = '' } = found;
  const allowed = readClaudeSettings({ scope, file, text }).allow.map((rule) => rule.text);
  return { files: [{ file, scope, folder, before, after: text, allowed }], problems: [] };
}

/** In the home folder the project's file is the user's. */
const fileOf = ({ files }: FolderRules, scope: EditableScope) =>
  files.find((file) => file.scope === scope) ?? files.find((file) => file.scope === 'user');

/**
 * The rules of each folder, as they are and with the draft. New allow rules of its own files count as confirmed, since its
 * person writes them. The same object twice where the draft changes nothing.
 */
export function rulesUnder(draft: Draft, rulesOf: (folder: string) => FolderRules): RulesOf {
  const known = new Map<string, ReturnType<RulesOf>>();
  const texts = new Map(draft.files.map((file) => [file.file, file]));
  return (folder) => {
    const found = known.get(folder) ?? bothOf(rulesOf(folder), texts);
    known.set(folder, found);
    return found;
  };
}

function bothOf(folder: FolderRules, drafts: ReadonlyMap<string, DraftFile>): ReturnType<RulesOf> {
  const now = loadedOf(folder).rules;
  if (!folder.files.some(({ file }) => drafts.has(file))) return { now, drafted: now };
  const own = folder.files.flatMap(({ file, scope }) =>
    comesWithFolder(scope) ? (drafts.get(file)?.allowed ?? []) : [],
  );
  const confirmed = new Set(own.map((text) => allowRuleEntry(text, { file: '', line: 1 }).key));
  const drafted = loadedOf({
    ...folder,
    confirms: (key) => confirmed.has(key) || folder.confirms(key),
    files: folder.files.map((file) => ({ ...file, text: drafts.get(file.file)?.after ?? file.text })),
  });
  return { now, drafted: drafted.rules };
}
