import { setImmediate } from 'node:timers/promises';
import type { SessionEvent } from '../../src-shared/session/event.ts';
import { apply, emptySession, type SessionState } from '../../src-shared/session/state.ts';

/** Events that are folded before other work has its turn: some ms. */
const EVENTS_A_TURN = 1_000;

/** What the events fold to. Other work is not held up by it, however many there are. */
export async function foldInTurns(events: readonly SessionEvent[]): Promise<SessionState> {
  const state = emptySession();
  for (const [n, event] of events.entries()) {
    if (n > 0 && n % EVENTS_A_TURN === 0) await setImmediate();
    apply(state, event);
  }
  return state;
}
