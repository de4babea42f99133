import { median, rounded, share } from './measure.ts';
import { openBench } from './timeline/run-page.ts';

const SECONDS = 20;
const EVENTS_PER_SECOND = 1_000;

/**
 * The chart of a session that gets 1,000 events a second (spec 7.4), in a window of its own: fold, model, layout and paint.
 * The way from main to the page is not in it.
 * `empty` folds the events and draws one rectangle: what the machine itself makes of it.
 */
export default async function timelineLive() {
  const bench = await openBench();
  try {
    const rows = [];
    for (const what of ['empty', 'ours']) {
      const { toPixel, frames } = await bench.live(what, SECONDS, EVENTS_PER_SECOND);
      rows.push({
        what,
        'event → pixel median ms': rounded(median(toPixel)),
        'event → pixel p95 ms': rounded(share(toPixel, 0.95)),
        'frame median ms': rounded(median(frames)),
        'frame p95 ms': rounded(share(frames, 0.95)),
        'longest frame ms': rounded(Math.max(...frames)),
        'frames over 50 ms': frames.filter((ms) => ms > 50).length,
        frames: frames.length,
      });
    }
    return { name: `Live: ${EVENTS_PER_SECOND} events a second for ${SECONDS} s`, rows };
  } finally {
    await bench.close();
  }
}
