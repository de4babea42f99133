import type { Decision } from '../../../src-shared/ledger/decision.ts';
import type { LedgerRule, RuleNote } from '../../../src-shared/ledger/view.ts';
import { CallFacts } from '../permission/call-facts.ts';
import { Ground } from '../permission/ground.ts';
import { concernOf, coverOf } from '../permission/matching.ts';
import type { SourcedRule } from '../permission/rules.ts';
import type { Machine } from './redecide.ts';

type Unused = {
  readonly row: LedgerRule;
  readonly rule: SourcedRule;
  meant: number;
  /** Calls that no rule decided: then nothing shadows it. */
  open: boolean;
  readonly deciding: Map<string, number>;
};

/**
 * What became of the past calls that rules without hits mean: if rules that are still there decided all of them, such a
 * rule is shadowed, whatever can be told from the texts. Takes one decision after the other, so that others get a turn.
 */
export class UnusedRules {
  readonly #unused: readonly Unused[];
  /** Texts of the rules that are there. */
  readonly #present: ReadonlySet<string>;
  readonly #machine: Machine;
  readonly #seen = new Set<string>();

  constructor(rows: readonly LedgerRule[], machine: Machine) {
    this.#unused = rows
      .filter(({ hits, note, scope }) => hits === 0 && note === undefined && scope !== 'session')
      .map((row) => ({ row, rule: sourced(row), meant: 0, open: false, deciding: new Map() }));
    this.#present = new Set(rows.map(({ text }) => text));
    this.#machine = machine;
  }

  get isEmpty(): boolean {
    return this.#unused.length === 0;
  }

  take(decision: Decision): void {
    const { tool, input, folder, rules, situation } = decision;
    const texts = rules.map(({ text }) => text);
    const key = JSON.stringify([tool, input, folder, situation.cwd, texts]);
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    const { cwd, directories } = situation;
    const root = directories[0] ?? cwd;
    const ground = new Ground({ ...this.#machine, cwd, directories, startedIn: root, projectRoot: root });
    const facts = new CallFacts({ tool, input }, ground);
    for (const unused of this.#unused) {
      if (unused.open || (unused.row.folder !== undefined && unused.row.folder !== folder)) continue;
      if (!isMeant(unused, facts)) continue;
      unused.meant++;
      unused.open = texts.length === 0 || !texts.every((text) => this.#present.has(text));
      for (const text of texts) unused.deciding.set(text, (unused.deciding.get(text) ?? 0) + 1);
    }
  }

  /** By the keys of the rules. */
  get notes(): ReadonlyMap<string, RuleNote> {
    return new Map(
      this.#unused.flatMap((unused) => {
        const note = noteOf(unused);
        return note === undefined ? [] : [[unused.row.key, note] as const];
      }),
    );
  }
}

const sourced = ({ text, scope, file }: LedgerRule): SourcedRule => ({
  text,
  scope,
  ...(file === undefined ? {} : { file }),
});

const isMeant = ({ row, rule }: Unused, facts: CallFacts): boolean =>
  row.list === 'allow' ? coverOf([rule], facts) !== undefined : concernOf(rule, facts) === 'yes';

function noteOf({ meant, open, deciding }: Unused): RuleNote | undefined {
  const [first] = [...deciding].sort((a, b) => b[1] - a[1]);
  if (open || meant === 0 || first === undefined) return undefined;
  const calls = meant === 1 ? 'The one call that it means was' : `All ${meant} calls that it means were`;
  return {
    kind: 'shadowed',
    short: `shadowed by ${first[0]}`,
    text: `${calls} decided by other rules: ${[...deciding.keys()].slice(0, 3).join(', ')}.`,
  };
}
