import { formatMoment } from '../../src-shared/timeline/words.ts';

/** A time as the playhead tells it: `17.60 s`, `1:04`. */
export const exactTime = (t: number): string => (t < 60_000 ? `${(t / 1_000).toFixed(2)} s` : formatMoment(t));
