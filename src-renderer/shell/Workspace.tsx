import { type ReactNode, type RefObject, useEffect } from 'react';
import { type PanelImperativeHandle, usePanelRef } from 'react-resizable-panels';
import { useStore } from 'zustand';
import { tokens } from '../../src-shared/theme/tokens.ts';
import { Conversation } from '../conversation/Conversation.tsx';
import { PausedBar } from '../debugger/PausedBar.tsx';
import { Inspector } from '../inspector/Inspector.tsx';
import { LedgerPage } from '../ledger/LedgerPage.tsx';
import { LibraryPage } from '../library/LibraryPage.tsx';
import { PermissionBoard } from '../permissions/PermissionBoard.tsx';
import { useAsks, useIsCovered } from '../permissions/use-asks.ts';
import { PastQuestions } from '../replay/PastQuestions.tsx';
import { ReplayBar } from '../replay/ReplayBar.tsx';
import { LowerTabs } from '../replay/state/LowerTabs.tsx';
import { StateAndRules } from '../replay/state/StateAndRules.tsx';
import { Sidebar } from '../sessions/Sidebar.tsx';
import { SidebarRail } from '../sessions/SidebarRail.tsx';
import { StartPage } from '../start/StartPage.tsx';
import { type SessionView, sessionStore } from '../state/session-store.ts';
import { useOpenSession } from '../state/use-session.ts';
import { type Region, viewStore } from '../state/view-store.ts';
import { Timeline } from '../timeline/Timeline.tsx';
import { WhatIfStrip } from '../what-if/WhatIfStrip.tsx';
import { classes } from '../widgets/classes.ts';
import { useRememberedSize } from '../widgets/remembered-size.ts';
import { SplitGroup, SplitPanel, Splitter } from '../widgets/Splitter.tsx';
import { Tabs } from '../widgets/Tabs.tsx';
import { useFoldedPanels } from './folded-panels.ts';
import { useLayout } from './layout.ts';
import { RegionBoundary } from './RegionBoundary.tsx';
import { FailedSession, LoadingSession } from './SessionStates.tsx';
import { Toolbar } from './Toolbar.tsx';
import styles from './Workspace.module.css';

const { sidebar, inspector, timelineMin } = tokens.size;

/** Everything between title and status bar: the three regions, where the window's size puts them (design 2 and 3). */
export function Workspace() {
  const layout = useLayout();
  useFoldedPanels(layout);
  const isLibrary = useStore(viewStore, (view) => view.page === 'library');
  // It has a list and a preview of its own, and needs the whole width.
  if (isLibrary) {
    return (
      <RegionBoundary name="list of all sessions">
        <LibraryPage />
      </RegionBoundary>
    );
  }
  if (layout.sidebar === 'tab') return <OneRegion />;
  return (
    <div className={styles.workspace}>
      {layout.sidebar === 'rail' ? <Rail /> : null}
      <Regions hasSidebar={layout.sidebar === 'panel'} hasInspector={layout.inspector === 'panel'} />
      {layout.inspector === 'overlay' ? <InspectorOverlay /> : null}
    </div>
  );
}

const closeSidebar = (): void => viewStore.setState({ sidebarOpen: false });
const openSidebar = (): void => viewStore.setState({ sidebarOpen: true });

function Rail() {
  const isOpen = useStore(viewStore, (view) => view.sidebarOpen);
  return (
    <>
      <SidebarRail onExpand={openSidebar} />
      {isOpen ? (
        <Overlay side="left" onClose={closeSidebar}>
          <Sidebar onOpened={closeSidebar} />
        </Overlay>
      ) : null}
    </>
  );
}

function InspectorOverlay() {
  const { inspectorOpen: isOpen, inspectorWide, page } = useStore(viewStore);
  const isSession = useOpenSession() !== undefined && page === 'session';
  if (!isOpen || !isSession) return null;
  return (
    <Overlay side="right" wide={inspectorWide} onClose={() => viewStore.setState({ inspectorOpen: false })}>
      <InspectorRegion />
    </Overlay>
  );
}

