import { z } from 'zod';
import { SessionId } from '../ids.ts';
import { Instant } from '../units.ts';

/** Something odd in a file that was read: what, where, and what was done about it. Never fatal (spec 6.1). */
export const Finding = z.object({
  file: z.string(),
  /** From 1; 0 where a line makes no sense. */
  line: z.number().int().nonnegative(),
  kind: z.string(),
  message: z.string(),
});
export type Finding = z.output<typeof Finding>;

/** A row of the sessions list. */
export const SessionSummary = z.object({
  sessionId: SessionId,
  title: z.string(),
  cwd: z.string(),
  /** `live` sessions are our own; `imported` ones are read-only views of a file. */
  kind: z.enum(['live', 'imported']),
  /** `running`: a turn is going on; `waiting`: it waits for a person; `idle`: ready for a message; `ended`. */
  status: z.enum(['running', 'waiting', 'idle', 'ended']),
  lastTurn: z.enum(['ok', 'error', 'interrupted', 'none']),
  format: z.string(),
  startedAt: Instant,
  durationMs: z.number(),
  calls: z.number().int(),
  openCalls: z.number().int(),
  asks: z.number().int(),
  findings: z.number().int(),
  path: z.string(),
});
export type SessionSummary = z.output<typeof SessionSummary>;

/** A tile of the scenario gallery. */
export const ScenarioSummary = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  calls: z.number().int(),
  picture: z.string(),
  /** Why it cannot be started: its file is no scenario. */
  problem: z.string().optional(),
});
export type ScenarioSummary = z.output<typeof ScenarioSummary>;
