import { callById, type SessionState } from '../../../src-shared/session/state.ts';
import type { ContentBlock } from '../../../src-shared/tool-call/content.ts';
import type { ApiMessage } from '../conversation/api-message.ts';
import { callsOf, type Said } from '../conversation/in-conversation.ts';

/** About so many letters are a token. */
export const LETTERS_PER_TOKEN = 4;
/** A picture costs about as much as so many letters. */
const LETTERS_OF_A_PICTURE = 6_000;

/** About how long an entry of the conversation is when it is sent. Letters. */
export function lettersOf(state: SessionState, entry: Said): number {
  if (entry.kind === 'user') return entry.text.length + entry.images.length * LETTERS_OF_A_PICTURE;
  if (entry.discarded) return 0;
  const own = entry.blocks.reduce((sum, block) => {
    if (block.kind === 'text') return sum + block.text.length;
    return sum + (block.kind === 'thinking' && block.signature === undefined ? 0 : JSON.stringify(block).length);
  }, 0);
  return callsOf(entry).reduce((sum, callId) => sum + lettersOfCall(state, callId), own);
}

function lettersOfCall(state: SessionState, callId: Parameters<typeof callById>[1]): number {
  const call = callById(state, callId);
  if (call === undefined) return 0;
  const end = 'end' in call ? call.end : undefined;
  const content = call.replaced?.content ?? end?.result.content ?? [];
  return (JSON.stringify(call.input)?.length ?? 0) + content.reduce((sum, part) => sum + lettersOfPart(part), 0);
}

function lettersOfPart(part: ContentBlock): number {
  if (part.type === 'text') return part.text.length;
  return part.type === 'image' ? LETTERS_OF_A_PICTURE : JSON.stringify(part).length;
}

/** The same of a whole request's messages. */
export const lettersOfMessages = (messages: readonly ApiMessage[]): number =>
  messages.reduce((sum, { content }) => sum + content.reduce((all, block) => all + lettersOfBlock(block), 0), 0);

function lettersOfBlock(block: ApiMessage['content'][number]): number {
  switch (block.type) {
    case 'text':
      return block.text.length;
    case 'image':
      return LETTERS_OF_A_PICTURE;
    case 'tool_result':
      return block.content.reduce((sum, part) => sum + lettersOfPart(part), 0);
    default:
      return JSON.stringify(block).length;
  }
}
