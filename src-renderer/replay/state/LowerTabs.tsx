import { type ReactNode, useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { useAsks } from '../../permissions/use-asks.ts';
import { RegionBoundary } from '../../shell/RegionBoundary.tsx';
import { useOpenSession } from '../../state/use-session.ts';
import { Tabs } from '../../widgets/Tabs.tsx';
import {
  bringConversationForward,
  chooseLower,
  type LowerTab,
  leaveForward,
  lowerStore,
  shownLower,
} from './lower-store.ts';
import { StateAndRules } from './StateAndRules.tsx';

/** What stands below the chart: the conversation with the questions over it, or what is true now and under other rules. */
export function LowerTabs({ conversation }: { readonly conversation: ReactNode }) {
  const shown = useStore(lowerStore, shownLower);
  const asks = useAsks(useOpenSession()).length;
  useForwardForQuestions(asks);
  return (
    <Tabs<LowerTab>
      name="Below the chart"
      value={shown}
      onChange={chooseLower}
      items={[
        { id: 'conversation', label: 'Conversation', count: asks || undefined, content: conversation },
        { id: 'state', label: 'State and other rules', content: <State /> },
      ]}
    />
  );
}

const State = () => (
  <RegionBoundary name="state">
    <StateAndRules />
  </RegionBoundary>
);

/** One question more than before: there is something to answer. */
function useForwardForQuestions(asks: number): void {
  const before = useRef(0);
  useEffect(() => {
    if (asks > before.current) bringConversationForward();
    else if (asks === 0 && before.current > 0) leaveForward();
    before.current = asks;
  }, [asks]);
}
