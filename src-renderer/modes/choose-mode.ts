import { createStore } from 'zustand/vanilla';
import type { SessionId } from '../../src-shared/ids.ts';
import type { PermissionMode } from '../../src-shared/permission/event.ts';
import type { SessionEvent } from '../../src-shared/session/event.ts';
import { request } from '../bridge.ts';
import { failureWords } from '../state/problem.ts';
import { sessionStore } from '../state/session-store.ts';
import { announce } from '../state/view-store.ts';
import { modeSentence, nextMode } from './mode-words.ts';

/** The session that is asked about before it asks nothing any more. */
export const bypassStore = createStore<{ readonly asking: SessionId | undefined }>(() => ({ asking: undefined }));

/** Has the session been in mode bypassPermissions? Its journal knows, also in another window. */
const hasBypassed = (events: readonly SessionEvent[]): boolean =>
  events.some(
    (event) =>
      (event.type === 'mode-changed' && event.mode === 'bypassPermissions') ||
      (event.type === 'session-started' && event.settings.mode === 'bypassPermissions') ||
      (event.type === 'settings-changed' && event.settings.mode === 'bypassPermissions'),
  );

/** Another permission mode, from the next decision on. Before the first time that nothing is asked, this is asked. */
export async function chooseMode(mode: PermissionMode): Promise<void> {
  const view = sessionStore.getState();
  if (view.phase !== 'open' || view.state.settings.mode === mode) return;
  if (mode === 'bypassPermissions' && !hasBypassed(view.events)) {
    bypassStore.setState({ asking: view.sessionId });
    return;
  }
  bypassStore.setState({ asking: undefined });
  await setMode(view.sessionId, mode);
}

/** Goes to the next mode of the round. */
export async function changeMode(): Promise<void> {
  const view = sessionStore.getState();
  if (view.phase === 'open') await chooseMode(nextMode(view.state.settings.mode));
}

/** The answer to the question. */
export async function answerBypass(isYes: boolean): Promise<void> {
  const { asking } = bypassStore.getState();
  bypassStore.setState({ asking: undefined });
  if (asking === undefined) return;
  if (isYes) await setMode(asking, 'bypassPermissions');
  else announce('The mode was not changed.');
}

async function setMode(sessionId: SessionId, mode: PermissionMode): Promise<void> {
  try {
    await request('session.set-mode', { sessionId, mode });
    announce(modeSentence(mode));
  } catch (error) {
    const { message, hint } = failureWords(error);
    announce(hint === undefined ? message : `${message} ${hint}`);
  }
}
