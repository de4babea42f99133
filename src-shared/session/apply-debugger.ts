import { assertNever } from '../assert-never.ts';
import type { Breakpoint, Fault } from '../debugger/event.ts';
import type { SessionTime } from '../units.ts';
import type { EventOf } from './event.ts';
import type { SessionState } from './state.ts';

/** What a person has set to look at the session while it runs (spec 4.4). */
export type DebuggerState = {
  /** Since when no call may start, and who holds the queue. */
  readonly held: { readonly by: 'person' | 'breakpoint'; readonly from: SessionTime } | undefined;
  readonly breakpoints: readonly Breakpoint[];
  readonly faults: readonly Fault[];
  /** How often each fault has struck, by its id. */
  readonly struck: Readonly<Record<string, number>>;
};

export const NO_DEBUGGER: DebuggerState = { held: undefined, breakpoints: [], faults: [], struck: {} };

export function applyDebugger(
  state: SessionState,
  e: EventOf<'queue-held' | 'queue-stepped' | 'breakpoints-changed' | 'faults-changed' | 'fault-injected'>,
): void {
  const now = state.debugger;
  switch (e.type) {
    case 'queue-held':
      state.debugger = { ...now, held: e.on ? { by: e.by, from: now.held?.from ?? e.t } : undefined };
      return;
    case 'queue-stepped':
      return;
    case 'breakpoints-changed':
      state.debugger = { ...now, breakpoints: e.breakpoints };
      return;
    case 'faults-changed':
      state.debugger = { ...now, faults: e.faults };
      return;
    case 'fault-injected':
      state.debugger = { ...now, struck: { ...now.struck, [e.faultId]: (now.struck[e.faultId] ?? 0) + 1 } };
      return;
    default:
      assertNever(e, 'debugger event');
  }
}
