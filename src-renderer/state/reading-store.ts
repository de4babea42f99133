import { createStore } from 'zustand/vanilla';
import type { SessionId } from '../../src-shared/ids.ts';
import type { PushPayload } from '../../src-shared/ipc/contract.ts';
import { onPush, request } from '../bridge.ts';

/** How far main has come with a transcript that is shown while it is read, or how it ended when it did not end well. */
export type ReadingView = Omit<PushPayload<'session.reading'>, 'sessionId'>;

/** By session. What was read to its end is not in it. */
export const readingStore = createStore<ReadonlyMap<SessionId, ReadingView>>(() => new Map());

/** Is it still being read? */
export const isReading = (sessionId: SessionId): boolean => readingStore.getState().get(sessionId)?.phase === 'reading';

/** Stops reading; what was read stays. */
export const stopReadingFile = (sessionId: SessionId): void =>
  // It may have come to its end meanwhile.
  void request('session.stop-reading', { sessionId }).catch(() => undefined);

/** Starts to follow pushes. Called once by the composition of the renderer. */
export function startReadingStore(): () => void {
  return onPush('session.reading', ({ sessionId, ...view }) => {
    const next = new Map(readingStore.getState());
    if (view.phase === 'read') next.delete(sessionId);
    else next.set(sessionId, view);
    readingStore.setState(next, true);
  });
}
