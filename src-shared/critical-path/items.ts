import type { AgentId, CallId, MessageId } from '../ids.ts';
import type { Agent, HookRun, ModelRequest, SessionState } from '../session/state.ts';
import { isEnded } from '../timeline/parts.ts';
import type { ToolCall } from '../tool-call/state.ts';

/** Times closer than this, in ms, are one moment: the scheduler's own work lies in between. */
export const MOMENT_MS = 1;

/** A request or a call, with the time it ended (or the turn's end, where it has not). */
export type PathItem = { readonly start: number; readonly end: number } & (
  | { readonly call: ToolCall; readonly request?: undefined }
  | { readonly request: ModelRequest; readonly call?: undefined }
);

/** What a turn holds, by the time it ended. Made once for a turn. */
export class TurnItems {
  private readonly byAgent = new Map<AgentId, PathItem[]>();
  /** By start. */
  private readonly requests = new Map<AgentId, PathItem[]>();
  private readonly byCall = new Map<CallId, PathItem>();
  private readonly byMessage = new Map<MessageId, PathItem>();
  private readonly agentsOf = new Map<CallId, Agent>();
  /** Runs of hooks that belong to no call, by start. */
  private readonly hooks: readonly HookRun[];

  constructor(state: SessionState, from: number, until: number) {
    for (let i = firstAt(state.calls, (call) => call.queuedAt >= from); i < state.calls.length; i++) {
      const call = state.calls[i] as ToolCall;
      if (call.queuedAt > until) break;
      const end = isEnded(call) ? call.end.at : until;
      const run = call.phase === 'queued' ? undefined : call.run;
      if (end <= until) this.put(call.agentId, { call, start: run?.at ?? call.queuedAt, end });
    }
    for (let i = firstAt(state.requests, (request) => request.from >= from); i < state.requests.length; i++) {
      const request = state.requests[i] as ModelRequest;
      if (request.from > until) break;
      this.put(request.agentId, { request, start: request.from, end: Math.min(until, request.end?.at ?? until) });
    }
    for (const list of this.byAgent.values()) list.sort((a, b) => a.end - b.end || a.start - b.start);
    for (let i = firstAt(state.agents, (agent) => agent.from >= from); i < state.agents.length; i++) {
      const agent = state.agents[i] as Agent;
      if (agent.from > until) break;
      if (agent.parentCallId !== undefined) this.agentsOf.set(agent.parentCallId, agent);
    }
    this.hooks = state.hookRuns
      .slice(firstAt(state.hookRuns, (run) => run.from >= from))
      .filter((run) => run.callId === undefined && run.from <= until);
  }

  private put(agentId: AgentId, item: PathItem): void {
    const list = this.byAgent.get(agentId);
    if (list === undefined) this.byAgent.set(agentId, [item]);
    else list.push(item);
    if (item.call !== undefined) this.byCall.set(item.call.callId, item);
    else {
      const requests = this.requests.get(agentId);
      if (requests === undefined) this.requests.set(agentId, [item]);
      else requests.push(item);
      if (item.request.messageId !== undefined) this.byMessage.set(item.request.messageId, item);
    }
  }

  ofCall(callId: CallId): PathItem | undefined {
    return this.byCall.get(callId);
  }

  /** The agent that worked inside of a call. */
  inside(callId: CallId): Agent | undefined {
    return this.agentsOf.get(callId);
  }

  /** The newest thing of an agent that had ended at `t`, at `since` at the earliest, and that `fits`. */
  lastEnded(
    agentId: AgentId,
    { t, since = Number.NEGATIVE_INFINITY }: { readonly t: number; readonly since?: number },
    fits: (item: PathItem) => boolean,
  ): PathItem | undefined {
    const list = this.byAgent.get(agentId) ?? [];
    for (let i = firstAt(list, ({ end }) => end > t + MOMENT_MS) - 1; i >= 0; i--) {
      const item = list[i] as PathItem;
      if (item.end < since) return undefined;
      if (fits(item)) return item;
    }
    return undefined;
  }

  /** The request in whose message a call stood; where the message is not known, the one that ran when it came. */
  requestOf(call: ToolCall): PathItem | undefined {
    const own = this.byMessage.get(call.messageId);
    if (own !== undefined) return own;
    const list = this.requests.get(call.agentId) ?? [];
    return list[firstAt(list, ({ start }) => start > call.queuedAt) - 1];
  }

  /** The hook of no call that ran last in a stretch. */
  lastHook(from: number, until: number): { readonly from: number; readonly until: number } | undefined {
    for (let i = this.hooks.length - 1; i >= 0; i--) {
      const run = this.hooks[i] as HookRun;
      const end = Math.min(until, run.end?.at ?? until);
      if (run.from < until && end > from && end > run.from) return { from: Math.max(from, run.from), until: end };
    }
    return undefined;
  }
}

/** Index of the first thing that `isThere`; all after it are as well. */
function firstAt<T>(list: readonly T[], isThere: (item: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isThere(list[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}
