import type { AgentId } from '../ids.ts';
import { type SessionTime, sessionTime } from '../units.ts';
import { isOver } from './is-over.ts';
import type { SessionState } from './state.ts';

/** A request that failed, and is made once more when its wait is over. */
export type RetryWait = {
  readonly from: SessionTime;
  readonly until: SessionTime;
  /** Of the try that comes: 2 for the first one after a failure. */
  readonly attempt: number;
  /** Why the last one failed. */
  readonly message: string;
};

/** What an agent waits for between two tries of a request; undefined when it does not. */
export function retryWaitOf(state: SessionState, agentId: AgentId): RetryWait | undefined {
  if (isOver(state)) return undefined;
  const request = state.requests.findLast((one) => one.agentId === agentId);
  const end = request?.end;
  if (request === undefined || end?.kind !== 'failed' || end.retryInMs === undefined) return undefined;
  // Who stops the turn ends the wait too.
  const turn = state.turns.findLast((one) => one.turnId === request.turnId);
  if (turn?.end !== undefined) return undefined;
  return {
    from: end.at,
    until: sessionTime(end.at + end.retryInMs),
    attempt: request.attempt + 1,
    message: end.message,
  };
}
