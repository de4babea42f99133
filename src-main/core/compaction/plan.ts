import { lastCompaction } from '../../../src-shared/history/state.ts';
import type { AgentId, CallId } from '../../../src-shared/ids.ts';
import { type AssistantMessage, callById, type SessionState } from '../../../src-shared/session/state.ts';
import { contextOf } from '../../../src-shared/session/tokens.ts';
import { callsOf, inConversation, type Said } from '../conversation/in-conversation.ts';
import { LETTERS_PER_TOKEN, lettersOf } from './sizes.ts';

export const DEFAULT_COMPACT_AT = 80;
/** The last messages stay word for word: at most so many, of so many tokens, of this share of the window. */
const MOST_KEPT = 6;
const MOST_KEPT_TOKENS = 20_000;
const MOST_KEPT_SHARE = 0.2;
/** What waits for an answer stays, up to this share of the window. */
const MOST_WAITING_SHARE = 0.5;
/** So many answers lie between two compactions that nobody asked for: one that does not help must not be repeated. */
const LEAST_ANSWERS = 2;

/** Tokens of an agent's conversation as it would be sent now; an estimate behind the last answer. */
export function tokensNow(state: SessionState, agentId: AgentId): number | undefined {
  const context = contextOf(state, agentId);
  if (context === undefined) return undefined;
  const said = inConversation(state, agentId);
  let letters = 0;
  for (let at = said.length - 1; at >= 0; at--) {
    const entry = said[at] as Said;
    letters += lettersOf(state, entry);
    if (entry.kind === 'user' || !isAnswered(state, entry)) continue;
    // The answer itself is counted with its request; its results are not.
    letters -= entry.blocks.reduce((sum, block) => sum + (block.kind === 'text' ? block.text.length : 0), 0);
    break;
  }
  return context.used + Math.round(letters / LETTERS_PER_TOKEN);
}

const isAnswered = ({ requests }: SessionState, { requestId }: AssistantMessage): boolean =>
  requests.findLast((request) => request.requestId === requestId)?.end?.kind === 'completed';

/** Is an agent's conversation so full that it is to be compacted before the next request? */
export function isFull(state: SessionState, agentId: AgentId): boolean {
  const { compactAt = DEFAULT_COMPACT_AT } = state.settings;
  const window = contextOf(state, agentId)?.window;
  if (compactAt === 0 || window === undefined) return false;
  const last = lastCompaction(state, agentId);
  if (last !== undefined) {
    const since = state.requests
      .slice(last.place.requests)
      .filter(
        (request) => request.agentId === agentId && request.end?.kind === 'completed' && request.purpose === undefined,
      );
    if (since.length < LEAST_ANSWERS) return false;
  }
  return (tokensNow(state, agentId) ?? 0) >= (window * compactAt) / 100;
}

export type CompactionPlan = {
  /** Of all the agent's messages so many are told by the summary. */
  readonly entriesBefore: number;
  /** What stays word for word. */
  readonly kept: readonly Said[];
};

/**
 * Where an agent's conversation is cut. Undefined when there is nothing to tell in a summary. A cut never comes between
 * a call and its result: both belong to one entry. What stays points to nothing that does not.
 */
export function planCompaction(state: SessionState, agentId: AgentId): CompactionPlan | undefined {
  const said = inConversation(state, agentId);
  const letters = said.map((entry) => lettersOf(state, entry));
  const total = letters.reduce((sum, one) => sum + one, 0);
  const window = contextOf(state, agentId)?.window ?? Number.POSITIVE_INFINITY;
  const room = Math.min(total / 2, Math.min(MOST_KEPT_TOKENS, window * MOST_KEPT_SHARE) * LETTERS_PER_TOKEN);
  const answer = said.findLastIndex((entry) => entry.kind === 'assistant' && !entry.discarded);
  const waiting = letters.slice(answer + 1).reduce((sum, one) => sum + one, 0);
  let from = waiting <= window * MOST_WAITING_SHARE * LETTERS_PER_TOKEN ? answer + 1 : said.length;
  for (let left = room, kept = 0; from > 1 && kept < MOST_KEPT; from--) {
    const entry = said[from - 1] as Said;
    left -= letters[from - 1] ?? 0;
    if (left < 0) break;
    if (entry.kind === 'user' || !entry.discarded) kept++;
  }
  from = afterDangling(state, said, from);
  if (!said.slice(0, from).some((entry) => entry.kind === 'assistant' && !entry.discarded)) return undefined;
  const before = lastCompaction(state, agentId)?.entriesBefore ?? 0;
  return { entriesBefore: before + from, kept: said.slice(from) };
}

/** The first place from which on no result says that its text stands in an earlier call which has gone. */
function afterDangling(state: SessionState, said: readonly Said[], from: number): number {
  for (;;) {
    const kept = new Set(said.slice(from).flatMap(callsOf));
    const dangling = said.findLastIndex(
      (entry, at) => at >= from && callsOf(entry).some((callId) => pointsOutside(state, callId, kept)),
    );
    if (dangling === -1) return from;
    from = dangling + 1;
  }
}

function pointsOutside(state: SessionState, callId: CallId, kept: ReadonlySet<CallId>): boolean {
  const call = callById(state, callId);
  const target = call?.sameAs ?? call?.observed.unchanged_since;
  return typeof target === 'string' && !kept.has(target as CallId);
}
