import { ShieldCheck, TriangleAlert } from 'lucide-react';
import { useStore } from 'zustand';
import statusStyles from '../shell/StatusBar.module.css';
import { counted } from '../state/format.ts';
import styles from './Ledger.module.css';
import { ledgerStore } from './ledger-store.ts';
import { countOf } from './selectors.ts';

/** The bottom line while the ledger is shown: how many rules there are, and what was checked. */
export function LedgerStatus() {
  const { overview, dryRun } = useStore(ledgerStore);
  if (overview === undefined) return <span className={statusStyles.item}>Reading the decisions of all sessions.</span>;
  const { rules, files, unread } = overview;
  const broken = countOf(rules, 'broken');
  return (
    <>
      <span className={statusStyles.item}>
        <ShieldCheck aria-hidden="true" size={14} strokeWidth={1.75} />
        {counted(rules.length, 'rule')} in {counted(files, 'file')}
      </span>
      {broken === 0 ? null : (
        <span className={styles.broken}>
          <TriangleAlert aria-hidden="true" size={14} strokeWidth={1.75} />
          {broken} broken
        </span>
      )}
      {unread === 0 ? null : <span className={statusStyles.item}>{counted(unread, 'session')} to read</span>}
      <span className={statusStyles.gap} />
      {dryRun === undefined ? null : (
        <span className={statusStyles.item}>
          checked {counted(dryRun.checked, 'call')} in {Math.max(1, Math.round(dryRun.ms))} ms
        </span>
      )}
    </>
  );
}
