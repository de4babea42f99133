import type { ContentBlock } from '../../../src-shared/tool-call/content.ts';

/** The conversation in the shape of the Messages API, provider-neutral. */
export type ApiBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly mediaType: string; readonly data: string }
  /** With its signature it goes back to the server that made it; without one it stays here. */
  | { readonly type: 'thinking'; readonly text: string; readonly signature: string }
  /** A block of the server's own kind, as it came. */
  | { readonly type: 'other'; readonly raw: unknown }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: unknown }
  | {
      readonly type: 'tool_result';
      readonly tool_use_id: string;
      readonly content: readonly ContentBlock[];
      readonly is_error: boolean;
    };
export type ApiMessage = { readonly role: 'user' | 'assistant'; readonly content: readonly ApiBlock[] };

/** Thoughts, hidden ones too: the one block of a server's own kind that may go back to another session's server. */
export function isThought(block: ApiBlock): boolean {
  if (block.type === 'thinking') return true;
  return block.type === 'other' && (block.raw as { type?: unknown } | null | undefined)?.type === 'redacted_thinking';
}
