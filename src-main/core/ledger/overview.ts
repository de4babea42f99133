import type { Decision } from '../../../src-shared/ledger/decision.ts';
import type { LedgerOverview, LedgerRule, RuleNote } from '../../../src-shared/ledger/view.ts';
import type { Instant } from '../../../src-shared/units.ts';
import { isBroad } from '../permission/broad-rules.ts';
import { LISTS, type ListedRule, ruleKey } from './rule-book.ts';
import { alwaysDecidesBefore } from './subsume.ts';

type Hits = { hits: number; readonly sessions: Set<string>; lastUsed: Instant };

/** Which rules decided how often, by `ruleKey`. A rule of the session is one rule in all sessions. */
export function hitsOf(decisions: readonly Decision[]): ReadonlyMap<string, Hits> {
  const all = new Map<string, Hits>();
  for (const { rules, sessionId, at } of decisions) {
    for (const { list, text, scope, file } of rules) {
      const key = ruleKey(list, { scope, file }, text);
      const known = all.get(key);
      if (known === undefined) {
        all.set(key, { hits: 1, sessions: new Set([sessionId]), lastUsed: at });
        continue;
      }
      known.hits++;
      known.sessions.add(sessionId);
      if (at > known.lastUsed) known.lastUsed = at;
    }
  }
  return all;
}

/** Rules with their hits and what is wrong with them: those of files, and behind them those of sessions. */
export function ledgerRules(
  listed: readonly ListedRule[],
  decisions: readonly Decision[],
  home: string,
): readonly LedgerRule[] {
  const hits = hitsOf(decisions);
  const seen = new Set<string>();
  const rows = listed.map((each): LedgerRule => {
    const isTwice = seen.has(each.key);
    seen.add(each.key);
    const { hits: count = 0, sessions, lastUsed } = isTwice ? NO_HITS : (hits.get(each.key) ?? NO_HITS);
    const { scope, file, line, text } = each.rule;
    const note = each.note ?? (isTwice ? TWICE : shadowIn(listed, each, home));
    return {
      key: isTwice ? `${each.key} ${line}` : each.key,
      list: each.list,
      text,
      scope,
      file,
      line,
      hits: count,
      sessions: sessions?.size ?? 0,
      ...(each.folder === undefined ? {} : { folder: each.folder }),
      ...(lastUsed === undefined ? {} : { lastUsed }),
      ...(note === undefined ? {} : { note }),
      ...(scope === 'managed' ? {} : { editable: scope }),
    };
  });
  return [...rows, ...rulesOfSessions(decisions, hits)];
}

const NO_HITS = { hits: 0, sessions: undefined, lastUsed: undefined };
const TWICE: RuleNote = {
  kind: 'shadowed',
  short: 'stands twice',
  text: 'The same rule stands before it in the list.',
};

/** Another rule that is looked at before, and means all that this one does. */
function shadowIn(listed: readonly ListedRule[], late: ListedRule, home: string): RuleNote | undefined {
  for (const early of listed) {
    // Lists come in the order in which they are looked at; from here on nothing comes before it.
    if (early === late) return undefined;
    if (early.note?.kind === 'broken' || early.note?.kind === 'inert') continue;
    if (early.folder !== undefined && early.folder !== late.folder) continue;
    if (alwaysDecidesBefore(early, late, { folder: late.folder, home })) return shadowedBy(early, late);
  }
  return undefined;
}

function shadowedBy({ list, rule }: ListedRule, late: ListedRule): RuleNote {
  const but = list === 'allow' && isBroad(rule.text) && !isBroad(late.rule.text) ? ', but in mode auto' : '';
  const place = rule.file === late.rule.file ? `line ${rule.line}` : `${rule.scope} line ${rule.line}`;
  if (list === late.list) {
    return {
      kind: 'shadowed',
      short: `shadowed by ${place}`,
      text: `${rule.text} decides whenever it could${but} (${rule.file}:${rule.line}).`,
    };
  }
  const does = list === 'deny' ? 'denies' : 'asks';
  return {
    kind: 'shadowed',
    short: `dead: ${place} ${does}`,
    text: `${rule.text} ${does} before it has a say (${rule.file}:${rule.line}).`,
  };
}

function rulesOfSessions(decisions: readonly Decision[], hits: ReadonlyMap<string, Hits>): readonly LedgerRule[] {
  const rows = new Map<string, LedgerRule>();
  for (const { rules } of decisions) {
    for (const { list, text, scope } of rules) {
      const key = ruleKey(list, { scope }, text);
      const found = scope === 'session' || scope === 'cli' ? hits.get(key) : undefined;
      if (found === undefined || rows.has(key)) continue;
      const { hits: count, sessions, lastUsed } = found;
      rows.set(key, { key, list, text, scope, hits: count, sessions: sessions.size, lastUsed });
    }
  }
  const order = [...rows.values()];
  return LISTS.flatMap((list) => order.filter((rule) => rule.list === list));
}

type Counts = Pick<LedgerOverview, 'sessions' | 'decisions' | 'unasked' | 'byPerson' | 'denied' | 'waitedMs'>;

/** The numbers above the table. `denied` counts whoever denied. */
export function countDecisions(decisions: readonly Decision[]): Counts {
  const sessions = new Set<string>();
  let unasked = 0;
  let byPerson = 0;
  let denied = 0;
  let waited = 0;
  let waits = 0;
  for (const { sessionId, kind, by, verdict, waitedMs } of decisions) {
    sessions.add(sessionId);
    if (kind === 'allow') unasked++;
    if (by === 'user' || by === 'new-rule') byPerson++;
    if (verdict === 'deny') denied++;
    if (waitedMs !== undefined) {
      waited += waitedMs;
      waits++;
    }
  }
  return {
    sessions: sessions.size,
    decisions: decisions.length,
    unasked,
    byPerson,
    denied,
    ...(waits === 0 ? {} : { waitedMs: waited / waits }),
  };
}
