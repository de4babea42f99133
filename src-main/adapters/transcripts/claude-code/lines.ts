import { z } from 'zod';
import { blocksIn, flag, maybe, number, text } from '../common/loose.ts';

/** What is known of one line of a Claude Code transcript or stream. Nothing is required, everything else is kept. */
export const Line = z.looseObject({
  type: text,
  subtype: text,
  uuid: text,
  parentUuid: maybe(z.string().nullable()),
  sessionId: text,
  session_id: text,
  /** ISO text; numbers in converted files. */
  timestamp: maybe(z.union([z.string(), z.number()])),
  version: text,
  claude_code_version: text,
  cwd: text,
  isSidechain: flag,
  isMeta: flag,
  isCompactSummary: flag,
  isApiErrorMessage: flag,
  agentId: text,
  permissionMode: text,
  requestId: text,
  toolUseID: text,
  parentToolUseID: text,
  parent_tool_use_id: maybe(z.string().nullable()),
  sourceToolUseID: text,
  toolDenialKind: text,
  origin: maybe(z.looseObject({ kind: text })),
  durationMs: number,
  operation: text,
  reason: text,
});
export type Line = z.output<typeof Line>;

export const Usage = z.looseObject({
  input_tokens: number,
  output_tokens: number,
  cache_read_input_tokens: number,
  cache_creation_input_tokens: number,
});
export type Usage = z.output<typeof Usage>;

export const Message = z.looseObject({
  id: text,
  role: text,
  model: text,
  stop_reason: maybe(z.string().nullable()),
  usage: maybe(Usage),
  content: z.unknown().optional(),
});
export type Message = z.output<typeof Message>;

export const Block = z.looseObject({
  type: z.string().catch('unknown'),
  id: text,
  name: text,
  text,
  thinking: text,
  tool_use_id: text,
  is_error: flag,
});
export type Block = z.output<typeof Block>;

/** The blocks of a content; see `blocksIn`. */
export const blocksOf = (content: unknown): readonly Block[] => blocksIn(Block, content);
