import { Moments } from '../src-shared/replay/moments.ts';
import { ReplayFold } from '../src-shared/replay/replay-fold.ts';
import { busySession } from '../src-shared/replay/samples.ts';
import { foldSession } from '../src-shared/session/state.ts';
import { TimelineBuilder } from '../src-shared/timeline/model.ts';
import { sessionTime } from '../src-shared/units.ts';
import { median, rounded, share } from './measure.ts';

const EVENTS = 100_000;
const SEEKS = 200;

/** Seeks to random positions of a session of 100,000 events (spec 7.3), beside a fresh fold of the same events. */
export default async function replaySeek() {
  const events = busySession(EVENTS, 7).slice(0, EVENTS);
  const fold = new ReplayFold(events);
  const moments = new Moments(events);
  fold.stateAt(events.length);
  let x = 1;
  const positions = Array.from({ length: SEEKS }, () => {
    x = (Math.imul(x, 1_664_525) + 1_013_904_223) >>> 0;
    return x % events.length;
  });
  const seeks: number[] = [];
  const models: number[] = [];
  for (const position of positions) {
    const from = performance.now();
    const state = fold.stateAt(moments.positionAt(moments.timeOf(position)));
    const sought = performance.now();
    new TimelineBuilder(state).update({ now: sessionTime(state.now), collapsedAgents: [] });
    seeks.push(sought - from);
    models.push(performance.now() - sought);
  }
  const fresh = positions.slice(0, 20).map((position) => {
    const from = performance.now();
    foldSession(events.slice(0, position));
    return performance.now() - from;
  });
  return {
    name: `Seek to any position of ${EVENTS} events, ${SEEKS} times at random`,
    rows: [
      row('seek', seeks, fresh),
      row(
        'seek and chart model',
        seeks.map((ms, i) => ms + (models[i] ?? 0)),
        fresh,
      ),
      row('fresh fold (floor)', fresh, fresh),
    ],
  };
}

const row = (what: string, times: readonly number[], floor: readonly number[]) => ({
  what,
  'median ms': rounded(median(times)),
  'p95 ms': rounded(share(times, 0.95)),
  '÷ fresh fold': rounded(median(times) / median(floor)),
});
