import { Maximize2, Moon, PanelRight, Sun, ZoomIn, ZoomOut } from 'lucide-react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { tokens } from '../../src-shared/theme/tokens.ts';
import { formatCount, formatMillis } from '../../src-shared/timeline/words.ts';
import { hasTimes } from '../conversation/selectors.ts';
import { Inspector } from '../inspector/Inspector.tsx';
import { ReplayBar } from '../replay/ReplayBar.tsx';
import { useOpenSession } from '../state/use-session.ts';
import { viewStore } from '../state/view-store.ts';
import { currentTheme } from '../theme/theme-switch.ts';
import { timelineActions } from '../timeline/actions.ts';
import { Timeline } from '../timeline/Timeline.tsx';
import { IconButton } from '../widgets/IconButton.tsx';
import { SplitGroup, SplitPanel, Splitter } from '../widgets/Splitter.tsx';
import styles from './Viewer.module.css';

/** The page of an exported session. */
export function Viewer() {
  const inspectorOpen = useStore(viewStore, (view) => view.inspectorOpen);
  const isWide = useStore(viewStore, (view) => view.inspectorWide);
  useEffect(() => {
    document.addEventListener('keydown', onEscape);
    return () => document.removeEventListener('keydown', onEscape);
  }, []);
  return (
    <div className={styles.viewer}>
      <Header />
      <main className={styles.main}>
        <SplitGroup id="viewer" orientation="horizontal">
          <SplitPanel id="timeline" minSize={320}>
            <div className={styles.timeline}>
              <ReplayBar isRecording />
              <div className={styles.chart}>
                <Timeline />
              </div>
            </div>
          </SplitPanel>
          {inspectorOpen ? (
            <>
              <Splitter name="Width of the inspector" />
              <SplitPanel
                key={isWide ? 'wide' : 'normal'}
                id={isWide ? 'inspector-wide' : 'inspector'}
                defaultSize={isWide ? '56%' : tokens.size.inspector.normal}
                minSize={tokens.size.inspector.min}
                maxSize="75%"
              >
                <aside className={styles.inspector} aria-label="Inspector">
                  <Inspector />
                </aside>
              </SplitPanel>
            </>
          ) : null}
        </SplitGroup>
      </main>
      <Announcer />
    </div>
  );
}

function Header() {
  const open = useOpenSession();
  const inspectorOpen = useStore(viewStore, (view) => view.inspectorOpen);
  const theme = useStore(viewStore, (view) => view.theme);
  if (open === undefined) return null;
  const { state } = open;
  const isDark = theme === 'system' ? currentTheme() === 'dark' : theme === 'dark';
  return (
    <header className={styles.header}>
      <h1 className={styles.title} title={state.title}>
        {state.title === '' ? 'Session' : state.title}
      </h1>
      <p className={styles.facts}>
        {new Date(state.startedAt).toLocaleString()} · {formatCount(state.calls.length)}{' '}
        {state.calls.length === 1 ? 'call' : 'calls'}
        {hasTimes(state) ? ` · ${formatMillis(state.now)}` : ''}
      </p>
      <div className={styles.buttons}>
        <IconButton icon={ZoomOut} name="Zoom out" keys="S" onClick={() => timelineActions.zoomOut()} />
        <IconButton icon={ZoomIn} name="Zoom in" keys="W" onClick={() => timelineActions.zoomIn()} />
        <IconButton icon={Maximize2} name="Show the whole session" keys="0" onClick={() => timelineActions.fit()} />
        <IconButton
          icon={isDark ? Sun : Moon}
          name={isDark ? 'Light colours' : 'Dark colours'}
          onClick={() => viewStore.setState({ theme: isDark ? 'light' : 'dark' })}
        />
        <IconButton
          icon={PanelRight}
          name="Inspector"
          pressed={inspectorOpen}
          onClick={() => viewStore.setState({ inspectorOpen: !inspectorOpen })}
        />
      </div>
    </header>
  );
}

/** What just happened to a command, for screen readers. */
function Announcer() {
  const announcement = useStore(viewStore, (view) => view.announcement);
  return (
    <div role="status" className="visually-hidden">
      {announcement}
    </div>
  );
}

function onEscape(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.defaultPrevented) return;
  const { focusedCascade } = viewStore.getState();
  viewStore.setState(focusedCascade === undefined ? { selectedCall: undefined } : { focusedCascade: undefined });
}
