import { z } from 'zod';
import { maybe, number, text } from '../common/loose.ts';

export const Session = z.looseObject({
  id: text,
  title: text,
  directory: text,
  version: text,
  parentID: text,
  projectID: text,
  time: maybe(z.looseObject({ created: number, updated: number })),
});
export type Session = z.output<typeof Session>;

export const Message = z.looseObject({
  id: text,
  sessionID: text,
  role: text,
  parentID: text,
  modelID: text,
  model: maybe(z.looseObject({ modelID: text })),
  agent: text,
  mode: text,
  finish: text,
  cost: z.unknown().optional(),
  tokens: maybe(
    z.looseObject({
      input: number,
      output: number,
      reasoning: number,
      cache: maybe(z.looseObject({ read: number, write: number })),
    }),
  ),
  time: maybe(z.looseObject({ created: number, completed: number })),
  error: maybe(z.looseObject({ name: text, data: maybe(z.looseObject({ message: text })) })),
  summary: z.unknown().optional(),
});
export type Message = z.output<typeof Message>;

export const Part = z.looseObject({
  id: text,
  messageID: text,
  sessionID: text,
  type: text,
  text,
  synthetic: maybe(z.boolean()),
  ignored: maybe(z.boolean()),
  callID: text,
  tool: text,
  state: maybe(
    z.looseObject({
      status: text,
      input: z.unknown().optional(),
      output: z.unknown().optional(),
      error: z.unknown().optional(),
      title: text,
      metadata: maybe(z.looseObject({ exit: number, sessionId: text, sessionID: text })),
      time: maybe(z.looseObject({ start: number, end: number })),
    }),
  ),
  time: maybe(z.looseObject({ start: number, end: number })),
  /** Of a `retry` part. */
  error: maybe(z.looseObject({ name: text, data: maybe(z.looseObject({ message: text })) })),
});
export type Part = z.output<typeof Part>;
