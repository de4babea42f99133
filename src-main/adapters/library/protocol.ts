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
  bytes: z.number(),
  calls: z.number().int(),
  errors: z.number().int(),
  cascades: z.number().int(),
  rejections: z.number().int(),
  savedOutputs: z.number().int(),
  agents: z.number().int(),
  findings: z.number().int(),
  /** Why its texts are not in the index; empty where they are. */
  problem: z.string(),
});
export type FoundSession = z.output<typeof FoundSession>;

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

export const SessionHits = z.object({ session: FoundSession, hits: z.array(Hit) });
export type SessionHits = z.output<typeof SessionHits>;

export const SearchQuery = z.object({
  text: z.string().max(1_000),
  kinds: z.array(TextKind),
  /** Part of the project folder's path; empty for all. */
  project: z.string(),
  order: z.enum(['best', 'newest']),
  limit: z.number().int().positive().max(1_000),
});
export type SearchQuery = z.output<typeof SearchQuery>;

export const SearchAnswer = z.object({
  sessions: z.array(SessionHits),
  hits: z.number().int(),
  /** There are more hits than these. */
  more: z.boolean(),
  /** How long the search itself took. */
  ms: z.number(),
});
export type SearchAnswer = z.output<typeof SearchAnswer>;

export const LibraryRequest = z.object({
  /** The index's file, absolute. */
  indexFile: z.string(),
  /** Folders to look into, absolute; those that do not exist are skipped. */
  folders: z.array(z.string()),
  ask: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('list') }),
    z.object({ kind: z.literal('search'), query: SearchQuery }),
  ]),
});
export type LibraryRequest = z.output<typeof LibraryRequest>;

export const LibraryMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('progress'), done: z.number(), total: z.number() }),
  z.object({ kind: z.literal('sessions'), sessions: z.array(FoundSession) }),
  z.object({ kind: z.literal('hits'), answer: SearchAnswer }),
  z.object({ kind: z.literal('failed'), message: z.string() }),
]);
export type LibraryMessage = z.output<typeof LibraryMessage>;
