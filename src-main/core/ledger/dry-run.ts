import type { Decision, DecisionKind } from '../../../src-shared/ledger/decision.ts';
import { DRY_RUN_ROWS, type DryRun, type DryRunRow } from '../../../src-shared/ledger/view.ts';
import type { ChainVerdict } from '../permission/chain.ts';
import type { RuleSet } from '../permission/rules.ts';
import { type Machine, redecide } from './redecide.ts';

/** The rules of a folder as they are, and as they would be. */
export type RulesOf = (folder: string) => { readonly now: RuleSet; readonly drafted: RuleSet };

const MOST_CALLS = 50;

type Short = { readonly verdict: DecisionKind; readonly rules: readonly string[] };
type Both = { readonly before: Short; readonly after: Short };
type Difference = Pick<DryRunRow, 'from' | 'to' | 'headless'>;
type Row = { -readonly [K in keyof DryRunRow]: DryRunRow[K] };
export type DryRunCounts = Pick<DryRun, 'checked' | 'changed' | 'counts' | 'rows' | 'moreRows' | 'gains'>;

/**
 * Makes past decisions again, once under the rules as they are and once as they would be, and gathers where the two
 * differ. A person's answer counts as an ask: what they would have said of another call nobody knows.
 */
export class DryRunner {
  readonly #rulesOf: RulesOf;
  readonly #machine: Machine;
  readonly #rows = new Map<string, Row>();
  readonly #gains = new Map<string, number>();
  readonly #known = new Map<string, Both>();
  #checked = 0;
  #changed = 0;
  readonly #counts = { newlyAllowed: 0, wouldAsk: 0, denied: 0, deniedHeadless: 0 };

  constructor(rulesOf: RulesOf, machine: Machine) {
    this.#rulesOf = rulesOf;
    this.#machine = machine;
  }

  /** Takes decisions from the oldest to the newest, or in any other order. */
  take(decision: Decision): void {
    this.#checked++;
    const { now, drafted } = this.#rulesOf(decision.folder);
    if (now === drafted) return;
    const { before, after } = this.#both(decision, now, drafted);
    for (const text of after.rules) this.#gains.set(text, (this.#gains.get(text) ?? 0) + 1);
    for (const text of before.rules) this.#gains.set(text, (this.#gains.get(text) ?? 0) - 1);
    const { headless } = decision.situation;
    const [from, to] = [forTheCall(before.verdict, headless), forTheCall(after.verdict, headless)];
    if (from !== to) this.#differs(decision, { from, to, headless: headless && after.verdict === 'ask' });
  }

  get result(): DryRunCounts {
    const rows = [...this.#rows.values()].sort((a, b) => rank(a) - rank(b) || b.times - a.times);
    const gains = [...this.#gains].flatMap(([text, hits]) => (hits > 0 ? [{ text, hits }] : []));
    return {
      checked: this.#checked,
      changed: this.#changed,
      counts: { ...this.#counts },
      rows: rows.slice(0, DRY_RUN_ROWS).map((row) => ({ ...row, calls: newestFirst(row.calls).slice(0, MOST_CALLS) })),
      moreRows: Math.max(0, rows.length - DRY_RUN_ROWS),
      gains: gains.sort((a, b) => b.hits - a.hits).slice(0, 20),
    };
  }

  /** People and models repeat themselves: the same call under the same circumstances is looked at once. */
  #both(decision: Decision, now: RuleSet, drafted: RuleSet): Both {
    const { tool, input, original, folder, situation, sessionRules } = decision;
    const key = JSON.stringify([tool, input, original, folder, situation, sessionRules]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const decide = redecide(decision, this.#machine);
    const both = { before: shortOf(decide(now)), after: shortOf(decide(drafted)) };
    this.#known.set(key, both);
    return both;
  }

  #differs({ tool, summary, sessionId, callId, at }: Decision, { from, to, headless }: Difference): void {
    this.#changed++;
    if (to === 'allow') this.#counts.newlyAllowed++;
    else if (to === 'deny') this.#counts.denied++;
    else this.#counts.wouldAsk++;
    if (headless) this.#counts.deniedHeadless++;
    const key = JSON.stringify([tool, summary, from, to, headless]);
    const row = this.#rows.get(key) ?? { tool, summary, from, to, headless, times: 0, calls: [] };
    row.times++;
    row.calls = [...row.calls.slice(-MOST_CALLS * 2), { sessionId, callId, at }];
    this.#rows.set(key, row);
  }
}

/** Without anybody to ask, an ask is a deny for the call. */
const forTheCall = (verdict: DecisionKind, headless: boolean): DecisionKind =>
  headless && verdict === 'ask' ? 'deny' : verdict;

const shortOf = ({ verdict, trace }: ChainVerdict): Short => ({
  verdict,
  rules: trace.flatMap(({ rules }) => (rules ?? []).map(({ text }) => text)),
});

/** What allows more comes first: that is the direction in which a slip costs something. */
const rank = ({ to }: DryRunRow): number => (to === 'allow' ? 0 : to === 'ask' ? 1 : 2);

const newestFirst = (calls: DryRunRow['calls']): DryRunRow['calls'] => [...calls].sort((a, b) => b.at - a.at);
