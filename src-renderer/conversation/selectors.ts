import { MAIN_AGENT } from '../../src-shared/ids.ts';
import type { SessionState } from '../../src-shared/session/state.ts';

/** Does the main agent work on a message now? */
export function isTurnRunning(state: SessionState): boolean {
  if (state.ended !== undefined || state.origin?.kind === 'imported') return false;
  const turn = state.turns.findLast((one) => one.agentId === MAIN_AGENT);
  return turn !== undefined && turn.end === undefined;
}

/** Can a message be sent? Files are read-only views. */
export const isWritable = (state: SessionState): boolean => state.origin?.kind === 'live';

/** Do the times of the session mean anything? Some files hold the order of events only. */
export const hasTimes = (state: SessionState): boolean =>
  !(state.origin?.kind === 'imported' && state.origin.clock === 'order-only');

/** `turn 1 · request 4 of this turn`; empty before the first turn. */
export function whereWeAre(state: SessionState): string {
  const turns = state.turns.filter((turn) => turn.agentId === MAIN_AGENT);
  const turn = turns.at(-1);
  if (turn === undefined) return '';
  const requests = state.requests.filter(
    (one) => one.turnId === turn.turnId && one.agentId === MAIN_AGENT && one.attempt === 1 && one.purpose === undefined,
  ).length;
  return requests === 0 ? `turn ${turns.length}` : `turn ${turns.length} · request ${requests} of this turn`;
}
