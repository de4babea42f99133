import { lastCompaction } from '../history/state.ts';
import { type AgentId, MAIN_AGENT } from '../ids.ts';
import type { Usage } from '../model/event.ts';
import { contextWindowOf } from '../model/prices.ts';
import { type ContentBlock, lengthOf } from '../tool-call/content.ts';
import type { ToolCall } from '../tool-call/state.ts';
import type { ModelRequest, SessionState } from './state.ts';

type Completed = ModelRequest & { readonly end: Extract<ModelRequest['end'], { kind: 'completed' }> };
const isCompleted = (request: ModelRequest): request is Completed => request.end?.kind === 'completed';

/** All that a request carried: new, written to the cache, and read from it. Undefined where it was not reported. */
export function inputOf({ inputTokens, cacheReadTokens = 0, cacheCreationTokens = 0 }: Usage): number | undefined {
  return inputTokens === undefined ? undefined : inputTokens + cacheReadTokens + cacheCreationTokens;
}

/** How full an agent's conversation is. */
export type ContextUse = {
  /** Tokens of the last request and its answer: what the next one begins with. */
  readonly used: number;
  /** Tokens that fit; undefined where nobody knows. */
  readonly window: number | undefined;
  readonly model: string | undefined;
  readonly usage: Usage;
};

/** Does the session's model answer for this agent, and no other one of its own? */
function answersFor({ agents }: SessionState, agentId: AgentId): boolean {
  const agent = agents.find((one) => one.agentId === agentId);
  return agentId === MAIN_AGENT || (agent !== undefined && agent.model === undefined);
}

/** After the agent's last answer; undefined as long as none told its tokens, as in a scenario. */
export function contextOf(state: SessionState, agentId: AgentId = MAIN_AGENT): ContextUse | undefined {
  const compaction = lastCompaction(state, agentId);
  for (let at = state.requests.length - 1; at >= 0; at--) {
    const request = state.requests[at];
    if (request?.agentId !== agentId || !isCompleted(request) || request.purpose !== undefined) continue;
    const { usage } = request.end;
    const input = inputOf(usage);
    if (input === undefined) continue;
    const model = request.model ?? state.model?.model;
    const chosen = answersFor(state, agentId) ? state.model : undefined;
    // Some servers answer under a name of their own.
    const names = [model, chosen?.model].filter((name) => name !== undefined);
    const window = chosen?.contextWindow ?? names.map(contextWindowOf).find((known) => known !== undefined);
    // It was asked before the summary took its place.
    const isPast = compaction !== undefined && at < compaction.place.requests;
    return { used: isPast ? compaction.tokensAfter : input + (usage.outputTokens ?? 0), window, model, usage };
  }
  return undefined;
}

/** What a call's result was of the request that carried it first. An estimate: servers count a request as a whole. */
export type ResultShare = { readonly tokens: number; readonly of: number };

/**
 * The tokens a request had more than the one before and its answer are those of the results between them; they are
 * shared out by their letters. Undefined before the next answer, and where tokens were not reported.
 */
export function resultShare(state: SessionState, call: ToolCall): ResultShare | undefined {
  const at = state.requests.findLastIndex((request) => request.messageId === call.messageId);
  const before = state.requests[at];
  if (before === undefined || !isCompleted(before)) return undefined;
  const next = state.requests.slice(at + 1).find((one) => one.agentId === call.agentId && isCompleted(one));
  if (next?.purpose !== undefined) return undefined;
  if (next === undefined || !isCompleted(next)) return undefined;
  const [had, has] = [inputOf(before.end.usage), inputOf(next.end.usage)];
  if (had === undefined || has === undefined) return undefined;
  const added = has - had - (before.end.usage.outputTokens ?? 0);
  const siblings = state.calls.filter(({ messageId }) => messageId === call.messageId);
  const all = siblings.reduce((sum, one) => sum + lettersOf(one), 0);
  // Less than nothing: the server has dropped thoughts of the message before.
  if (all === 0 || added <= 0) return undefined;
  return { tokens: Math.round((added * lettersOf(call)) / all), of: has };
}

/** A picture costs about as much as so many letters. */
const LETTERS_OF_A_PICTURE = 6_000;

function lettersOf(call: ToolCall): number {
  const end = 'end' in call ? call.end : undefined;
  const content: readonly ContentBlock[] = call.replaced?.content ?? end?.result.content ?? [];
  return content.reduce(
    (sum, block) => sum + (block.type === 'text' ? lengthOf(block) : block.type === 'image' ? LETTERS_OF_A_PICTURE : 0),
    0,
  );
}

/** Tokens and money of all answers so far, and of what was asked beside them. `cost` is undefined while none is known. */
export type Spent = { readonly tokensIn: number; readonly tokensOut: number; readonly cost: number | undefined };

export function spentOf(state: SessionState): Spent {
  let [tokensIn, tokensOut] = [0, 0];
  let cost: number | undefined;
  const add = (usage: Usage): void => {
    tokensIn += (usage.inputTokens ?? 0) + (usage.cacheReadTokens ?? 0) + (usage.cacheCreationTokens ?? 0);
    tokensOut += usage.outputTokens ?? 0;
    if (usage.costUsd !== undefined) cost = (cost ?? 0) + usage.costUsd;
  };
  // What a fork has copied was spent by another session.
  for (const request of state.requests.slice(state.history?.requests ?? 0)) {
    if (isCompleted(request)) add(request.end.usage);
  }
  state.asides.forEach(add);
  return { tokensIn, tokensOut, cost };
}
