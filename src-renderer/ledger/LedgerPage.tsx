import { useStore } from 'zustand';
import { useLayout } from '../shell/layout.ts';
import { classes } from '../widgets/classes.ts';
import { useRememberedSize } from '../widgets/remembered-size.ts';
import { SplitGroup, SplitPanel, Splitter } from '../widgets/Splitter.tsx';
import { DryRunPanel } from './DryRunPanel.tsx';
import styles from './Ledger.module.css';
import { LedgerTables } from './LedgerTables.tsx';
import { ledgerStore } from './ledger-store.ts';

/** The ledger stands where the session would: tables on the left, the draft and its dry run beside them (design picture h). */
export function LedgerPage() {
  const layout = useLayout();
  const selected = useStore(ledgerStore, (view) => view.selected);
  const hasDraft = useStore(ledgerStore, (view) => view.draft.length > 0);
  // Where there is no room for both side by side, the panel opens below while something is edited.
  const isNarrow = layout.inspector !== 'panel';
  if (isNarrow) {
    return (
      <main className={styles.page} aria-label="Permission ledger">
        <div className={styles.stacked}>
          <div className={styles.upper}>
            <LedgerTables />
          </div>
          <div className={classes(styles.lower, selected === undefined && !hasDraft && styles.closed)}>
            <DryRunPanel />
          </div>
        </div>
      </main>
    );
  }
  return (
    <main className={styles.page} aria-label="Permission ledger">
      <SplitGroup id="ledger" orientation="horizontal" className={styles.split}>
        <SplitPanel id="ledger-tables" minSize={420}>
          <LedgerTables />
        </SplitPanel>
        <Splitter name="Width of the dry run" />
        <SidePanel />
      </SplitGroup>
    </main>
  );
}

function SidePanel() {
  const size = useRememberedSize('ledger-side', 410);
  return (
    <SplitPanel id="ledger-side" minSize={320} maxSize={640} groupResizeBehavior="preserve-pixel-size" {...size}>
      <DryRunPanel />
    </SplitPanel>
  );
}
