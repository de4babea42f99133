import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { SessionId } from '../../src-shared/ids.ts';
import type { SessionAccess } from '../../src-shared/ipc/contract.ts';
import { onPush } from '../bridge.ts';
import { isPast, PAST_WORDS, useIsPast } from '../replay/past.ts';

/** Whether this window may work in the sessions it shows. One of which main has said nothing is its own. */
export type AccessView = { readonly [sessionId: SessionId]: SessionAccess };

export const accessStore = createStore<AccessView>(() => ({}));

type Reader = Extract<SessionAccess, { kind: 'reader' }>;

/** Nobody can act on what is over, so whoever looks at it is a reader too. */
const OF_THE_PAST: Reader = { kind: 'reader', why: PAST_WORDS, takeOver: false };

const otherReaderOf = (access: AccessView, sessionId: SessionId | undefined): Reader | undefined => {
  const one = sessionId === undefined ? undefined : access[sessionId];
  return one?.kind === 'reader' ? one : undefined;
};

/** Why a session is only read here, or undefined when its commands count. */
export const readerOf = (access: AccessView, sessionId: SessionId | undefined): Reader | undefined =>
  otherReaderOf(access, sessionId) ?? (isPast() ? OF_THE_PAST : undefined);

/** The same for a component. */
export function useReader(sessionId: SessionId | undefined): Reader | undefined {
  const past = useIsPast();
  return useOtherReader(sessionId) ?? (past ? OF_THE_PAST : undefined);
}

/** Whether another window works in the session, wherever the playhead stands. */
export const useOtherReader = (sessionId: SessionId | undefined): Reader | undefined =>
  useStore(accessStore, (access) => otherReaderOf(access, sessionId));

/** Follows main's word. Called once by the composition of the renderer. */
export function startAccessStore(): () => void {
  return onPush('session.access', ({ sessionId, access }) => accessStore.setState({ [sessionId]: access }));
}
