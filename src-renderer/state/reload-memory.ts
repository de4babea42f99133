import type { SessionId } from '../../src-shared/ids.ts';
import { sessionStore } from './session-store.ts';

/** Lives as long as the window: it outlasts a reload and a crash of the page, and is empty in a new window. */
const KEY = 'gantry.session';

/** The session that was on screen before the page was loaded again, if it was. */
export const sessionBeforeReload = (): SessionId | undefined =>
  (window.sessionStorage.getItem(KEY) as SessionId | null) ?? undefined;

/** Keeps track of the session on screen, for the page that may come after this one. */
export function startReloadMemory(): () => void {
  return sessionStore.subscribe((view) => {
    if (view.phase === 'none') window.sessionStorage.removeItem(KEY);
    else window.sessionStorage.setItem(KEY, view.sessionId);
  });
}
