import { BookCheck, Copy, Search, TriangleAlert, X } from 'lucide-react';
import { useStore } from 'zustand';
import type { DecisionKind } from '../../src-shared/ledger/decision.ts';
import type { LedgerOverview } from '../../src-shared/ledger/view.ts';
import { formatCount, formatMillis } from '../../src-shared/timeline/words.ts';
import { copyText } from '../commands/actions.ts';
import { counted } from '../state/format.ts';
import { Button } from '../widgets/Button.tsx';
import { EmptyState } from '../widgets/EmptyState.tsx';
import { IconButton } from '../widgets/IconButton.tsx';
import { Choice } from './Choice.tsx';
import { DecisionTable } from './DecisionTable.tsx';
import styles from './Ledger.module.css';
import { ledgerStore, look } from './ledger-store.ts';
import { RuleTable } from './RuleTable.tsx';
import { countOf, type RuleFilter } from './selectors.ts';

/** The numbers, the filters and one of the two tables. */
export function LedgerTables() {
  const { overview, problem, tab } = useStore(ledgerStore);
  if (problem !== undefined) {
    return <EmptyState icon={TriangleAlert} title={problem.message} hint={problem.hint} />;
  }
  if (overview === undefined) return <EmptyState icon={BookCheck} title="Reading the decisions of all sessions." />;
  return (
    <div className={styles.tables}>
      <Numbers overview={overview} />
      <Filters overview={overview} />
      {tab === 'rules' ? <RuleTable overview={overview} /> : <DecisionTable />}
    </div>
  );
}

function Numbers({ overview }: { readonly overview: LedgerOverview }) {
  const { decisions, sessions, unasked, byPerson, waitedMs, denied, unread, rules } = overview;
  return (
    <header className={styles.numbers}>
      <NumberOf
        count={decisions}
        words={`${decisions === 1 ? 'decision' : 'decisions'} in ${counted(sessions, 'session')}`}
      />
      <NumberOf count={unasked} words="by a rule, a mode or read-only" />
      <NumberOf
        count={byPerson}
        words={waitedMs === undefined ? 'by you' : `by you, ${formatMillis(waitedMs)} on average`}
      />
      <NumberOf count={denied} words="denied" />
      <span className={styles.space} />
      {unread > 0 ? <span className={styles.reading}>{counted(unread, 'session')} to read</span> : null}
      <Button
        icon={Copy}
        onClick={() => void copyText(JSON.stringify(rules, undefined, 2))}
        title="Copy the rules as JSON"
      >
        Copy
      </Button>
    </header>
  );
}

const NumberOf = ({ count, words }: { readonly count: number; readonly words: string }) => (
  <p className={styles.number}>
    <strong>{formatCount(count)}</strong>
    <span>{words}</span>
  </p>
);

const FILTERS: readonly { readonly value: RuleFilter; readonly label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'unused', label: 'Never used' },
  { value: 'shadowed', label: 'Shadowed' },
  { value: 'broken', label: 'Broken' },
];

const KINDS: readonly { readonly value: DecisionKind | 'all'; readonly label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'allow', label: 'Allowed' },
  { value: 'ask', label: 'Asked' },
  { value: 'deny', label: 'Denied' },
];

function Filters({ overview }: { readonly overview: LedgerOverview }) {
  const { tab, text, filter, kind, ofRule } = useStore(ledgerStore);
  return (
    <div className={styles.filters}>
      <div className={styles.search}>
        <Search aria-hidden="true" size={15} strokeWidth={1.75} />
        <input
          type="text"
          data-ledger-search
          placeholder={tab === 'rules' ? 'Filter rules' : 'Filter decisions'}
          aria-label={tab === 'rules' ? 'Filter rules' : 'Filter decisions'}
          value={text}
          spellCheck={false}
          onChange={(event) => look({ text: event.target.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || text === '') return;
            event.preventDefault();
            look({ text: '' });
          }}
        />
        {text === '' ? null : (
          <IconButton icon={X} name="Clear the filter" iconSize={14} onClick={() => look({ text: '' })} />
        )}
      </div>
      {tab === 'rules' ? (
        <Choice
          name="Which rules"
          value={filter}
          options={FILTERS.map((one) => ({ ...one, count: countOf(overview.rules, one.value) }))}
          onChange={(value) => look({ filter: value })}
        />
      ) : (
        <Choice name="Which decisions" value={kind} options={KINDS} onChange={(value) => look({ kind: value })} />
      )}
      {tab === 'decisions' && ofRule !== undefined ? (
        <Button icon={X} onClick={() => look({ ofRule: undefined })} title="Show decisions of all rules">
          {ofRule.text}
        </Button>
      ) : null}
      <span className={styles.space} />
      <Choice
        name="Table"
        value={tab}
        options={[
          { value: 'rules', label: 'Rules' },
          { value: 'decisions', label: 'Decisions' },
        ]}
        onChange={(value) => look({ tab: value })}
      />
    </div>
  );
}
