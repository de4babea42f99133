import { isFiltering } from '../../src-shared/filter/call-filter.ts';
import { STOP_KINDS } from '../../src-shared/replay/stops.ts';
import { openCompare } from '../compare/compare-store.ts';
import { togglePath } from '../critical-path/path-store.ts';
import { breakBeforeSelected, stepOne, toggleHold } from '../debugger/actions.ts';
import { openExport } from '../export/export-store.ts';
import { leaveLedger, showLedger } from '../ledger/ledger-store.ts';
import { leaveLibrary, showLibrary } from '../library/library-store.ts';
import { changeMode, chooseMode } from '../modes/choose-mode.ts';
import { MODE_WORDS, MODES } from '../modes/mode-words.ts';
import { askToFork } from '../new-session/actions.ts';
import { foldBoard } from '../permissions/board-store.ts';
import { changeSpeed, goToStop } from '../replay/actions.ts';
import { isPast } from '../replay/past.ts';
import { leavePlayhead, seekToPosition, stepEvent, togglePlay } from '../replay/playhead-store.ts';
import { bringConversationForward, showConversation, showState } from '../replay/state/lower-store.ts';
import { accessStore, readerOf } from '../state/access-store.ts';
import type { Activity } from '../state/activity.ts';
import { isReadOnly } from '../state/activity.ts';
import { clearFilter, filterStore, openSearch, stepToMatch } from '../state/filter-store.ts';
import { type SessionView, sessionStore } from '../state/session-store.ts';
import { type Region, type ViewState, viewStore } from '../state/view-store.ts';
import { toggleTheme } from '../theme/theme-switch.ts';
import { timelineActions } from '../timeline/actions.ts';
import { reviewTrust } from '../trust/trust-store.ts';
import { toggleWhatIf } from '../what-if/what-if-store.ts';
import { chooseTranscript, compactConversation, openWindow, showGallery, stopTurn } from './actions.ts';
import type { Scope } from './keys.ts';

/** What is true while it is decided whether a command can be used. */
export type CommandContext = {
  readonly session: SessionView;
  readonly activity: Activity;
  readonly view: ViewState;
};

export type Command = {
  readonly id: string;
  /** A verb first; the palette lists and searches it. */
  readonly title: string;
  readonly group: 'Session' | 'View' | 'Timeline' | 'Help';
  /** As written on the keys. */
  readonly keys?: string;
  readonly scope?: Scope;
  readonly when: (context: CommandContext) => boolean;
  readonly run: () => void;
};

const always = (): boolean => true;
const isOpen = ({ session }: CommandContext): boolean => session.phase === 'open';
const isShown = ({ session, view }: CommandContext): boolean => session.phase !== 'none' || view.page !== 'session';
const isLive = ({ session }: CommandContext): boolean =>
  session.phase === 'open' &&
  !isReadOnly(session.state) &&
  readerOf(accessStore.getState(), session.sessionId) === undefined;

const modeOf = ({ session }: CommandContext): string | undefined =>
  session.phase === 'open' ? session.state.settings.mode : undefined;

const focusSoon = (selector: string): void => {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(selector)?.focus());
};

/** Shows the list of sessions wherever it lives in this window, and puts the cursor into its search. */
export function searchSessions(): void {
  viewStore.setState({ sidebarOpen: true });
  focusSoon('[data-session-search]');
}

/** Opens the search over the chart, and puts the cursor into it. */
function searchCalls(): void {
  viewStore.setState({ page: 'session', region: 'timeline' });
  openSearch();
  focusSoon('[data-find-field]');
}

const isSearching = (context: CommandContext): boolean => isOpen(context) && filterStore.getState().found !== undefined;

/** Shows or hides a panel. Where only one region has room it is a tab, from which the way leads back to the timeline. */
const togglePanel = (region: Region, panel: 'sidebarOpen' | 'inspectorOpen'): void =>
  viewStore.setState((view) => (view.region === region ? { region: 'timeline' } : { [panel]: !view[panel] }));

