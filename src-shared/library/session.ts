import { z } from 'zod';

/** Where a text stands in its session. */
export const TextKind = z.enum(['prompt', 'answer', 'input', 'output']);
export type TextKind = z.output<typeof TextKind>;

/** A session as the index knows it. */
export const FoundSession = z.object({
  path: z.string(),
  format: z.string(),
  version: z.string(),
  title: z.string(),
  cwd: z.string(),
  /** Epoch ms of its start, or of the file's last change where it tells no time. */
  startedAt: z.number(),
  durationMs: z.number(),
  /** False where the file tells an order of events and no times. */
  timed: z.boolean(),
  bytes: z.number(),
  events: z.number().int(),
  calls: z.number().int(),
  errors: z.number().int(),
  cancelled: z.number().int(),
  cascades: z.number().int(),
  rejections: z.number().int(),
  savedOutputs: z.number().int(),
  savedBytes: z.number(),
  agents: z.number().int(),
  findings: z.number().int(),
  /** Calls that ran at once, at most. */
  mostAtOnce: z.number().int(),
  /** Questions a person answered, and how long they waited in all, in ms. */
  asks: z.number().int(),
  askedMs: z.number(),
  tokensIn: z.number(),
  tokensOut: z.number(),
  /** In dollars; absent where nobody knows it. */
  cost: z.number().optional(),
  /** The last turn was stopped by a person. */
  interrupted: z.boolean(),
  /** The beginning of the first prompt. */
  prompt: z.string(),
  /** The chart in small: lanes apart by `/`, a letter a column (`shape-of.ts` in main). Empty without calls. */
  shape: z.string(),
  /** Why its texts are not in the index; empty where they are. */
  problem: z.string(),
});
export type FoundSession = z.output<typeof FoundSession>;

/** The `problem` of a file whose turn has not come yet. */
export const NOT_READ = 'is not read yet';

/** A stretch of a text, from and to in UTF-16 units. */
export const Stretch = z.tuple([z.number().int(), z.number().int()]);

export const Hit = z.object({
  kind: TextKind,
  tool: z.string(),
  /** Absent for prompts and answers. */
  callId: z.string().optional(),
  /** Session time in ms. */
  t: z.number(),
  snippet: z.string(),
  /** What of the snippet was searched for. */
  marks: z.array(Stretch),
});
export type Hit = z.output<typeof Hit>;
