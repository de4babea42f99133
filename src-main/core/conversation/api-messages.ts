import { assertNever } from '../../../src-shared/assert-never.ts';
import { lastCompaction } from '../../../src-shared/history/state.ts';
import type { AgentId, CallId } from '../../../src-shared/ids.ts';
import type { Block } from '../../../src-shared/model/event.ts';
import { type AssistantMessage, callById, type SessionState } from '../../../src-shared/session/state.ts';
import type { ContentBlock } from '../../../src-shared/tool-call/content.ts';
import { summaryMessage } from '../compaction/words.ts';
import { type ApiBlock, type ApiMessage, isThought } from './api-message.ts';
import { inConversation, type Said } from './in-conversation.ts';

/** Stands first where a recording begins with the model's words. */
const BEGINNING_LOST = 'The beginning of this conversation was not recorded.';

/**
 * The conversation of one agent in the shape of the Messages API, from the events alone: the same journal always gives
 * the same bytes, and what was sent once is only added to, until a summary takes the place of its beginning. Every
 * `tool_use` has exactly one `tool_result`, in call order, in the user message after it; roles alternate. Attempts that
 * were thrown away are left out, and so are thoughts that no server takes back: those without a signature, and those at
 * the end of a message that was stopped behind them, and those that a server has refused. What recordings of other programs hold that no server takes is put
 * right.
 */
export function apiMessages(state: SessionState, agentId: AgentId): readonly ApiMessage[] {
  const messages = new Messages();
  const compaction = lastCompaction(state, agentId);
  if (compaction !== undefined) messages.push('user', [{ type: 'text', text: summaryMessage(compaction.summary) }]);
  const seen = new Set<CallId>();
  const copied = new Set<Said>(state.entries.slice(0, state.history?.entries ?? 0).filter(isSaid));
  const said = inConversation(state, agentId);
  const refusedBefore = said.findLastIndex((entry) => entry.kind === 'assistant' && entry.thoughtsRefused === true);
  for (const [at, entry] of said.entries()) {
    if (entry.kind === 'user') {
      const pictures = entry.images.map(({ mediaType, data }) => ({ type: 'image', mediaType, data }) as const);
      messages.push('user', [...pictures, { type: 'text', text: entry.text }]);
    } else if (!entry.discarded) {
      const { words, results } = answerOf(state, entry, { seen, isCopied: copied.has(entry) });
      messages.push('assistant', at < refusedBefore ? words.filter((block) => !isThought(block)) : words);
      messages.push('user', results);
    }
  }
  return messages.end();
}

const isSaid = (entry: SessionState['entries'][number]): entry is Said => entry.kind !== 'notice';

class Messages {
  readonly #all: { role: 'user' | 'assistant'; content: ApiBlock[] }[] = [];

  push(role: 'user' | 'assistant', added: readonly ApiBlock[]): void {
    // Servers refuse a text without words.
    const blocks = added.filter((block) => block.type !== 'text' || block.text.trim() !== '');
    if (blocks.length === 0) return;
    if (role === 'user') this.#endAnswer();
    const last = this.#all.at(-1);
    if (last === undefined && role === 'assistant') this.push('user', [{ type: 'text', text: BEGINNING_LOST }]);
    if (last?.role === role) last.content.push(...blocks);
    else this.#all.push({ role, content: [...blocks] });
  }

  /** Nothing more comes. */
  end(): readonly ApiMessage[] {
    this.#endAnswer();
    return this.#all;
  }

  /** No answer may end with a thought, or be nothing else. It has not been sent yet: what is sent ends with the user. */
  #endAnswer(): void {
    const last = this.#all.at(-1);
    if (last?.role !== 'assistant') return;
    last.content.splice(last.content.findLastIndex((block) => !isThought(block)) + 1);
    if (last.content.length === 0) this.#all.pop();
  }
}

/** @param about `seen`: ids used so far, which grow; `isCopied`: it was copied from another session. */
function answerOf(
  state: SessionState,
  { blocks }: AssistantMessage,
  about: { readonly seen: Set<CallId>; readonly isCopied: boolean },
): { readonly words: readonly ApiBlock[]; readonly results: readonly ApiBlock[] } {
  const words: ApiBlock[] = [];
  const results: ApiBlock[] = [];
  for (const block of blocks) {
    if (block.kind !== 'tool-use') {
      words.push(...wordsOf(block, about.isCopied));
      continue;
    }
    const { callId, tool } = block;
    // Some recordings tell of a call twice.
    if (about.seen.has(callId)) continue;
    about.seen.add(callId);
    const call = callById(state, callId);
    words.push({ type: 'tool_use', id: callId, name: tool, input: objectOf(call?.input) });
    const end = call !== undefined && 'end' in call ? call.end : undefined;
    const content = call?.replaced?.content ??
      end?.result.content ?? [{ type: 'text', text: 'no result was recorded' }];
    results.push({
      type: 'tool_result',
      tool_use_id: callId,
      // A copy of each list of a long conversation would stay for as long as the request does.
      content: content.every(hasSomething) ? content : content.filter(hasSomething),
      is_error: end?.result.isError ?? true,
    });
  }
  return { words, results };
}

const hasSomething = (part: ContentBlock): boolean => part.type !== 'text' || part.text !== '';

/** Servers take objects only; some programs have tools whose input is a text. */
function objectOf(input: unknown): unknown {
  if (input === undefined || input === null) return {};
  return typeof input === 'object' && !Array.isArray(input) ? input : { input };
}

/** What goes back of a block that is no call. Thoughts without a signature are nobody's but ours. */
function wordsOf(block: Exclude<Block, { kind: 'tool-use' }>, isCopied: boolean): readonly ApiBlock[] {
  switch (block.kind) {
    case 'text':
      return [{ type: 'text', text: block.text }];
    case 'thinking': {
      const { text, signature = '' } = block;
      return signature.trim() === '' ? [] : [{ type: 'thinking', text, signature }];
    }
    case 'other':
      return isCopied && !isThought({ type: 'other', raw: block.raw }) ? [] : [{ type: 'other', raw: block.raw }];
    default:
      return assertNever(block, 'block');
  }
}
