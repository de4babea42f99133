import type { SessionEvent } from '../session/event.ts';
import { SessionScript } from '../timeline/session-script.ts';
import { sessionTime } from '../units.ts';

/**
 * A made-up session of about so many events, the same for the same seed: requests whose calls wait, run side by side,
 * fail and are asked about. For tests, the gallery and benchmarks.
 */
export function busySession(events: number, seed: number): readonly SessionEvent[] {
  let x = seed >>> 0;
  const random = (): number => {
    x = (Math.imul(x, 1_664_525) + 1_013_904_223) >>> 0;
    return x / 2 ** 32;
  };
  const script = new SessionScript().turn('turn-1', 0);
  const rounds = Math.ceil(events / EVENTS_A_ROUND);
  for (let round = 0; round < rounds; round++) {
    const t = round * 1_000;
    const message = `m-${round}`;
    script.request(`r-${round}`, t, [t + 10, t + 20, t + 30], t + 40, { message });
    script.batch(`b-${round}`, 'safe', t + 20, t + 900);
    for (let n = 0; n < 4; n++) {
      const start = t + 30 + n * 10;
      const end = start + 50 + Math.floor(random() * 700);
      const fails = random() < 0.1;
      script.call({
        id: `c-${round}-${n}`,
        tool: n === 0 ? 'Bash' : 'Read',
        summary: `step ${round}.${n}`,
        message,
        queued: t + 10 + n,
        waits: [{ why: 'lock', by: n === 0 ? [] : [`c-${round}-0`], at: t + 12 + n }],
        start,
        lane: n,
        batch: `b-${round}`,
        stages: [['run', start, end]],
        ...(random() < 0.2 ? { ask: [start + 5, start + 20] as const } : {}),
        end,
        outcome: fails ? 'error' : 'ok',
        yielded: end + 1,
      });
    }
  }
  return script.events().map((event) => ({ ...event, t: sessionTime(event.t) }));
}

const EVENTS_A_ROUND = 37;