/** The playhead (design 13). A live session is scrubbed like a recorded one. */
const REPLAY_COMMANDS: readonly Command[] = [
  ...(
    [
      ['play', 'Play or pause the replay', 'Space', togglePlay],
      ['step-back', 'Go to the previous event', '[', () => stepEvent(-1)],
      ['step-on', 'Go to the next event', ']', () => stepEvent(1)],
      ['slower', 'Play slower', ',', () => changeSpeed(-1)],
      ['faster', 'Play faster', '.', () => changeSpeed(1)],
    ] as const
  ).map(
    ([id, title, keys, run]): Command => ({
      id: `replay.${id}`,
      title,
      group: 'Timeline',
      keys,
      scope: 'chart',
      when: isOpen,
      run,
    }),
  ),
  ...STOP_KINDS.flatMap((kind, at) =>
    (['next', 'previous'] as const).map(
      (to): Command => ({
        id: `replay.${to}-${kind}`,
        title: `Go to the ${to} ${kind === 'saved' ? 'saved output' : kind}`,
        group: 'Timeline',
        keys: to === 'next' ? `${at + 1}` : `Shift ${at + 1}`,
        scope: 'chart',
        when: isOpen,
        run: () => goToStop(kind, to),
      }),
    ),
  ),
  {
    id: 'replay.start',
    title: 'Replay from the start',
    group: 'Timeline',
    when: isOpen,
    run: () => seekToPosition(0),
  },
  {
    id: 'replay.leave',
    title: 'Leave the replay and show all that is known',
    group: 'Timeline',
    when: (context) => isOpen(context) && isPast(),
    run: leavePlayhead,
  },
];

