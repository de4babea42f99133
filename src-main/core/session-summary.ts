import { assertNever } from '../../src-shared/assert-never.ts';
import { MAIN_AGENT, type SessionId } from '../../src-shared/ids.ts';
import type { TurnEnd } from '../../src-shared/session/event.ts';
import { isOver } from '../../src-shared/session/is-over.ts';
import type { SessionState } from '../../src-shared/session/state.ts';
import type { SessionSummary } from '../../src-shared/session/summary.ts';

/** A session's row in the list, from its state. */
export function summarise(
  state: SessionState,
  where: { readonly sessionId: SessionId; readonly path: string; readonly findings: number },
): SessionSummary {
  const asks = state.calls.reduce((sum, call) => sum + call.asks.filter((ask) => ask.until === undefined).length, 0);
  const openCalls = state.calls.filter((call) => call.phase === 'queued' || call.phase === 'executing').length;
  const turn = state.turns.findLast((each) => each.agentId === MAIN_AGENT);
  const running = turn !== undefined && turn.end === undefined && state.ended === undefined;
  const imported = state.origin?.kind === 'imported';
  return {
    ...where,
    title: state.title,
    cwd: state.cwd,
    kind: imported ? 'imported' : 'live',
    status: isOver(state) ? 'ended' : asks > 0 ? 'waiting' : running ? 'running' : 'idle',
    lastTurn: lastTurnOf(turn?.end?.reason),
    format: state.origin?.kind === 'imported' ? state.origin.format : 'gantry',
    // A fork began when it was copied; its history has the place in the list that its own session has.
    startedAt: state.history?.at ?? state.startedAt,
    // Without times in the file there is no length.
    durationMs: isOrderOnly(state) ? 0 : state.now - (state.history?.until ?? 0),
    calls: state.calls.length,
    openCalls,
    asks,
  };
}

const isOrderOnly = ({ origin }: SessionState): boolean => origin?.kind === 'imported' && origin.clock === 'order-only';

function lastTurnOf(reason: TurnEnd | undefined): SessionSummary['lastTurn'] {
  switch (reason) {
    case undefined:
      return 'none';
    case 'completed':
    case 'stopped-by-hook':
      return 'ok';
    case 'interrupted':
    case 'rejected':
    // The app or the recording ended first.
    case 'unknown':
      return 'interrupted';
    case 'error':
    case 'limit':
      return 'error';
    default:
      return assertNever(reason, 'end of a turn');
  }
}
