import { accessStore, readerOf } from '../state/access-store.ts';
import type { Activity } from '../state/activity.ts';
import { isReadOnly } from '../state/activity.ts';
import type { SessionView } from '../state/session-store.ts';
import type { ViewState } from '../state/view-store.ts';
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

/** Conditions that several commands share. */
export const always = (): boolean => true;
export const isOpen = ({ session }: CommandContext): boolean => session.phase === 'open';
export const isShown = ({ session, view }: CommandContext): boolean =>
  session.phase !== 'none' || view.page !== 'session';
export const isLive = ({ session }: CommandContext): boolean =>
  session.phase === 'open' &&
  !isReadOnly(session.state) &&
  readerOf(accessStore.getState(), session.sessionId) === undefined;

/** Puts the focus where something is about to be drawn. */
export const focusSoon = (selector: string): void => {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(selector)?.focus());
};
