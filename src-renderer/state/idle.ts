import { pendingRequests } from '../bridge.ts';
import { playheadStore } from '../replay/playhead-store.ts';
import { activityOf, isAtWork } from './activity.ts';
import { appStore } from './app-store.ts';
import { chartFrames } from './chart-frames.ts';
import { isReading, readingStore } from './reading-store.ts';
import type { SessionView } from './session-store.ts';
import { sessionStore } from './session-store.ts';
import { sessionsStore } from './sessions-store.ts';
import { viewStore } from './view-store.ts';

/** Is nothing going on in the session on screen: no call, no turn, nothing being fetched? */
export function isQuiet(view: SessionView): boolean {
  if (view.phase === 'loading') return false;
  if (view.phase !== 'open') return true;
  if (isReading(view.sessionId)) return false;
  return !isAtWork(activityOf(view.state));
}

/**
 * Keeps `data-idle` on the document's root element: `true` when nothing goes on, nothing that main was asked for is still to come, and
 * what is known has been drawn, that is two frames after the last change and the last frame of the chart, which follows the layout
 * around it. Tests from outside wait for it.
 */
export function startIdleMark(element: HTMLElement): () => void {
  let frame = 0;
  const settle = (): void => {
    const { info, choosing, reading, starting, problem } = appStore.getState();
    const started = (info !== undefined || problem !== undefined) && sessionsStore.getState().loaded;
    const busy = choosing || reading !== undefined || starting !== undefined || pendingRequests.getState().count > 0;
    element.dataset.idle = String(started && !busy && isQuiet(sessionStore.getState()));
  };
  const changed = (): void => {
    element.dataset.idle = 'false';
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(settle);
    });
  };
  const stops = [
    sessionStore.subscribe(changed),
    readingStore.subscribe(changed),
    viewStore.subscribe(changed),
    playheadStore.subscribe(changed),
    appStore.subscribe(changed),
    sessionsStore.subscribe(changed),
    chartFrames.subscribe(changed),
    pendingRequests.subscribe(changed),
  ];
  changed();
  return () => {
    cancelAnimationFrame(frame);
    for (const stop of stops) stop();
  };
}
