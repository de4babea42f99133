import { type ReactNode, useEffect } from 'react';
import { useStore } from 'zustand';
import { Conversation } from '../conversation/Conversation.tsx';
import { Inspector } from '../inspector/Inspector.tsx';
import { openAsks } from '../permissions/asks.ts';
import { PermissionBoard } from '../permissions/PermissionBoard.tsx';
import { Sidebar } from '../sessions/Sidebar.tsx';
import { SidebarRail } from '../sessions/SidebarRail.tsx';
import { StartPage } from '../start/StartPage.tsx';
import { sessionStore } from '../state/session-store.ts';
import { useOpenSession } from '../state/use-session.ts';
import { type Region, viewStore } from '../state/view-store.ts';
import { tokens } from '../theme/tokens.ts';
import { Timeline } from '../timeline/Timeline.tsx';
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
  const isOpen = useStore(viewStore, (view) => view.inspectorOpen);
  const isSession = useOpenSession() !== undefined;
  if (!isOpen || !isSession) return null;
  return (
    <Overlay side="right" onClose={() => viewStore.setState({ inspectorOpen: false })}>
      <InspectorRegion />
    </Overlay>
  );
}

type OverlayProps = { readonly side: 'left' | 'right'; readonly onClose: () => void; readonly children: ReactNode };

/** A region that lies over the others, from one side. A click beside it closes it; Esc does too. */
function Overlay({ side, onClose, children }: OverlayProps) {
  return (
    <>
      {/* The keyboard closes it with Esc or the shortcut that opened it. */}
      <div className={styles.beside} data-testid="beside-overlay" onPointerDown={onClose} aria-hidden="true" />
      <div className={side === 'left' ? styles.fromLeft : styles.fromRight}>{children}</div>
    </>
  );
}

type RegionsProps = { readonly hasSidebar: boolean; readonly hasInspector: boolean };

function Regions({ hasSidebar, hasInspector }: RegionsProps) {
  const { sidebarOpen, inspectorOpen, inspectorWide } = useStore(viewStore);
  const isSession = useOpenSession() !== undefined;
  const showsInspector = hasInspector && inspectorOpen && isSession;
  return (
    <SplitGroup id="regions" orientation="horizontal" className={styles.regions}>
      {hasSidebar && sidebarOpen ? (
        <>
          <SplitPanel
            id="sidebar"
            defaultSize={sidebar.normal}
            minSize={sidebar.min}
            maxSize={sidebar.max}
            groupResizeBehavior="preserve-pixel-size"
          >
            <Sidebar />
          </SplitPanel>
          <Splitter name="Width of the sessions" />
        </>
      ) : null}
      <SplitPanel id="session" minSize={timelineMin}>
        <Center />
      </SplitPanel>
      {showsInspector ? (
        <>
          <Splitter name="Width of the inspector" />
          <SplitPanel
            key={inspectorWide ? 'wide' : 'normal'}
            id={inspectorWide ? 'inspector-wide' : 'inspector'}
            defaultSize={inspectorWide ? '62%' : inspector.normal}
            minSize={inspector.min}
            maxSize={inspectorWide ? '75%' : inspector.max}
            groupResizeBehavior="preserve-pixel-size"
          >
            <InspectorRegion />
          </SplitPanel>
        </>
      ) : null}
    </SplitGroup>
  );
}

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
  const layout = useLayout();
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
          {layout.conversation === 'split' ? <Stacked /> : <Tabbed />}
        </main>
      );
  }
}

const TimelineRegion = () => (
  <RegionBoundary name="timeline">
    <Timeline />
  </RegionBoundary>
);

/** The conversation, under the questions that wait for an answer. They never cover the chart. */
function ConversationRegion() {
  return (
    <div className={styles.lower}>
      <RegionBoundary name="conversation">
        <Conversation />
      </RegionBoundary>
      <RegionBoundary name="permission board">
        <PermissionBoard />
      </RegionBoundary>
    </div>
  );
}

function Stacked() {
  return (
    <SplitGroup id="stack" orientation="vertical" className={styles.stack}>
      <SplitPanel id="timeline" defaultSize="60%" minSize={160}>
        <TimelineRegion />
      </SplitPanel>
      <Splitter name="Height of the timeline" />
      <SplitPanel id="conversation" minSize={120}>
        <ConversationRegion />
      </SplitPanel>
    </SplitGroup>
  );
}

const showRegion = (region: Region): void => viewStore.setState({ region });

/** How many questions wait, for the tab that holds the board. */
function useOpenAskCount(): number | undefined {
  const open = useOpenSession();
  const asks = open === undefined ? 0 : openAsks(open.state).length;
  return asks === 0 ? undefined : asks;
}

function Tabbed() {
  const region = useStore(viewStore, (view) => view.region);
  const asks = useOpenAskCount();
  return (
    <Tabs<Region>
      name="Parts of the session"
      value={region === 'conversation' ? region : 'timeline'}
      onChange={showRegion}
      items={[
        { id: 'timeline', label: 'Timeline', content: <TimelineRegion /> },
        { id: 'conversation', label: 'Conversation', count: asks, content: <ConversationRegion /> },
      ]}
    />
  );
}

/** Below 720 px: one region at a time. */
function OneRegion() {
  const region = useStore(viewStore, (view) => view.region);
  const phase = useStore(sessionStore, (view) => view.phase);
  const asks = useOpenAskCount();
  const showSession = (): void => showRegion('timeline');
  const sessions = { id: 'sessions', label: 'Sessions', content: <Sidebar onOpened={showSession} /> } as const;
  const items =
    phase === 'open'
      ? [
          sessions,
          { id: 'timeline', label: 'Timeline', content: <NarrowTimeline /> } as const,
          { id: 'conversation', label: 'Conversation', count: asks, content: <ConversationRegion /> } as const,
          { id: 'inspector', label: 'Inspector', content: <InspectorRegion /> } as const,
        ]
      : [sessions, { id: 'timeline', label: phase === 'none' ? 'Start' : 'Session', content: <Center /> } as const];
  const value = items.some((item) => item.id === region) ? region : 'timeline';
  useEffect(() => {
    // Whoever wants the inspector or the sessions shown asks for the panel; here that means its tab.
    return viewStore.subscribe((view) => {
      if (view.inspectorOpen) viewStore.setState({ region: 'inspector', inspectorOpen: false });
      if (view.sidebarOpen) viewStore.setState({ region: 'sessions', sidebarOpen: false });
    });
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
    <TimelineRegion />
  </main>
);
