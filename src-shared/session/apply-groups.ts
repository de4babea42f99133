import { assertNever } from '../assert-never.ts';
import type { CallId } from '../ids.ts';
import type { EventOf } from './event.ts';
import { grown } from './grown.ts';
import { replaceLast } from './replace-last.ts';
import type { Batch, SessionState } from './state.ts';

/** Agents, from their start to their end. */
export function applyAgent(state: SessionState, e: EventOf<'agent-started' | 'agent-ended'>): void {
  if (e.type === 'agent-started') {
    state.agents.push({
      agentId: e.agentId,
      parentCallId: e.parentCallId,
      depth: e.depth,
      name: e.name,
      agentType: e.agentType,
      prompt: e.prompt,
      definedIn: e.definedIn,
      tools: e.tools,
      model: e.model,
      from: e.t,
      until: undefined,
      end: undefined,
    });
    return;
  }
  const { reason, calls, tokens } = e;
  replaceLast(
    state.agents,
    (agent) => agent.agentId === e.agentId,
    (agent) => ({ ...agent, until: e.t, end: { reason, calls, tokens } }),
  );
}

/** Batches: planned (`batch`) or opened by their first call (`streaming`, `serial`). */
export function applyBatch(state: SessionState, e: EventOf<'batch-planned' | 'batch-started' | 'batch-ended'>): void {
  switch (e.type) {
    case 'batch-planned':
      state.batches.push({
        batchId: e.batchId,
        agentId: e.agentId,
        messageId: e.messageId,
        kind: e.kind,
        from: undefined,
        until: undefined,
        callIds: [...e.callIds],
      });
      return;
    case 'batch-started': {
      const planned = findPlanned(state.batches, e);
      const batch = state.batches[planned];
      if (batch !== undefined) state.batches[planned] = { ...batch, from: e.t };
      else
        state.batches.push({
          batchId: e.batchId,
          agentId: e.agentId,
          messageId: e.messageId,
          kind: e.kind,
          from: e.t,
          until: undefined,
          callIds: [],
        });
      return;
    }
    case 'batch-ended':
      replaceLast(
        state.batches,
        (batch) => batch.batchId === e.batchId,
        (batch) => ({ ...batch, until: e.t }),
      );
      return;
    default:
      assertNever(e, 'batch event');
  }
}

/**
 * Where the batch was planned, or -1. Looks back only as far as its agent has worked on this message: most batches were
 * never planned, and a search through all of a session's would make folding it quadratic.
 */
function findPlanned(batches: readonly Batch[], e: EventOf<'batch-started'>): number {
  for (let i = batches.length - 1; i >= 0; i--) {
    const batch = batches[i] as Batch;
    if (batch.batchId === e.batchId) return i;
    if (batch.agentId === e.agentId && batch.messageId !== e.messageId) return -1;
  }
  return -1;
}

/** Runs of hook programs. */
export function applyHook(state: SessionState, e: EventOf<'hook-started' | 'hook-ended'>): void {
  if (e.type === 'hook-started') {
    state.hookRuns.push({
      runId: e.runId,
      callId: e.callId,
      hookEvent: e.hookEvent,
      matcher: e.matcher,
      command: e.command,
      source: e.source,
      from: e.t,
      timing: e.timing,
      end: undefined,
    });
    const at = e.callId === undefined ? undefined : state.callIndex[e.callId];
    const call = at === undefined ? undefined : state.calls[at];
    if (at !== undefined && call !== undefined) state.calls[at] = { ...call, hookRuns: [...call.hookRuns, e.runId] };
    return;
  }
  replaceLast(
    state.hookRuns,
    (run) => run.runId === e.runId,
    (run) => ({
      ...run,
      end: {
        at: e.t,
        exitCode: e.exitCode,
        outcome: e.outcome,
        stdout: e.stdout,
        stderr: e.stderr,
        effects: e.effects,
        notice: e.notice,
      },
    }),
  );
}

/** Adds a call that has started to its group. */
export function joinBatch(state: SessionState, e: EventOf<'call-started'>): void {
  const at = state.batches.findLastIndex((batch) => batch.batchId === e.batchId);
  const batch = state.batches[at];
  if (batch === undefined || isMember(batch, e.callId)) return;
  const callIds = grown(batch.callIds, e.callId);
  membersOf.get(callIds)?.add(e.callId);
  state.batches[at] = { ...batch, callIds };
}

/** The same as the lists of long batches, which are searched once for each of their calls. */
const membersOf = new WeakMap<readonly CallId[], Set<CallId>>();
const LONG_BATCH = 32;

function isMember({ callIds }: Batch, callId: CallId): boolean {
  if (callIds.length < LONG_BATCH) return callIds.includes(callId);
  const members = membersOf.get(callIds) ?? new Set(callIds);
  membersOf.set(callIds, members);
  return members.has(callId);
}
