import { z } from 'zod';
import { SessionId } from '../ids.ts';
import { Hit, TextKind } from './session.ts';
import { IndexState, LibraryOverview, LibraryPlaces, ROWS_PER_PAGE, RowAnswer, RowQuery } from './view.ts';

const none = z.undefined();
const id = z.number().int().positive();

/** Requests about all sessions of this machine. Sessions are named by the index's numbers: a page sends no path. */
export const libraryRequests = {
  'library.overview': { input: none, output: LibraryOverview },
  'library.query': {
    input: z.object({
      query: RowQuery,
      offset: z.number().int().nonnegative(),
      limit: z.number().int().positive().max(ROWS_PER_PAGE),
    }),
    output: RowAnswer,
  },
  /** All hits of one session. */
  'library.hits': {
    input: z.object({ id, text: z.string().min(1).max(1_000), kinds: z.array(TextKind).max(4) }),
    output: z.object({ hits: z.array(Hit) }),
  },
  /** Opens the session's file, or our session where it is one. */
  'library.open': { input: z.object({ id }), output: z.object({ sessionId: SessionId }) },
  /** Looks for files that are new or have changed, and reads them; `library.changed` tells how far it has come. */
  'library.refresh': { input: none, output: z.void() },
  /** Stops reading. What was read stays. */
  'library.cancel': { input: none, output: z.void() },
  /** How many sessions other programs have left here. Opens none of their files. */
  'library.found': {
    input: none,
    output: z.object({
      places: z.array(z.object({ format: z.string(), folder: z.string(), count: z.number().int() })),
    }),
  },
  /** Where sessions are looked for, with what is there. */
  'library.places': { input: none, output: LibraryPlaces },
  /** Adds a folder, or takes an added one away. */
  'library.set-folder': {
    input: z.object({ folder: z.string().min(1).max(4_000), on: z.boolean() }),
    output: z.void(),
  },
  /** Leaves the folders of a program out, or takes them in again. */
  'library.set-program': { input: z.object({ format: z.string().min(1).max(100), on: z.boolean() }), output: z.void() },
} as const;

export const libraryPushes = {
  /** What the index does has changed, or what is in it. */
  'library.changed': z.object({ index: IndexState }),
} as const;
