import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './theme/theme.css';
import './theme/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { startKeyboard } from './commands/keyboard.ts';
import { startExportStore } from './export/export-store.ts';
import { startLedgerStore } from './ledger/ledger-store.ts';
import { startLibraryStore } from './library/library-store.ts';
import { startShowAsk } from './permissions/show-ask.ts';
import { startPlayer, startWarming } from './replay/playhead-store.ts';
import { startAccessStore } from './state/access-store.ts';
import { startAppStore } from './state/app-store.ts';
import { startIdleMark } from './state/idle.ts';
import { startReadingStore } from './state/reading-store.ts';
import { startReloadMemory } from './state/reload-memory.ts';
import { startSessionStore } from './state/session-store.ts';
import { startSessionsStore } from './state/sessions-store.ts';
import { startThemeSwitch } from './theme/theme-switch.ts';
import { timelineActions } from './timeline/actions.ts';
import { startTrustStore } from './trust/trust-store.ts';
import { startVaultStore } from './vault/vault-store.ts';

// The composition of the renderer. What is started here lives as long as the window.
const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element #root.');
startThemeSwitch();
startSessionStore();
startReadingStore();
startAccessStore();
startTrustStore();
startSessionsStore();
startLedgerStore();
startLibraryStore();
startVaultStore();
startExportStore();
startKeyboard();
startIdleMark(document.documentElement);
startReloadMemory();
startAppStore();
startWarming((callback) => requestIdleCallback(callback));
startPlayer({
  request: (callback) => requestAnimationFrame(callback),
  cancel: (frame) => cancelAnimationFrame(frame),
  folds: () => timelineActions.look()?.axis.folds ?? [],
});
startShowAsk();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
