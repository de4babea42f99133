import { MEASURED, type Timing } from '../../../../src-shared/tool-call/timing.ts';
import { sessionTime } from '../../../../src-shared/units.ts';
import type { BestTime } from './judged.ts';

/** As the session's own times. `zero`: wall ms of session time 0. */
export function timingOf(time: BestTime, zero: number): Timing {
  if (time.source === 'measured') return MEASURED;
  const [earliest, latest] = [time.earliest - zero, time.latest - zero];
  return {
    certainty: 'inferred',
    source: time.source,
    earliest: sessionTime(Math.max(0, earliest)),
    latest: sessionTime(Math.max(0, earliest, latest)),
  };
}
