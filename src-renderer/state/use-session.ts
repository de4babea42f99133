import { useStore } from 'zustand';
import type { SessionState } from '../../src-shared/session/state.ts';
import { playheadStore, viewAtPlayhead } from '../replay/playhead-store.ts';
import { type SessionView, sessionStore } from './session-store.ts';

/** An open session: the state object may stay the same while it grows, so depend on `version` in memos and effects. */
export type OpenSession = {
  readonly state: SessionState;
  readonly version: number;
  readonly view: Extract<SessionView, { phase: 'open' }>;
};

const opened = (view: OpenSession['view']): OpenSession => ({ state: view.state, version: view.version, view });

/**
 * The open session as it was at the playhead; as it is, where nothing is scrubbed. Undefined while none is open. Its
 * version is another one at every position of the playhead.
 */
export function useOpenSession(): OpenSession | undefined {
  const view = useStore(sessionStore);
  useStore(playheadStore, ({ position }) => position);
  return view.phase === 'open' ? opened(viewAtPlayhead(view)) : undefined;
}

/** The open session with all that is known of it, wherever the playhead stands. */
export function useWholeSession(): OpenSession | undefined {
  const view = useStore(sessionStore);
  return view.phase === 'open' ? opened(view) : undefined;
}
