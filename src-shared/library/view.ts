import { z } from 'zod';
import { FoundSession, Hit, TextKind } from './session.ts';

/** The most rows that one question answers; the rest is asked for by asking again. */
export const ROWS_PER_PAGE = 100;
/** The most hits that are looked for. */
export const MOST_HITS = 1_000;
/** Hits that stand in a session's row. */
export const HITS_IN_ROW = 3;

/** `vault`: only the vault has them, their own file is gone. */
export const Where = z.enum(['all', 'running', 'own', 'machine', 'vault']);
export type Where = z.output<typeof Where>;
export const Has = z.enum(['cascade', 'rejection', 'saved', 'agents', 'findings']);
export type Has = z.output<typeof Has>;
export const When = z.enum(['any', 'day', 'week', 'month']);
export type When = z.output<typeof When>;

/** Which sessions are looked for. */
export const RowQuery = z.object({
  text: z.string().max(1_000),
  /** All kinds when it is empty. */
  kinds: z.array(TextKind).max(4),
  where: Where,
  /** The project's folder, whole; empty for all. */
  project: z.string().max(4_000),
  has: z.array(Has).max(5),
  when: When,
  order: z.enum(['best', 'newest', 'oldest', 'longest', 'errors']),
});
export type RowQuery = z.output<typeof RowQuery>;

/** A session in the list, with its first hits where a text was searched for. */
export const LibraryRow = FoundSession.extend({
  /** Names it for `library.open` and `library.hits`. */
  id: z.number().int(),
  own: z.boolean(),
  running: z.boolean(),
  /** Its own file is gone; this is the copy in the vault. */
  inVault: z.boolean(),
  /** Hits in all, of which `first` are here. */
  hits: z.number().int(),
  first: z.array(Hit),
});
export type LibraryRow = z.output<typeof LibraryRow>;

export const RowAnswer = z.object({
  rows: z.array(LibraryRow),
  total: z.number().int(),
  /** Hits in all sessions found, at most `MOST_HITS`; `moreHits` when there are others. */
  hits: z.number().int(),
  moreHits: z.boolean(),
  /** These are the first hits, of the newest sessions; whoever asks again gets those found meanwhile. */
  looking: z.boolean(),
  ms: z.number(),
});
export type RowAnswer = z.output<typeof RowAnswer>;

const count = z.number().int();

/** How many sessions each choice of the facets has, whatever is chosen. */
export const Facets = z.object({
  where: z.record(Where, count),
  has: z.record(Has, count),
  when: z.record(When, count),
  /** Most sessions first; `name` is the folder's own. */
  projects: z.array(z.object({ folder: z.string(), name: z.string(), count })),
  bytes: z.number(),
});
export type Facets = z.output<typeof Facets>;

/** What the index is doing. */
export const IndexState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('unknown') }),
  /** Looks for files; nothing is known yet of how many have to be read. */
  z.object({ kind: z.literal('looking') }),
  z.object({ kind: z.literal('reading'), done: count, total: count }),
  z.object({ kind: z.literal('current') }),
  /** A person has stopped it. */
  z.object({ kind: z.literal('stopped') }),
  z.object({ kind: z.literal('failed'), message: z.string() }),
]);
export type IndexState = z.output<typeof IndexState>;

const Place = z.object({
  folder: z.string(),
  /** False: it does not exist, or is not connected. */
  there: z.boolean(),
  /** Files in it that may be sessions; absent while they are counted. */
  count: count.optional(),
});

/** Where the library looks, and where it does not. */
export const LibraryPlaces = z.object({
  /** False: no folder of another program is looked into, whatever `programs` says. */
  otherPrograms: z.boolean(),
  /** Programs whose folders are there, or that are left out. */
  programs: z.array(z.object({ format: z.string(), on: z.boolean(), places: z.array(Place) })),
  /** What a person has added. */
  added: z.array(Place),
});
export type LibraryPlaces = z.output<typeof LibraryPlaces>;

export const LibraryOverview = z.object({
  facets: Facets,
  index: IndexState,
  /** False: folders of other programs are not looked into, because the settings say so. */
  otherPrograms: z.boolean(),
});
export type LibraryOverview = z.output<typeof LibraryOverview>;
