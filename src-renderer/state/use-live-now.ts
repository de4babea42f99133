import { useEffect, useReducer } from 'react';
import { useStore } from 'zustand';
import { isOver } from '../../src-shared/session/is-over.ts';
import { type SessionTime, sessionTime } from '../../src-shared/units.ts';
import { playheadStore } from '../replay/playhead-store.ts';
import { activityOf, isAtWork } from './activity.ts';
import { sessionStore } from './session-store.ts';
import { useOpenSession } from './use-session.ts';

/** Session time at the playhead; where nothing is scrubbed, at this moment. */
export const liveNow = (): SessionTime => playheadStore.getState().t ?? wholeNow();

/** Session time at this moment: the newest event's, plus what has passed since it arrived while the session is live. */
export function wholeNow(): SessionTime {
  const view = sessionStore.getState();
  if (view.phase !== 'open') return sessionTime(0);
  const { state, receivedAt } = view;
  if (isOver(state)) return state.now;
  // Of what another program does only its lines are known: time goes on where one says that something runs.
  if (state.followed && !isAtWork(activityOf(state))) return state.now;
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
