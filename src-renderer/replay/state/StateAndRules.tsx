import { useStore } from 'zustand';
import { useOpenSession } from '../../state/use-session.ts';
import { RulesTable } from '../../what-if/RulesTable.tsx';
import { whatIfStore } from '../../what-if/what-if-store.ts';
import { classes } from '../../widgets/classes.ts';
import styles from './State.module.css';
import { StateTable } from './StateTable.tsx';

/** The queue as it stands, and the turn under other rules: side by side where there is room. */
export function StateAndRules() {
  const open = useOpenSession();
  // While a turn runs there is nothing to compare but a line that says so, and the table of the queue needs the room.
  const isEmpty = useStore(whatIfStore, ({ phase }) => phase === 'none');
  if (open === undefined) return null;
  return (
    <div className={styles.room}>
      <div className={classes(styles.columns, isEmpty && styles.one)}>
        <StateTable state={open.state} version={open.version} />
        <div className={styles.rules}>
          <RulesTable />
        </div>
      </div>
    </div>
  );
}
