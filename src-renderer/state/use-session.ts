import { useStore } from 'zustand';
import type { SessionState } from '../../src-shared/session/state.ts';
import { type SessionView, sessionStore } from './session-store.ts';

/** The session on screen, whatever phase it is in. */
export const useSessionView = (): SessionView => useStore(sessionStore);

/**
 * The open session's state and its version, or undefined. The state object stays the same while it grows: depend on
 * `version` in memos and effects.
 */
export function useOpenSession():
  | { readonly state: SessionState; readonly version: number; readonly view: Extract<SessionView, { phase: 'open' }> }
  | undefined {
  const view = useStore(sessionStore);
  return view.phase === 'open' ? { state: view.state, version: view.version, view } : undefined;
}
