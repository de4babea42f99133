import type { AgentId, CallId } from '../ids.ts';
import type { SessionState } from '../session/state.ts';
import { isEnded } from '../timeline/parts.ts';
import { lengthOf } from '../tool-call/content.ts';
import { sentResult, type ToolCall } from '../tool-call/state.ts';
import type { QueueAt } from './queue-at.ts';

/** What an executor and its agent hold at a moment. */
export type FactsAt = {
  readonly lanes: { readonly used: number; readonly cap: number };
  /** Characters of the results that the message has so far, and the most it may have; undefined where nobody knows. */
  readonly budget: { readonly used: number; readonly limit: number | undefined };
  readonly folder: string;
  /** Files the agent has read and knows as they were then; undefined where it was not recorded. */
  readonly files: { readonly read: number; readonly changed: number } | undefined;
  /** What the request's calls have changed in the agent's context, in call order. */
  readonly changes: readonly { readonly callId: CallId; readonly change: string }[];
};

/** Characters of a result as the model is sent it. Images do not count (spec 2.8). */
const characters = (call: ToolCall): number =>
  !isEnded(call) || call.end.outcome === 'discarded'
    ? 0
    : sentResult(call).content.reduce((sum, block) => sum + (block.type === 'text' ? lengthOf(block) : 0), 0);

function filesOf({ seenFiles }: SessionState, agentId: AgentId): FactsAt['files'] {
  let read = 0;
  let changed = 0;
  let known = false;
  for (const file of seenFiles) {
    if (file.agentId !== agentId) continue;
    known = true;
    if (file.by !== 'read') continue;
    read += 1;
    // Whoever reads a file again starts anew; until then the time it changed at is kept beside the one that was read.
    if (file.toldStaleAt !== undefined && file.toldStaleAt !== file.mtimeMs) changed += 1;
  }
  return known ? { read, changed } : undefined;
}

export function factsAt(state: SessionState, { agentId, calls }: QueueAt): FactsAt {
  const isImported = state.origin?.kind === 'imported';
  const changers = calls.filter(({ contextChanges }) => contextChanges.length > 0).sort((a, b) => a.index - b.index);
  return {
    lanes: {
      used:
        state.ended === undefined
          ? state.calls.filter((c) => c.phase === 'executing' && c.agentId === agentId).length
          : 0,
      cap: state.settings.cap,
    },
    budget: {
      used: calls.reduce((sum, call) => sum + characters(call), 0),
      // Files of other programs do not tell their limits.
      limit: isImported ? undefined : state.settings.messageBudget,
    },
    folder: state.folders.find((one) => one.agentId === agentId)?.cwd ?? state.cwd,
    files: filesOf(state, agentId),
    changes: changers.flatMap(({ callId, contextChanges }) => contextChanges.map((change) => ({ callId, change }))),
  };
}
