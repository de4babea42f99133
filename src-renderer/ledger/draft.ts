import type { EditableScope, RuleEdit, RuleList } from '../../src-shared/ledger/edit.ts';
import type { LedgerRule } from '../../src-shared/ledger/view.ts';

/** Where a rule is written, and into which list. */
export type RulePlace = { readonly list: RuleList; readonly scope: EditableScope; readonly folder: string };

/** One change that a person has made and not saved. */
export type Change = {
  /** The rule that is changed; undefined for new ones. */
  readonly rule: LedgerRule | undefined;
  readonly place: RulePlace;
  /** What stands there afterwards: nothing, one rule, or several. */
  readonly texts: readonly string[];
};

/** Texts as they are typed: one rule a line, blanks and doubles aside. */
export const textsIn = (typed: string): readonly string[] => [
  ...new Set(
    typed
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
];

/** Adds a change; a rule that is changed again is changed from what stands in its file. One that changes nothing goes. */
export function withChange(draft: readonly Change[], change: Change): readonly Change[] {
  const others = change.rule === undefined ? draft : draft.filter((one) => one.rule?.key !== change.rule?.key);
  return isNothing(change) ? others : [...others, change];
}

function isNothing({ rule, place, texts }: Change): boolean {
  if (rule === undefined) return texts.length === 0;
  return rule.list === place.list && rule.editable === place.scope && texts.length === 1 && texts[0] === rule.text;
}

/** Settings for everybody have no folder; any will do. */
const folderOf = (rule: LedgerRule, place: RulePlace): string => rule.folder ?? place.folder;

/** What main is asked to make of the files. A rule that moves is taken out here and put in there. */
export function editsOf(draft: readonly Change[]): readonly RuleEdit[] {
  return draft.flatMap(({ rule, place, texts }): readonly RuleEdit[] => {
    const after = [...texts];
    const { list, scope, folder } = place;
    if (rule?.editable === undefined) return [{ scope, folder, list, after }];
    const own = { scope: rule.editable, folder: folderOf(rule, place), list: rule.list, before: rule.text };
    const stays = rule.list === list && rule.editable === scope && (scope === 'user' || own.folder === folder);
    if (stays) return [{ ...own, after }];
    return [{ ...own, after: [] }, ...(after.length === 0 ? [] : [{ scope, folder, list, after }])];
  });
}
