import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import '../theme/theme.css';
import '../theme/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import type { SessionId } from '../../src-shared/ids.ts';
import { startPlayer } from '../replay/playhead-store.ts';
import { accessStore } from '../state/access-store.ts';
import { sessionStore } from '../state/session-store.ts';
import { viewStore } from '../state/view-store.ts';
import { effectiveTheme } from '../theme/theme-switch.ts';
import { timelineActions } from '../timeline/actions.ts';
import { noMain } from './no-main.ts';
import { readSession } from './read-data.ts';
import styles from './Viewer.module.css';
import { Viewer } from './Viewer.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element #root.');
Object.defineProperty(window, 'gantry', { value: noMain });
startTheme(document.documentElement);

const ui = createRoot(root);
const loading = (share: number): void =>
  ui.render(
    <p className={styles.loading} role="status">
      Reading the session, {Math.round(share * 100)} %
    </p>,
  );
loading(0);
const { state, events } = await readSession(document, loading);
const sessionId = state.sessionId ?? ('exported' as SessionId);
accessStore.setState({ [sessionId]: { kind: 'reader', why: 'An exported page is only read.', takeOver: false } });
viewStore.setState({ follow: false });
sessionStore.setState({ phase: 'open', sessionId, state, events, version: 1, receivedAt: performance.now() }, true);
startPlayer({
  request: (callback) => requestAnimationFrame(callback),
  cancel: (frame) => cancelAnimationFrame(frame),
  folds: () => timelineActions.look()?.axis.folds ?? [],
});
ui.render(
  <StrictMode>
    <Viewer />
  </StrictMode>,
);

/** The system's colours, or the ones the page was written for; the person's own choice holds until the page is closed. */
function startTheme(element: HTMLElement): void {
  const choice = element.dataset.choice;
  if (choice === 'dark' || choice === 'light') viewStore.setState({ theme: choice });
  const system = window.matchMedia('(prefers-color-scheme: light)');
  const apply = (): void => {
    element.dataset.theme = effectiveTheme(viewStore.getState().theme, system.matches);
  };
  apply();
  system.addEventListener('change', apply);
  viewStore.subscribe((now, before) => {
    if (now.theme !== before.theme) apply();
  });
}
