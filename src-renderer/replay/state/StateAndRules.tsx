import { useOpenSession } from '../../state/use-session.ts';
import { RulesTable } from '../../what-if/RulesTable.tsx';
import styles from './State.module.css';
import { StateTable } from './StateTable.tsx';

/** The queue as it stands, and the turn under other rules: side by side where there is room. */
export function StateAndRules() {
  const open = useOpenSession();
  if (open === undefined) return null;
  return (
    <div className={styles.room}>
      <div className={styles.columns}>
        <StateTable state={open.state} version={open.version} />
        <div className={styles.rules}>
          <RulesTable />
        </div>
      </div>
    </div>
  );
}