/** Every command, in the order of the palette. The keys of design 13 that the chart handles itself are not here. */
export const COMMANDS: readonly Command[] = [
  {
    id: 'turn.stop',
    title: 'Stop the running turn',
    group: 'Session',
    keys: 'Esc',
    when: (context) => isLive(context) && context.activity.inTurn,
    run: () => void stopTurn(),
  },
  {
    id: 'session.mode',
    title: 'Change the permission mode',
    group: 'Session',
    keys: 'Shift Tab',
    scope: 'mode',
    when: isLive,
    run: () => void changeMode(),
  },
  ...MODES.map(
    (mode): Command => ({
      id: `session.mode.${mode}`,
      title: `Use ${MODE_WORDS[mode]}`,
      group: 'Session',
      when: (context) => isLive(context) && modeOf(context) !== mode,
      run: () => void chooseMode(mode),
    }),
  ),
  {
    id: 'debug.hold',
    title: 'Hold the queue, or let it go',
    group: 'Session',
    keys: 'H',
    scope: 'chart',
    when: isLive,
    run: () => void toggleHold(),
  },
  {
    id: 'debug.step',
    title: 'Let one call start',
    group: 'Session',
    keys: 'N',
    scope: 'chart',
    when: isLive,
    run: () => void stepOne(),
  },
  {
    id: 'debug.break-before',
    title: 'Set a breakpoint before calls like this one',
    group: 'Session',
    keys: 'B',
    scope: 'chart',
    when: (context) => isLive(context) && context.view.selectedCall !== undefined,
    run: () => void breakBeforeSelected(),
  },
  {
    id: 'permission.board',
    title: 'Go to the permission board',
    group: 'Session',
    keys: 'P',
    scope: 'chart',
    when: (context) => isLive(context) && context.activity.asking.length > 0,
    run: () => {
      viewStore.setState({ region: 'conversation' });
      bringConversationForward();
      foldBoard(false);
      focusSoon('[data-permission-board]');
    },
  },
  {
    id: 'session.new',
    title: 'New session…',
    group: 'Session',
    keys: 'Ctrl N',
    scope: 'anywhere',
    when: always,
    run: () => viewStore.setState({ modelDialog: 'new-session' }),
  },
  {
    id: 'session.compact',
    title: 'Compact the conversation',
    group: 'Session',
    when: isLive,
    run: () => void compactConversation(''),
  },
  {
    id: 'session.fork',
    title: 'Continue in a new session…',
    group: 'Session',
    when: isOpen,
    run: () => {
      const session = sessionStore.getState();
      if (session.phase === 'open') askToFork(session.sessionId);
    },
  },
  {
    id: 'session.model',
    title: 'Change the model…',
    group: 'Session',
    when: (context) => isLive(context) && !context.activity.inTurn,
    run: () => viewStore.setState({ modelDialog: 'change-model' }),
  },
  {
    id: 'session.export',
    title: 'Export the session…',
    group: 'Session',
    keys: 'Ctrl E',
    scope: 'anywhere',
    when: isOpen,
    run: openExport,
  },
  {
    id: 'session.compare',
    title: 'Compare the session with another, or two turns…',
    group: 'Session',
    when: isOpen,
    run: () => openCompare(),
  },
  {
    id: 'transcript.open',
    title: 'Open a transcript',
    group: 'Session',
    keys: 'Ctrl O',
    scope: 'anywhere',
    when: always,
    run: () => void chooseTranscript(),
  },
  {
    id: 'sessions.search',
    title: 'Search sessions',
    group: 'Session',
    keys: 'Ctrl Shift F',
    scope: 'anywhere',
    when: always,
    run: searchSessions,
  },
  {
    id: 'app.new-window',
    title: 'Open a new window',
    group: 'Session',
    keys: 'Ctrl Shift N',
    scope: 'anywhere',
    when: always,
    run: () => void openWindow(),
  },
  {
    id: 'folder.trust',
    title: 'Review the settings that come with the folder',
    group: 'Session',
    when: isLive,
    run: reviewTrust,
  },
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
    id: 'gallery.show',
    title: 'Show the scenario gallery',
    group: 'Session',
    when: isShown,
    run: showGallery,
  },
  {
    id: 'timeline.search',
    title: 'Search the calls of the session',
    group: 'Timeline',
    keys: 'Ctrl F',
    scope: 'anywhere',
    when: isOpen,
    run: searchCalls,
  },
  {
    id: 'timeline.next-match',
    title: 'Go to the next call that is found',
    group: 'Timeline',
    when: isSearching,
    run: () => stepToMatch(1),
  },
  {
    id: 'timeline.previous-match',
    title: 'Go to the previous call that is found',
    group: 'Timeline',
    when: isSearching,
    run: () => stepToMatch(-1),
  },
  {
    id: 'timeline.clear-filter',
    title: 'Clear the filters',
    group: 'Timeline',
    when: (context) => isOpen(context) && isFiltering(filterStore.getState().filter),
    run: clearFilter,
  },
  {
    id: 'timeline.zoom-in',
    title: 'Zoom in',
    group: 'Timeline',
    keys: 'W',
    scope: 'chart',
    when: isOpen,
    run: () => timelineActions.zoomIn(),
  },
  {
    id: 'timeline.zoom-out',
    title: 'Zoom out',
    group: 'Timeline',
    keys: 'S',
    scope: 'chart',
    when: isOpen,
    run: () => timelineActions.zoomOut(),
  },
  {
    id: 'timeline.fit',
    title: 'Fit the whole session',
    group: 'Timeline',
    keys: '0',
    scope: 'chart',
    when: isOpen,
    run: () => timelineActions.fit(),
  },
  {
    id: 'timeline.fit-selection',
    title: 'Fit the selected call',
    group: 'Timeline',
    keys: 'Z',
    scope: 'chart',
    when: ({ session, view }) => session.phase === 'open' && view.selectedCall !== undefined,
    run: () => timelineActions.fitSelection(),
  },
  {
    id: 'timeline.zoom-to-turn',
    title: 'Zoom to the turn',
    group: 'Timeline',
    keys: 'T',
    scope: 'chart',
    when: isOpen,
    run: () => timelineActions.zoomToTurn(),
  },
  {
    id: 'timeline.critical-path',
    title: 'Show or hide the critical path',
    group: 'Timeline',
    keys: 'C',
    scope: 'chart',
    when: isOpen,
    run: togglePath,
  },
  {
    id: 'timeline.what-if',
    title: 'Show or hide what other rules would have come to',
    group: 'Timeline',
    keys: 'I',
    scope: 'chart',
    when: isOpen,
    run: toggleWhatIf,
  },
  {
    id: 'timeline.follow',
    title: 'Follow the newest call',
    group: 'Timeline',
    keys: 'F',
    scope: 'chart',
    when: ({ session }) => session.phase === 'open' && !isReadOnly(session.state),
    run: () => timelineActions.toggleFollow(),
  },
  ...REPLAY_COMMANDS,
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

/** A command of the table. Fails for a name that is not in it. */
export function commandById(id: string): Command {
  const command = COMMANDS.find((one) => one.id === id);
  if (command === undefined) throw new Error(`There is no command ${id}.`);
  return command;
}
