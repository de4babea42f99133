import type { CallId } from '../../src-shared/ids.ts';
import { callById, type SessionState } from '../../src-shared/session/state.ts';
import type { ContentBlock } from '../../src-shared/tool-call/content.ts';
import type { CancelReason } from '../../src-shared/tool-call/event.ts';
import { cancelledOutcome, cancelledResult, toolError } from '../core/results/texts.ts';
import type { Ending, Job } from './call-run.ts';

/** Why a call was told to stop, and whose failure was the reason. */
export type CancelledBy = { readonly reason: CancelReason; readonly culprit: CallId | undefined };

/** How a call ends that was told to stop (spec 1.7). `stopped`: it did in time, or was given up. */
export function cancelledEnding(
  state: SessionState,
  { problem }: Job,
  by: CancelledBy | undefined,
  stopped: 'in-time' | 'given-up',
): Ending {
  const reason = by?.reason ?? 'shutdown';
  if (reason === 'cut-off' && problem !== undefined) {
    return { outcome: 'error', result: toolError(problem), failed: false, stopped };
  }
  // Of an agent's call that fell with the agent the culprit is a call of another agent.
  const culprit = by?.culprit === undefined ? undefined : callById(state, by.culprit);
  const result = cancelledResult(reason, culprit);
  const content = stopped === 'given-up' ? [...result.content, STILL_WORKING] : result.content;
  return { outcome: cancelledOutcome(reason), result: { ...result, content }, failed: false, stopped };
}

/** Of a call that was given up the model has to know that it may not be over. */
const STILL_WORKING: ContentBlock = {
  type: 'text',
  text: 'The call did not stop when it was told to and was given up. It may still be working; check before you repeat it.',
};
