import { assertNever } from '../../../src-shared/assert-never.ts';
import type { AgentId } from '../../../src-shared/ids.ts';
import type { Block } from '../../../src-shared/model/event.ts';
import { callById, type SessionState } from '../../../src-shared/session/state.ts';
import type { ApiBlock, ApiMessage } from './api-message.ts';

/**
 * The conversation of one agent in the shape of the Messages API, from the events alone: the same journal always gives
 * the same bytes, and what was sent once is only added to. Every `tool_use` has exactly one `tool_result`, in call order,
 * in the user message after it; roles alternate. Attempts that were thrown away are left out, and so are thoughts without
 * a signature, which no server takes back.
 */
export function apiMessages(state: SessionState, agentId: AgentId): readonly ApiMessage[] {
  const messages: { role: 'user' | 'assistant'; content: ApiBlock[] }[] = [];
  const push = (role: 'user' | 'assistant', all: readonly ApiBlock[]): void => {
    // Servers refuse a text without words.
    const blocks = all.filter((block) => block.type !== 'text' || block.text.trim() !== '');
    if (blocks.length === 0) return;
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else messages.push({ role, content: [...blocks] });
  };
  for (const entry of state.entries) {
    if (entry.kind === 'notice' || entry.agentId !== agentId) continue;
    if (entry.kind === 'user') {
      const pictures = entry.images.map(({ mediaType, data }) => ({ type: 'image', mediaType, data }) as const);
      push('user', [...pictures, { type: 'text', text: entry.text }]);
      continue;
    }
    if (entry.discarded) continue;
    const uses: ApiBlock[] = [];
    const results: ApiBlock[] = [];
    for (const block of entry.blocks) {
      if (block.kind !== 'tool-use') uses.push(...wordsOf(block));
      if (block.kind !== 'tool-use') continue;
      const call = callById(state, block.callId);
      uses.push({ type: 'tool_use', id: block.callId, name: block.tool, input: call?.input ?? {} });
      const end = call !== undefined && 'end' in call ? call.end : undefined;
      results.push({
        type: 'tool_result',
        tool_use_id: block.callId,
        content: call?.replaced?.content ?? end?.result.content ?? [{ type: 'text', text: 'no result was recorded' }],
        is_error: end?.result.isError ?? true,
      });
    }
    push('assistant', uses);
    push('user', results);
  }
  return messages;
}

/** What goes back of a block that is no call. Thoughts without a signature are nobody's but ours. */
function wordsOf(block: Exclude<Block, { kind: 'tool-use' }>): readonly ApiBlock[] {
  switch (block.kind) {
    case 'text':
      return [{ type: 'text', text: block.text }];
    case 'thinking':
      return block.signature === undefined ? [] : [{ type: 'thinking', text: block.text, signature: block.signature }];
    case 'other':
      return [{ type: 'other', raw: block.raw }];
    default:
      return assertNever(block, 'block');
  }
}
