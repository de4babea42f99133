import type { LedgerRule } from '../../src-shared/ledger/view.ts';
import type { Change } from './draft.ts';

export type RuleFilter = 'all' | 'unused' | 'shadowed' | 'broken';

const isBroken = ({ note }: LedgerRule): boolean => note?.kind === 'broken';
const isShadowed = ({ note }: LedgerRule): boolean => note?.kind === 'shadowed';
/** What has no effect was not used either, but for a reason that the table tells. */
const isUnused = (rule: LedgerRule): boolean => rule.hits === 0 && !isBroken(rule) && rule.note?.kind !== 'inert';

const PASSES: Readonly<Record<RuleFilter, (rule: LedgerRule) => boolean>> = {
  all: () => true,
  unused: isUnused,
  shadowed: isShadowed,
  broken: isBroken,
};

export const countOf = (rules: readonly LedgerRule[], filter: RuleFilter): number =>
  rules.filter(PASSES[filter]).length;

/** The rules that are looked for: all words somewhere in rule, file or note. */
export function shownRules(
  rules: readonly LedgerRule[],
  { text, filter }: { readonly text: string; readonly filter: RuleFilter },
) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return rules.filter((rule) => {
    if (!PASSES[filter](rule)) return false;
    const where = `${rule.list} ${rule.text} ${rule.scope} ${rule.file ?? ''} ${rule.note?.short ?? ''}`.toLowerCase();
    return words.every((word) => where.includes(word));
  });
}

/** `project settings.json:21`, `settings.local.json:5`, `session, 3 sessions`. */
export function fromWords({ scope, file, line, sessions }: LedgerRule): string {
  if (file === undefined)
    return `${scope === 'cli' ? 'flag' : 'session'}, ${sessions} ${sessions === 1 ? 'session' : 'sessions'}`;
  const name = file.split(/[\\/]/).at(-1) ?? file;
  const place = `${name}:${line ?? ''}`;
  return scope === 'local' ? place : `${scope} ${place}`;
}

export type RowState = 'edited' | 'removed' | undefined;

/** What the draft makes of a rule. */
export function stateOf(rule: LedgerRule, draft: readonly Change[]): RowState {
  const change = draft.find((one) => one.rule?.key === rule.key);
  if (change === undefined) return undefined;
  return change.texts.length === 0 ? 'removed' : 'edited';
}

const DAY = 86_400_000;
const startOfDay = (at: number): number => new Date(at).setHours(0, 0, 0, 0);

/** `today`, `yesterday`, `6 days ago`, `never`. */
export function lastUsedWords(at: number | undefined, now: number): string {
  if (at === undefined) return 'never';
  const days = Math.round((startOfDay(now) - startOfDay(at)) / DAY);
  if (days <= 0) return 'today';
  return days === 1 ? 'yesterday' : `${days} days ago`;
}
