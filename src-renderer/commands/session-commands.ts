import { openCompare } from '../compare/compare-store.ts';
import { breakBeforeSelected, stepOne, toggleHold } from '../debugger/actions.ts';
import { openExport } from '../export/export-store.ts';
import { changeMode, chooseMode } from '../modes/choose-mode.ts';
import { MODE_WORDS, MODES } from '../modes/mode-words.ts';
import { askToFork } from '../new-session/actions.ts';
import { foldBoard } from '../permissions/board-store.ts';
import { bringConversationForward } from '../replay/state/lower-store.ts';
import { sessionStore } from '../state/session-store.ts';
import { viewStore } from '../state/view-store.ts';
import { reviewTrust } from '../trust/trust-store.ts';
import { chooseTranscript, compactConversation, openWindow, stopTurn } from './actions.ts';
import { always, type Command, type CommandContext, focusSoon, isLive, isOpen } from './command.ts';

const modeOf = ({ session }: CommandContext): string | undefined =>
  session.phase === 'open' ? session.state.settings.mode : undefined;

/** Shows the list of sessions wherever it lives in this window, and puts the cursor into its search. */
function searchSessions(): void {
  viewStore.setState({ sidebarOpen: true });
  focusSoon('[data-session-search]');
}

/** What is done with sessions and their turns. */
export const SESSION_COMMANDS: readonly Command[] = [
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
];
