import { useCallback } from 'react';
import { useStore } from 'zustand';
import type { LedgerDecision } from '../../src-shared/ledger/view.ts';
import { formatCount } from '../../src-shared/timeline/words.ts';
import { whenWords } from '../state/format.ts';
import { Button } from '../widgets/Button.tsx';
import { EmptyState } from '../widgets/EmptyState.tsx';
import { ledgerStore, loadDecisions, look, openDecision } from './ledger-store.ts';
import { EffectPill } from './RuleTable.tsx';
import { Cell, VirtualTable } from './VirtualTable.tsx';

const COLUMNS = '76px minmax(180px, 2.4fr) minmax(110px, 1.4fr) minmax(110px, 1.2fr) 104px';
const HEADS = [{ label: 'Chain' }, { label: 'Call' }, { label: 'Decided by' }, { label: 'Session' }, { label: 'When' }];

export function DecisionTable() {
  const { decisions, overview } = useStore(ledgerStore);
  const { rows, total, loading } = decisions;
  const more = useCallback((): void => {
    const now = ledgerStore.getState().decisions;
    if (!now.loading && now.rows.length < now.total) void loadDecisions(true);
  }, []);
  if (rows.length === 0) {
    if (loading) return <EmptyState title="Looking for decisions." />;
    const all = overview?.decisions ?? 0;
    if (all === 0) {
      return (
        <EmptyState
          title="No decisions yet."
          hint="Every call of every session is written down here as it is decided."
        />
      );
    }
    return (
      <EmptyState
        title={`0 of ${formatCount(all)} decisions match.`}
        action={<Button onClick={() => look({ text: '', kind: 'all', ofRule: undefined })}>Clear filters</Button>}
      />
    );
  }
  const now = Date.now();
  return (
    <VirtualTable
      name={`Decisions, ${formatCount(total)}`}
      columns={COLUMNS}
      heads={HEADS}
      count={rows.length}
      keyOf={(at) => `${rows[at]?.sessionId} ${rows[at]?.callId} ${at}`}
      onEnd={more}
      onOpen={(at) => {
        const row = rows[at];
        if (row !== undefined) void openDecision(row.sessionId, row.callId);
      }}
      row={(at) => {
        const row = rows[at];
        return row === undefined ? null : <DecisionRow row={row} now={now} />;
      }}
    />
  );
}

function DecisionRow({ row, now }: { readonly row: LedgerDecision; readonly now: number }) {
  const call = `${row.tool} ${row.summary}`;
  return (
    <>
      <Cell>
        <EffectPill list={row.kind} />
      </Cell>
      <Cell code title={call}>
        {call}
      </Cell>
      <Cell title={row.rules.join(', ')}>{decidedWords(row)}</Cell>
      <Cell title={row.folder}>{row.title}</Cell>
      <Cell>{whenWords(row.at, now)}</Cell>
    </>
  );
}

const BY: Readonly<Partial<Record<LedgerDecision['by'], string>>> = {
  rule: 'a rule',
  mode: 'the mode',
  hook: 'a hook',
  tool: 'only reads, or the tool',
  classifier: 'a classifier',
  'new-rule': 'a new rule',
  'no-user': 'nobody to ask',
  closed: 'the window closed',
  cancelled: 'stopped',
};

function decidedWords({ by, verdict, rules }: LedgerDecision): string {
  if (by === 'user') return verdict === 'allow' ? 'you allowed it' : 'you denied it';
  if (by === 'rule' && rules.length > 0) return rules.join(', ');
  return BY[by] ?? by;
}
