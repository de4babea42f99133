import { z } from 'zod';
import { FoundSession, Hit, TextKind } from '../../../src-shared/library/session.ts';
import { Facets, RowAnswer, RowQuery } from '../../../src-shared/library/view.ts';
import type { OpenedTranscript } from '../../ports/transcript-reader.ts';

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
  /** A vault, absolute: sessions that have lost their own file are found there. */
  vault: z.string().optional(),
  /** Only what lies in `folders` is looked at: nothing is forgotten because it lies elsewhere. */
  onlyThere: z.boolean().optional(),
  ask: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('list') }),
    z.object({ kind: z.literal('search'), query: SearchQuery }),
    /** Only brings the index up to date; `reading` tells when all files are listed. */
    z.object({ kind: z.literal('update') }),
    /** Counts files that may be sessions, by folder. Opens none of them. */
    z.object({ kind: z.literal('count') }),
    /** Reads a session of a database: SQLite, a native module, is loaded into this process alone. Knows no index. */
    z.object({ kind: z.literal('open'), path: z.string() }),
    /** Answers questions, as the index is, until the process is ended. */
    z.object({ kind: z.literal('serve') }),
  ]),
});
export type LibraryRequest = z.output<typeof LibraryRequest>;

/** Made by this program a moment ago: thousands of events are not checked again. */
const Opened = z.custom<OpenedTranscript>((value) => typeof value === 'object' && value !== null && 'events' in value);

export const LibraryMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('progress'), done: z.number(), total: z.number() }),
  z.object({ kind: z.literal('sessions'), sessions: z.array(FoundSession) }),
  z.object({ kind: z.literal('hits'), answer: SearchAnswer }),
  z.object({ kind: z.literal('updated') }),
  z.object({ kind: z.literal('counted'), counts: z.array(z.object({ folder: z.string(), count: z.number() })) }),
  z.object({ kind: z.literal('opened'), session: Opened }),
  /** As `TranscriptUnreadable` has it. */
  z.object({ kind: z.literal('unreadable'), path: z.string(), what: z.string(), hint: z.string() }),
  z.object({ kind: z.literal('failed'), message: z.string() }),
]);
export type LibraryMessage = z.output<typeof LibraryMessage>;

/** As `src-main/ports/library-index.ts` says. */
const Surroundings = z.object({
  ownFolder: z.string(),
  running: z.array(z.string()),
  now: z.number(),
  vaultFolder: z.string().optional(),
});
export type Surroundings = z.output<typeof Surroundings>;

/** A question to a process that serves. */
export const IndexQuestion = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('facets'), around: Surroundings }),
  z.object({
    kind: z.literal('rows'),
    query: RowQuery,
    offset: z.number(),
    limit: z.number(),
    around: Surroundings,
  }),
  z.object({ kind: z.literal('hits'), id: z.number(), text: z.string(), kinds: z.array(TextKind) }),
  z.object({ kind: z.literal('path'), id: z.number() }),
]);
export type IndexQuestion = z.output<typeof IndexQuestion>;

export const AskedQuestion = z.object({ number: z.number(), question: IndexQuestion });

export const QuestionAnswer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('facets'), facets: Facets }),
  z.object({ kind: z.literal('rows'), answer: RowAnswer }),
  z.object({ kind: z.literal('hits'), hits: z.array(Hit) }),
  z.object({ kind: z.literal('path'), path: z.string().optional() }),
  z.object({ kind: z.literal('failed'), message: z.string() }),
]);
export type QuestionAnswer = z.output<typeof QuestionAnswer>;

export const ServedMessage = z.object({ number: z.number(), answer: QuestionAnswer });
