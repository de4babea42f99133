import type { SessionState, Turn } from '../session/state.ts';

/** Why nothing can be said about a turn under other rules; undefined when something can. A sentence for a person. */
export function whyNotPlayed(state: SessionState, turn: Turn | undefined): string | undefined {
  if (state.origin?.kind === 'imported' && state.origin.clock === 'order-only') {
    return 'The file holds no times, so nothing can be said about other rules.';
  }
  if (turn === undefined) return 'There is no turn yet.';
  if (turn.end === undefined && state.ended === undefined)
    return 'The turn still runs. Other rules are compared when it has ended.';
  return undefined;
}
