import { z } from 'zod';
import { Instant, SessionTime } from '../units.ts';

/**
 * What every event carries. `seq` counts from 0 without gaps; `at` is the wall clock, `t` the session's own clock
 * (see `SessionTime`): order and lengths come from `t`, dates from `at`.
 */
export const stampShape = {
  seq: z.number().int().nonnegative(),
  at: Instant,
  t: SessionTime,
} as const;

/** Declares one kind of event: its type, its facts, and the stamp. */
export const event = <T extends string, S extends z.ZodRawShape>(type: T, facts: S) =>
  z.object({ type: z.literal(type), ...stampShape, ...facts });
