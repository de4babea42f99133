import { X } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useStore } from 'zustand';
import styles from './App.module.css';
import { LeftoversBar } from './background/LeftoversBar.tsx';
import { CommandPalette } from './commands/CommandPalette.tsx';
import { CompareDialog } from './compare/CompareDialog.tsx';
import { ExportDialog } from './export/ExportDialog.tsx';
import { BypassBar, BypassFrame } from './modes/BypassBar.tsx';
import { ModelDialog } from './new-session/ModelDialog.tsx';
import { AccessBar } from './shell/AccessBar.tsx';
import { StatusBar } from './shell/StatusBar.tsx';
import { TitleBar } from './shell/TitleBar.tsx';
import { Workspace } from './shell/Workspace.tsx';
import { DropTarget } from './start/DropTarget.tsx';
import { OpenProblem } from './start/StartPage.tsx';
import { appStore, dismissProblem } from './state/app-store.ts';
import { sessionStore } from './state/session-store.ts';
import { viewStore } from './state/view-store.ts';
import { HowToRead } from './timeline/HowToRead.tsx';
import { TrustPanel } from './trust/TrustPanel.tsx';
import { IconButton } from './widgets/IconButton.tsx';

// Only for who works on the components: a build for people has neither the page nor its made-up sessions.
const Gallery = import.meta.env.DEV
  ? lazy(async () => ({ default: (await import('./gallery/Gallery.tsx')).Gallery }))
  : undefined;

/** The window. */
export function App() {
  const isGallery = useStore(appStore, (app) => app.info?.gallery ?? false);
  if (isGallery && Gallery !== undefined) {
    return (
      <Suspense>
        <Gallery />
      </Suspense>
    );
  }
  return (
    <div className={styles.app}>
      <TitleBar />
      <Problems />
      <LeftoversBar />
      <AccessBar />
      <TrustPanel />
      <BypassBar />
      <Workspace />
      <StatusBar />
      <CommandPalette />
      <HowToRead />
      <ModelDialog />
      <ExportDialog />
      <CompareDialog />
      <DropTarget />
      <Announcer />
      <BypassFrame />
    </div>
  );
}

/** What went wrong outside of the regions. Opening problems show on the start page itself while that is on screen. */
function Problems() {
  const problem = useStore(appStore, (app) => app.problem);
  const isStart = useStore(sessionStore, (view) => view.phase === 'none');
  return (
    <>
      {problem === undefined ? null : (
        <div className={styles.problem} role="alert">
          <p>
            <strong>{problem.message}</strong> {problem.hint}
          </p>
          <IconButton icon={X} name="Close this message" onClick={dismissProblem} />
        </div>
      )}
      {isStart ? null : <OpenProblem />}
    </>
  );
}

/** Says announcements to screen readers. The status bar shows them. */
function Announcer() {
  const announcement = useStore(viewStore, (view) => view.announcement);
  return (
    <div className="visually-hidden" role="status" aria-live="polite">
      {announcement}
    </div>
  );
}
