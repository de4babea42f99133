import { useEffect } from 'react';
import type { SessionState } from '../../src-shared/session/state.ts';
import { SessionScript } from '../../src-shared/timeline/session-script.ts';
import type { GalleryPage } from '../gallery/page.ts';
import { sessionStore } from '../state/session-store.ts';
import { resetView } from '../state/view-store.ts';
import { bigSession } from '../timeline/samples/big.ts';
import { cascadesSession, orderOnlySession } from '../timeline/samples/oddities.ts';
import { Timeline } from '../timeline/Timeline.tsx';
import { RulesTable } from './RulesTable.tsx';
import { WhatIfStrip } from './WhatIfStrip.tsx';
import { whatIfStore } from './what-if-store.ts';

/** The stores hold one session: the last state that is shown stays. */
function With({ make, children }: { readonly make: () => SessionState; readonly children: React.ReactNode }) {
  useEffect(() => {
    resetView();
    const state = make();
    sessionStore.setState(
      { phase: 'open', sessionId: 'made-up' as never, state, events: [], version: 1, receivedAt: performance.now() },
      true,
    );
    whatIfStore.setState({ isOpen: true });
    return () => sessionStore.setState({ phase: 'none' }, true);
  }, [make]);
  return children;
}

const cascades = (): SessionState => cascadesSession().state();
const untimed = (): SessionState => orderOnlySession().state();
const running = (): SessionState => new SessionScript().turn('turn-1', 0).state();
const big = (): SessionState => {
  const state = bigSession(10_000);
  state.turns.push({ turnId: 'turn' as never, agentId: 'main' as never, from: 0 as never, end: undefined });
  return state;
};

const page = (title: string, make: () => SessionState, height: number): GalleryPage[number] => ({
  title,
  height,
  show: () => (
    <With make={make}>
      <div style={{ display: 'flex', flexDirection: 'column', height: '100%' }}>
        <div style={{ flex: 1, minHeight: 0 }}>
          <Timeline />
        </div>
        <WhatIfStrip />
        <RulesTable />
      </div>
    </With>
  ),
});

export const gallery: GalleryPage = [
  page('A turn that still runs', running, 360),
  page('A file without times', untimed, 360),
  page('10,000 calls', big, 860),
  page('Cascades under other rules', cascades, 860),
];
