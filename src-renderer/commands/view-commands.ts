import { leaveLedger, showLedger } from '../ledger/ledger-store.ts';
import { leaveLibrary, showLibrary } from '../library/library-store.ts';
import { showConversation, showState } from '../replay/state/lower-store.ts';
import { type Region, viewStore } from '../state/view-store.ts';
import { toggleTheme } from '../theme/theme-switch.ts';
import { showPlaces, showVault } from '../vault/vault-store.ts';
import { showGallery } from './actions.ts';
import { always, type Command, isOpen, isShown } from './command.ts';

/** Shows or hides a panel. Where only one region has room it is a tab, from which the way leads back to the timeline. */
const togglePanel = (region: Region, panel: 'sidebarOpen' | 'inspectorOpen'): void =>
  viewStore.setState((view) => (view.region === region ? { region: 'timeline' } : { [panel]: !view[panel] }));

/** Which page stands in the middle. */
export const PAGE_COMMANDS: readonly Command[] = [
  {
    id: 'ledger.show',
    title: 'Show the permission ledger',
    group: 'View',
    when: ({ view }) => view.page !== 'ledger',
    run: showLedger,
  },
  {
    id: 'ledger.leave',
    title: 'Go back from the permission ledger',
    group: 'View',
    when: ({ view }) => view.page === 'ledger',
    run: leaveLedger,
  },
  {
    id: 'library.show',
    title: 'Search all sessions on this machine',
    group: 'View',
    when: ({ view }) => view.page !== 'library',
    run: showLibrary,
  },
  {
    id: 'library.leave',
    title: 'Go back from all sessions',
    group: 'View',
    when: ({ view }) => view.page === 'library',
    run: leaveLibrary,
  },
  {
    id: 'vault.show',
    title: 'Open the vault of transcripts',
    group: 'View',
    when: always,
    run: () => {
      showLibrary();
      showVault();
    },
  },
  {
    id: 'library.places',
    title: 'Choose where sessions are looked for',
    group: 'View',
    when: always,
    run: () => {
      showLibrary();
      showPlaces();
    },
  },
  {
    id: 'gallery.show',
    title: 'Show the scenario gallery',
    group: 'Session',
    when: isShown,
    run: showGallery,
  },
];

/** Panels, theme and help. */
export const VIEW_COMMANDS: readonly Command[] = [
  {
    id: 'palette.open',
    title: 'Find or run',
    group: 'View',
    keys: 'Ctrl K',
    scope: 'anywhere',
    when: always,
    run: () => viewStore.setState((view) => ({ paletteOpen: !view.paletteOpen })),
  },
  {
    id: 'sidebar.toggle',
    title: 'Show or hide the sessions',
    group: 'View',
    keys: 'Ctrl B',
    scope: 'anywhere',
    when: always,
    run: () => togglePanel('sessions', 'sidebarOpen'),
  },
  {
    id: 'state.show',
    title: 'Show the state of the queue and other rules',
    group: 'View',
    when: (context) => isOpen(context) && context.view.page === 'session',
    run: showState,
  },
  {
    id: 'conversation.show',
    title: 'Show the conversation',
    group: 'View',
    when: (context) => isOpen(context) && context.view.page === 'session',
    run: showConversation,
  },
  {
    id: 'inspector.toggle',
    title: 'Show or hide the inspector',
    group: 'View',
    keys: 'Ctrl I',
    scope: 'anywhere',
    when: isOpen,
    run: () => togglePanel('inspector', 'inspectorOpen'),
  },
  {
    id: 'theme.toggle',
    title: 'Change between dark and light',
    group: 'View',
    when: always,
    run: toggleTheme,
  },
  {
    id: 'theme.system',
    title: 'Follow the theme of the system',
    group: 'View',
    when: ({ view }) => view.theme !== 'system',
    run: () => viewStore.setState({ theme: 'system' }),
  },
  {
    id: 'legend.open',
    title: 'How to read the chart',
    group: 'Help',
    keys: '?',
    scope: 'outside-fields',
    when: always,
    run: () => viewStore.setState({ legendOpen: true }),
  },
];
