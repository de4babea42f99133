import { z } from 'zod';

/** A wall-clock point in time: milliseconds since 1970-01-01 UTC. May have a fraction. */
export const Instant = z.number().brand<'Instant'>();
export type Instant = z.output<typeof Instant>;
export const instant = (ms: number): Instant => ms as Instant;

/**
 * A point on a session's own clock: milliseconds since the session started, never running backwards. Sleep of the
 * machine and changes of the wall clock do not bend it; all bars are drawn on it.
 */
export const SessionTime = z.number().brand<'SessionTime'>();
export type SessionTime = z.output<typeof SessionTime>;
export const sessionTime = (ms: number): SessionTime => ms as SessionTime;

/** A length of time in milliseconds. */
export const Millis = z.number().brand<'Millis'>();
export type Millis = z.output<typeof Millis>;
export const millis = (ms: number): Millis => ms as Millis;
