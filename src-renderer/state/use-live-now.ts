import { useEffect, useReducer } from 'react';
import { useStore } from 'zustand';
import { type SessionTime, sessionTime } from '../../src-shared/units.ts';
import { playheadStore } from '../replay/playhead-store.ts';
import { sessionStore } from './session-store.ts';
import { useOpenSession } from './use-session.ts';

/** Session time at the playhead; where nothing is scrubbed, at this moment. */
export const liveNow = (): SessionTime => playheadStore.getState().t ?? wholeNow();

/** Session time at this moment: the newest event's, plus what has passed since it arrived while the session is live. */
export function wholeNow(): SessionTime {
  const view = sessionStore.getState();
  if (view.phase !== 'open') return sessionTime(0);
  const { state, receivedAt } = view;
  if (state.ended !== undefined || state.origin?.kind === 'imported') return state.now;
  return sessionTime(state.now + Math.max(0, performance.now() - receivedAt));
}

/**
 * The same for a component that shows a length that still grows: renders again every `everyMs` while `isGrowing`.
 * Use it in the smallest component that needs it.
 */
export function useLiveNow(isGrowing: boolean, everyMs = 200): SessionTime {
  useOpenSession();
  useStore(playheadStore, ({ t }) => t);
  const [, again] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (!isGrowing) return;
    const timer = setInterval(again, everyMs);
    return () => clearInterval(timer);
  }, [isGrowing, everyMs]);
  return liveNow();
}
