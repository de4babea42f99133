import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { SessionId } from '../../src-shared/ids.ts';
import type { SessionAccess } from '../../src-shared/ipc/contract.ts';
import { onPush } from '../bridge.ts';

/** Whether this window may work in the sessions it shows. One of which main has said nothing is its own. */
export type AccessView = { readonly [sessionId: SessionId]: SessionAccess };

export const accessStore = createStore<AccessView>(() => ({}));

/** Why a session is only read here, or undefined when its commands count. */
export const readerOf = (access: AccessView, sessionId: SessionId | undefined) => {
  const one = sessionId === undefined ? undefined : access[sessionId];
  return one?.kind === 'reader' ? one : undefined;
};

export const useReader = (sessionId: SessionId | undefined) =>
  useStore(accessStore, (access) => readerOf(access, sessionId));

/** Follows main's word. Called once by the composition of the renderer. */
export function startAccessStore(): () => void {
  return onPush('session.access', ({ sessionId, access }) => accessStore.setState({ [sessionId]: access }));
}
