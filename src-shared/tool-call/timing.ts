import { z } from 'zod';
import { SessionTime } from '../units.ts';

/** Where a time comes from when it was not measured, best first (spec 6.2). */
export const TimeSource = z.enum([
  'telemetry',
  'duration-in-result',
  'progress-line',
  'agent-file',
  'hook-end',
  'previous-call',
  'block-time',
  'line-time',
  'order-only',
]);
export type TimeSource = z.output<typeof TimeSource>;

/** Was this moment seen, or worked out afterwards? Inferred moments lie somewhere in `earliest … latest`. */
export const Timing = z.discriminatedUnion('certainty', [
  z.object({ certainty: z.literal('measured') }),
  z.object({
    certainty: z.literal('inferred'),
    source: TimeSource,
    earliest: SessionTime,
    latest: SessionTime,
  }),
]);
export type Timing = z.output<typeof Timing>;
export const MEASURED: Timing = { certainty: 'measured' };