type OverlayProps = {
  readonly side: 'left' | 'right';
  readonly wide?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/** A region that lies over the others, from one side. A click beside it closes it; Esc does too. */
function Overlay({ side, wide = false, onClose, children }: OverlayProps) {
  return (
    <>
      {/* The keyboard closes it with Esc or the shortcut that opened it. */}
      <div className={styles.beside} data-testid="beside-overlay" onPointerDown={onClose} aria-hidden="true" />
      <div className={classes(side === 'left' ? styles.fromLeft : styles.fromRight, wide && styles.wide)}>
        {children}
      </div>
    </>
  );
}

type RegionsProps = { readonly hasSidebar: boolean; readonly hasInspector: boolean };

function Regions({ hasSidebar, hasInspector }: RegionsProps) {
  const { sidebarOpen, inspectorOpen, inspectorWide, page } = useStore(viewStore);
  const isSession = useOpenSession() !== undefined && page === 'session';
  const showsInspector = hasInspector && inspectorOpen && isSession;
  return (
    <SplitGroup id="regions" orientation="horizontal" className={styles.regions}>
      {hasSidebar && sidebarOpen ? (
        <>
          <SidebarPanel />
          <Splitter name="Width of the sessions" />
        </>
      ) : null}
      <SplitPanel id="session" minSize={timelineMin}>
        <Center />
      </SplitPanel>
      {showsInspector ? (
        <>
          <Splitter name="Width of the inspector" />
          {inspectorWide ? <WideInspectorPanel /> : <InspectorPanel />}
        </>
      ) : null}
    </SplitGroup>
  );
}

function SidebarPanel() {
  const { min, normal, max } = sidebar;
  const size = useRememberedSize('sidebar', normal);
  return (
    <SplitPanel id="sidebar" minSize={min} maxSize={max} groupResizeBehavior="preserve-pixel-size" {...size}>
      <Sidebar />
    </SplitPanel>
  );
}

function InspectorPanel() {
  const { min, normal, max } = inspector;
  const size = useRememberedSize('inspector', normal);
  return (
    <SplitPanel id="inspector" minSize={min} maxSize={max} groupResizeBehavior="preserve-pixel-size" {...size}>
      <InspectorRegion />
    </SplitPanel>
  );
}

/** Whole outputs beside what the model saw of them (design picture f). */
const WideInspectorPanel = () => (
  <SplitPanel id="inspector-wide" defaultSize="56%" minSize={inspector.max} maxSize="75%">
    <InspectorRegion />
  </SplitPanel>
);

const InspectorRegion = () => (
  <aside className={styles.inspector} aria-label="Inspector">
    <RegionBoundary name="inspector">
      <Inspector />
    </RegionBoundary>
  </aside>
);

/** The session in the middle, or what stands there while none is. */
function Center() {
  const view = useStore(sessionStore);
  const page = useStore(viewStore, (shown) => shown.page);
  const layout = useLayout();
  if (page === 'ledger') {
    return (
      <RegionBoundary name="permission ledger">
        <LedgerPage />
      </RegionBoundary>
    );
  }
  switch (view.phase) {
    case 'none':
      return <StartPage />;
    case 'loading':
      return <LoadingSession view={view} />;
    case 'failed':
      return <FailedSession view={view} />;
    case 'open':
      return (
        <main className={styles.center} aria-label="Session">
          <Toolbar />
          <ReplayBar />
          {layout.conversation === 'split' ? <Stacked /> : <Tabbed />}
        </main>
      );
  }
}

const TimelineRegion = () => (
  <RegionBoundary name="timeline">
    <div className={styles.charts}>
      <div className={styles.chart}>
        <Timeline />
      </div>
      <WhatIfStrip />
    </div>
  </RegionBoundary>
);

/** The conversation, under the questions that wait for an answer. They never cover the chart. */
const ConversationRegion = () => (
  <div className={styles.lower}>
    <RegionBoundary name="conversation">
      <Conversation />
    </RegionBoundary>
    <RegionBoundary name="permission board">
      <PermissionBoard />
    </RegionBoundary>
  </div>
);

/** What has to be seen wherever one is below the chart: calls at a breakpoint, and the questions of the playhead's moment. */
const Bars = () => (
  <>
    <PausedBar />
    <PastQuestions />
  </>
);

const LowerRegion = () => (
  <div className={styles.lower}>
    <Bars />
    <LowerTabs conversation={<ConversationRegion />} />
  </div>
);

/** The same where each of its parts is a tab of its own. */
const ConversationTab = () => (
  <div className={styles.lower}>
    <Bars />
    <ConversationRegion />
  </div>
);
const StateTab = () => (
  <div className={styles.lower}>
    <Bars />
    <RegionBoundary name="state">
      <StateAndRules />
    </RegionBoundary>
  </div>
);

/** Share of the height the board and the tabs above it need to be read without scrolling, in percent (design picture d). */
const BOARD_SHARE = 60;

/** Gives the board room when the first question comes, and takes it back after the last, unless somebody dragged it. */
function useRoomForBoard(panel: RefObject<PanelImperativeHandle | null>): void {
  const covers = useIsCovered(useOpenSession());
  useEffect(() => {
    const before = panel.current?.getSize().asPercentage;
    if (!covers || before === undefined || before >= BOARD_SHARE) return;
    panel.current?.resize(`${BOARD_SHARE}%`);
    const given = panel.current?.getSize().asPercentage;
    return () => {
      if (panel.current?.getSize().asPercentage === given) panel.current?.resize(`${before}%`);
    };
  }, [panel, covers]);
}

function Stacked() {
  const conversation = usePanelRef();
  useRoomForBoard(conversation);
  return (
    <SplitGroup id="stack" orientation="vertical" className={styles.stack}>
      <SplitPanel id="timeline" defaultSize="60%" minSize={160}>
        <TimelineRegion />
      </SplitPanel>
      <Splitter name="Height of the timeline" />
      <SplitPanel id="conversation" minSize={120} panelRef={conversation}>
        <LowerRegion />
      </SplitPanel>
    </SplitGroup>
  );
}

const showRegion = (region: Region): void => viewStore.setState({ region });

function Tabbed() {
  const region = useStore(viewStore, (view) => view.region);
  const asks = useAsks(useOpenSession()).length;
  return (
    <Tabs<Region>
      name="Parts of the session"
      value={region === 'conversation' || region === 'state' ? region : 'timeline'}
      onChange={showRegion}
      items={[
        { id: 'timeline', label: 'Timeline', content: <TimelineRegion /> },
        { id: 'conversation', label: 'Conversation', count: asks || undefined, content: <ConversationTab /> },
        { id: 'state', label: 'State and other rules', content: <StateTab /> },
      ]}
    />
  );
}

const centerName = (phase: SessionView['phase'], isLedger: boolean): string =>
  isLedger ? 'Ledger' : phase === 'none' ? 'Start' : 'Session';

/** Below 720 px: one region at a time. */
function OneRegion() {
  const region = useStore(viewStore, (view) => view.region);
  const phase = useStore(sessionStore, (view) => view.phase);
  const isLedger = useStore(viewStore, (view) => view.page === 'ledger');
  const asks = useAsks(useOpenSession()).length;
  const showSession = (): void => showRegion('timeline');
  const sessions = { id: 'sessions', label: 'Sessions', content: <Sidebar onOpened={showSession} /> } as const;
  const items =
    phase === 'open' && !isLedger
      ? [
          sessions,
          { id: 'timeline', label: 'Timeline', content: <NarrowTimeline /> } as const,
          {
            id: 'conversation',
            label: 'Conversation',
            count: asks || undefined,
            content: <ConversationTab />,
          } as const,
          { id: 'state', label: 'State', content: <StateTab /> } as const,
          { id: 'inspector', label: 'Inspector', content: <InspectorRegion /> } as const,
        ]
      : [sessions, { id: 'timeline', label: centerName(phase, isLedger), content: <Center /> } as const];
  const value = items.some((item) => item.id === region) ? region : 'timeline';
  useEffect(() => {
    // Whoever wants the inspector or the sessions shown asks for the panel; here that means its tab.
    const stop = viewStore.subscribe((view, before) => {
      if (view.inspectorOpen && !before.inspectorOpen)
        viewStore.setState({ region: 'inspector', inspectorOpen: false });
      if (view.sidebarOpen && !before.sidebarOpen) viewStore.setState({ region: 'sessions', sidebarOpen: false });
    });
    return () => {
      stop();
      showRegion('timeline');
    };
  }, []);
  return (
    <div className={styles.one}>
      <Tabs<Region> name="Parts of the window" value={value} onChange={showRegion} items={items} />
    </div>
  );
}

const NarrowTimeline = () => (
  <main className={styles.center} aria-label="Session">
    <Toolbar />
    <ReplayBar />
    <TimelineRegion />
  </main>
);
