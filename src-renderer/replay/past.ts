import { useStore } from 'zustand';
import type { RequestName } from '../../src-shared/ipc/contract.ts';
import { guardRequests } from '../bridge.ts';
import { playheadStore } from './playhead-store.ts';

export const PAST_WORDS = 'This is the past. Go back to live to act (F).';

/** Stands the playhead anywhere? Then nobody may act on the session. */
export const isPast = (): boolean => playheadStore.getState().position !== undefined;
export const useIsPast = (): boolean => useStore(playheadStore, ({ position }) => position !== undefined);

/** What would change a session or answer one of its calls. All that is not looking or leaving belongs here. */
const ACTS: ReadonlySet<RequestName> = new Set<RequestName>([
  'session.send',
  'session.unqueue',
  'session.compact',
  'session.set-model',
  'session.interrupt',
  'session.set-mode',
  'session.set-settings',
  'session.take-over',
  'debug.hold',
  'debug.step',
  'debug.set-breakpoints',
  'debug.set-faults',
  'debug.resume',
  'mcp.reconnect',
  'shell.kill',
  'permission.answer',
  'permission.answer-all',
]);

/** Why main may not be asked this now, or undefined. The last guard: no component has to remember. */
export const whyNotNow = (name: RequestName): string | undefined =>
  isPast() && ACTS.has(name) ? PAST_WORDS : undefined;

guardRequests(whyNotNow);
