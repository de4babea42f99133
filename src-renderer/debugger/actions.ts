import type { Breakpoint, Fault } from '../../src-shared/debugger/event.ts';
import type { CallId, SessionId } from '../../src-shared/ids.ts';
import { callById, type SessionState } from '../../src-shared/session/state.ts';
import { request } from '../bridge.ts';
import { isReadOnly } from '../state/activity.ts';
import { failureWords } from '../state/problem.ts';
import { sessionStore } from '../state/session-store.ts';
import { announce, viewStore } from '../state/view-store.ts';
import { breakpointWords, faultWords, pausedCalls, ruleFor } from './rules.ts';

type Live = { readonly sessionId: SessionId; readonly state: SessionState };

function liveSession(): Live | undefined {
  const view = sessionStore.getState();
  return view.phase === 'open' && !isReadOnly(view.state) ? view : undefined;
}

/** Asks main about the open session, and says in the status bar what came of it. */
async function tell(work: (live: Live) => Promise<unknown>, words: string): Promise<void> {
  const live = liveSession();
  if (live === undefined) return;
  try {
    await work(live);
    announce(words);
  } catch (error) {
    const { message, hint } = failureWords(error);
    announce(hint === undefined ? message : `${message} ${hint}`);
  }
}

/** Holds the queue, or lets it go. */
export function toggleHold(): Promise<void> {
  const isHeld = liveSession()?.state.debugger.held !== undefined;
  return tell(
    ({ sessionId }) => request('debug.hold', { sessionId, on: !isHeld }),
    isHeld ? 'The queue is let go.' : 'The queue is held. No call starts.',
  );
}

/** Lets one call go: the one that waits at a breakpoint, else the next of the queue. */
export function stepOne(): Promise<void> {
  const live = liveSession();
  const paused = live === undefined ? undefined : pausedCalls(live.state)[0];
  if (paused !== undefined) return resumeCall(paused.callId, { keepHeld: true });
  return tell(({ sessionId }) => request('debug.step', { sessionId }), 'One call may start.');
}

export function resumeCall(
  callId: CallId,
  how: { readonly keepHeld?: boolean; readonly edited?: { readonly input: unknown } } = {},
): Promise<void> {
  const { keepHeld = false, edited } = how;
  return tell(
    ({ sessionId }) =>
      request('debug.resume', { sessionId, callId, keepHeld, ...(edited === undefined ? {} : { edited }) }),
    edited === undefined ? 'The call goes on.' : 'The call goes on with the edited input.',
  );
}

const newId = (): string => crypto.randomUUID();

export const setBreakpoints = (breakpoints: readonly Breakpoint[], words: string): Promise<void> =>
  tell(({ sessionId }) => request('debug.set-breakpoints', { sessionId, breakpoints: [...breakpoints] }), words);

export const setFaults = (faults: readonly Fault[], words: string): Promise<void> =>
  tell(({ sessionId }) => request('debug.set-faults', { sessionId, faults: [...faults] }), words);

export type NewBreakpoint =
  | { readonly kind: 'before'; readonly rule: string }
  | { readonly kind: 'failure' | 'cascade'; readonly rule?: string };

/** Adds a breakpoint, unless there is the same one. */
export function addBreakpoint(added: NewBreakpoint): Promise<void> {
  const { breakpoints } = liveSession()?.state.debugger ?? { breakpoints: [] };
  const breakpoint: Breakpoint = { id: newId(), enabled: true, ...added };
  const words = breakpointWords(breakpoint);
  if (breakpoints.some((one) => one.enabled && breakpointWords(one) === words)) {
    announce(`There is a breakpoint ${words} already.`);
    return Promise.resolve();
  }
  return setBreakpoints([...breakpoints, breakpoint], `Breakpoint ${words}.`);
}

export type NewFault = Fault extends infer F ? (F extends Fault ? Omit<F, 'id' | 'enabled'> : never) : never;

export function addFault(added: NewFault): Promise<void> {
  const { faults } = liveSession()?.state.debugger ?? { faults: [] };
  const fault: Fault = { id: newId(), enabled: true, ...added };
  return setFaults([...faults, fault], `Fault set: ${faultWords(fault)}.`);
}

/** A breakpoint before calls like the selected one. */
export function breakBeforeSelected(): Promise<void> {
  const live = liveSession();
  const { selectedCall } = viewStore.getState();
  const call = live === undefined || selectedCall === undefined ? undefined : callById(live.state, selectedCall);
  if (call === undefined) return Promise.resolve();
  return addBreakpoint({ kind: 'before', rule: ruleFor(call) });
}
