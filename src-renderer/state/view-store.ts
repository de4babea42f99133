import { createStore } from 'zustand/vanilla';
import type { AgentId, AskId, CallId, MessageId, SessionId } from '../../src-shared/ids.ts';

export type InspectorTab = 'overview' | 'input' | 'output' | 'diff' | 'permission' | 'hooks' | 'processes' | 'raw';
export type Region = 'sessions' | 'timeline' | 'conversation' | 'state' | 'inspector';
export type Theme = 'system' | 'dark' | 'light';

/** What the person has chosen to look at. Nothing here is true of the session itself. */
export type ViewState = {
  readonly theme: Theme;
  readonly selectedCall: CallId | undefined;
  readonly hoveredCall: CallId | undefined;
  /** Culprit of the cascade whose pill is selected: all but culprit and victims is dimmed. */
  readonly focusedCascade: CallId | undefined;
  readonly follow: boolean;
  readonly sidebarOpen: boolean;
  readonly inspectorOpen: boolean;
  readonly inspectorTab: InspectorTab;
  /** The inspector takes most of the window: whole outputs are read this way. */
  readonly inspectorWide: boolean;
  /** What stands in the middle: the session (or the start page), the permission ledger, or all sessions of this machine. */
  readonly page: 'session' | 'ledger' | 'library';
  /** What is on screen where only one region has room (design 3). */
  readonly region: Region;
  /** The question whose card is open on the permission board. */
  readonly openAsk: AskId | undefined;
  readonly paletteOpen: boolean;
  readonly legendOpen: boolean;
  /** The dialog about models: for a new session, or for the one on screen. */
  readonly modelDialog: 'closed' | 'new-session' | 'change-model' | 'fork-session';
  /** What the dialog continues in a new session, up to a message or whole. */
  readonly fork: { readonly sessionId: SessionId; readonly upToMessageId?: MessageId } | undefined;
  readonly collapsedAgents: readonly AgentId[];
  /** One line for the status bar and for screen readers: what just happened to a command or an answer. */
  readonly announcement: string;
};

export const viewStore = createStore<ViewState>(() => ({
  theme: 'system',
  selectedCall: undefined,
  hoveredCall: undefined,
  focusedCascade: undefined,
  follow: true,
  sidebarOpen: true,
  inspectorOpen: true,
  inspectorTab: 'overview',
  inspectorWide: false,
  page: 'session',
  region: 'timeline',
  openAsk: undefined,
  paletteOpen: false,
  legendOpen: false,
  modelDialog: 'closed',
  fork: undefined,
  collapsedAgents: [],
  announcement: '',
}));

/** Selects a call everywhere: chart, list, conversation, inspector. */
export const selectCall = (callId: CallId | undefined): void => viewStore.setState({ selectedCall: callId });
export const announce = (announcement: string): void => viewStore.setState({ announcement });

/** Forgets what was chosen in one session before another one is shown. Panels and the theme stay as they are. */
export const resetView = (): void =>
  viewStore.setState({
    selectedCall: undefined,
    hoveredCall: undefined,
    focusedCascade: undefined,
    follow: true,
    openAsk: undefined,
    collapsedAgents: [],
    inspectorTab: 'overview',
    inspectorWide: false,
    region: 'timeline',
  });
