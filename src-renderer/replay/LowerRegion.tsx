import { type ReactNode, useState } from 'react';
import { isReadOnly } from '../state/activity.ts';
import { useOpenSession, useWholeSession } from '../state/use-session.ts';
import { RulesTable } from '../what-if/RulesTable.tsx';
import { Tabs } from '../widgets/Tabs.tsx';
import { PastQuestions } from './PastQuestions.tsx';
import { useIsPast } from './past.ts';
import styles from './Replay.module.css';
import { StateTable } from './StateTable.tsx';

type LowerTab = 'conversation' | 'state';

/**
 * What stands below the chart. Of a session that can only be looked at, and while a live one's past is shown: the
 * conversation, or what was true at the playhead beside what other rules would have come to. Else the conversation alone.
 */
export function LowerRegion({ children }: { readonly children: ReactNode }) {
  const whole = useWholeSession();
  const past = useIsPast();
  const [tab, setTab] = useState<LowerTab>('conversation');
  if (whole === undefined || !(isReadOnly(whole.state) || past)) return children;
  return (
    <>
      <PastQuestions />
      <Tabs<LowerTab>
        name="Below the chart"
        value={tab}
        onChange={setTab}
        items={[
          { id: 'conversation', label: 'Conversation', content: children },
          { id: 'state', label: 'State and other rules', content: <StateAndRules /> },
        ]}
      />
    </>
  );
}

function StateAndRules() {
  const open = useOpenSession();
  if (open === undefined) return null;
  return (
    <div className={styles.lower}>
      <div className={styles.columns}>
        <StateTable state={open.state} version={open.version} />
        <RulesTable />
      </div>
    </div>
  );
}
