import { z } from 'zod';

const count = z.number().int().nonnegative();

/** What the vault holds of one program. */
export const VaultProgram = z.object({
  /** The format's name, `folders` for folders that a person has added. */
  program: z.string(),
  sessions: count,
  files: count,
  bytes: z.number(),
});
export type VaultProgram = z.output<typeof VaultProgram>;

/** What one run of copying came to. */
export const VaultRun = z.object({
  /** Epoch ms. */
  at: z.number(),
  endedAt: z.number(),
  /** Files that were copied, and their bytes. */
  files: count,
  bytes: z.number(),
  /** Files that could not be copied. */
  problems: count,
  /** A person has stopped it. */
  stopped: z.boolean(),
});
export type VaultRun = z.output<typeof VaultRun>;

/** A file of which something is wrong, and what, as a sentence. */
export const VaultProblem = z.object({ path: z.string(), message: z.string() });
export type VaultProblem = z.output<typeof VaultProblem>;

export const VaultStatus = z.object({
  /** Most bytes first. */
  programs: z.array(VaultProgram),
  sessions: count,
  files: count,
  bytes: z.number(),
  /** Versions that were replaced by others, and are kept. */
  older: z.object({ files: count, bytes: z.number() }),
  /** Sessions of which only the vault has the file. */
  gone: count,
  /** What is new or has changed since the last run. */
  waiting: z.object({ files: count, bytes: z.number() }),
  /** Databases of other programs, which are not copied. Absolute paths. */
  leftOut: z.array(z.string()),
  lastRun: VaultRun.optional(),
});
export type VaultStatus = z.output<typeof VaultStatus>;

export const VaultWork = z.enum(['run', 'verify', 'restore']);
export type VaultWork = z.output<typeof VaultWork>;

/** What the last work came to, in words, and the files that something is wrong with. */
export const VaultOutcome = z.object({
  work: VaultWork,
  message: z.string(),
  hint: z.string().optional(),
  /** The first of them; `problems` counts all. */
  first: z.array(VaultProblem),
  problems: count,
  /** False where it failed as a whole. */
  done: z.boolean(),
});
export type VaultOutcome = z.output<typeof VaultOutcome>;

export const VaultState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('idle'), outcome: VaultOutcome.optional() }),
  z.object({ kind: z.literal('looking'), work: VaultWork }),
  z.object({
    kind: z.literal('busy'),
    work: VaultWork,
    files: count,
    ofFiles: count,
    bytes: z.number(),
    ofBytes: z.number(),
  }),
]);
export type VaultState = z.output<typeof VaultState>;

export const VaultOverview = z.object({
  /** Absent where none was chosen. Absolute. */
  folder: z.string().optional(),
  whileRunning: z.boolean(),
  state: VaultState,
  /** Absent while it cannot be told: `problem` says why. */
  status: VaultStatus.optional(),
  problem: z.object({ message: z.string(), hint: z.string().optional() }).optional(),
});
export type VaultOverview = z.output<typeof VaultOverview>;
