import { z } from 'zod';
import { maybe, number, text } from '../common/loose.ts';

/** ISO text; numbers in converted files. */
const stamp = maybe(z.union([z.string(), z.number()]));
const list = maybe(z.array(z.unknown()));

export const ToolCall = z.looseObject({
  id: text,
  name: text,
  args: z.unknown().optional(),
  /** A list of `{functionResponse}`, or nothing. */
  result: z.unknown().optional(),
  status: text,
  /** When it was done; the same for all calls that went together. */
  timestamp: stamp,
  resultDisplay: z.unknown().optional(),
  agentId: text,
});
export type ToolCall = z.output<typeof ToolCall>;

export const Message = z.looseObject({
  id: text,
  timestamp: stamp,
  type: text,
  content: z.unknown().optional(),
  /** In place of content, in some versions. */
  parts: z.unknown().optional(),
  thoughts: list,
  tokens: maybe(z.looseObject({ input: number, output: number, cached: number, thoughts: number })),
  model: text,
  toolCalls: list,
});
export type Message = z.output<typeof Message>;

/** The first line of a session, or all of it in the era of one document. */
export const Head = z.looseObject({
  sessionId: text,
  projectHash: text,
  startTime: stamp,
  lastUpdated: stamp,
  kind: text,
  summary: text,
  directories: list,
  messages: list,
});
export type Head = z.output<typeof Head>;

/** What a checkpoint and a saved chat hold: the conversation as the model's server has it, without any time. */
export const Content = z.looseObject({ role: text, parts: list });
export type Content = z.output<typeof Content>;

export const MESSAGE_TYPES: ReadonlySet<string> = new Set([
  'user',
  'gemini',
  'model',
  'assistant',
  'info',
  'error',
  'warning',
]);
