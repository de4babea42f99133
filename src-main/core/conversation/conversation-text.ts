import type { ContentBlock } from '../../../src-shared/tool-call/content.ts';
import { cutText } from '../results/texts.ts';
import type { ApiBlock, ApiMessage } from './api-message.ts';

const MOST_INPUT = 2_000;
const MOST_RESULT = 4_000;
const MOST_WORDS = 20_000;

/**
 * A conversation as a text for somebody who was not there: words, calls and results, thoughts left out. Where it is too
 * long its middle goes, since the task stands at the beginning and what matters now at the end.
 * @param most characters.
 */
export function conversationText(messages: readonly ApiMessage[], most: number): string {
  const parts = messages.flatMap(({ role, content }) => content.flatMap((block) => partOf(role, block)));
  const [first = '', ...rest] = parts;
  const kept: string[] = [];
  let room = most - first.length;
  for (const part of [...rest].reverse()) {
    room -= part.length;
    if (room < 0) break;
    kept.unshift(part);
  }
  const left = rest.length - kept.length;
  return [first, ...(left === 0 ? [] : [`[${left} parts of the conversation are left out here]`]), ...kept].join(
    '\n\n',
  );
}

const WHO = { user: 'Person', assistant: 'Agent' } as const;

function partOf(role: ApiMessage['role'], block: ApiBlock): readonly string[] {
  switch (block.type) {
    case 'text':
      return block.text.trim() === '' ? [] : [`${WHO[role]}: ${cutText(block.text, MOST_WORDS, '…')}`];
    case 'image':
      return [`${WHO[role]}: [picture]`];
    case 'tool_use':
      return [`Agent calls ${block.name}: ${cutText(JSON.stringify(block.input) ?? '', MOST_INPUT, '…')}`];
    case 'tool_result': {
      const how = block.is_error ? 'Result, an error' : 'Result';
      return [`${how}: ${cutText(block.content.map(wordsOf).join('\n'), MOST_RESULT, '…')}`];
    }
    case 'thinking':
    case 'other':
      return [];
  }
}

const wordsOf = (block: ContentBlock): string => (block.type === 'text' ? block.text : `[${block.type}]`);
