import { SessionScript } from '../../../src-shared/timeline/session-script.ts';
import { sessionTime } from '../../../src-shared/units.ts';

const s = (seconds: number): number => Math.round(seconds * 1000);

/** Idle hours between two turns, a broken stream with its thrown away attempt, a held queue, a retry. */
export function idleSession(): SessionScript {
  return new SessionScript({ title: 'After lunch' })
    .turn('t1', s(1), s(9))
    .request('r1', s(1), [s(2), s(2.5)], s(3), { turn: 't1' })
    .batch('b1', 'safe', s(2), s(3.2))
    .call({
      id: 'a',
      tool: 'Read',
      summary: 'src/cart.ts',
      message: 'm1',
      queued: s(2),
      start: s(2),
      lane: 0,
      batch: 'b1',
      end: s(3),
      outcome: 'discarded',
    })
    .call({
      id: 'b',
      tool: 'Read',
      summary: 'src/tax.ts',
      message: 'm1',
      queued: s(2.5),
      start: s(2.5),
      lane: 1,
      batch: 'b1',
      cancelled: { at: s(3.1), reason: 'discarded' },
      end: s(3.2),
      outcome: 'discarded',
    })
    .request('r1b', s(3.3), [s(4.2), s(4.6)], s(5.2), { turn: 't1', attempt: 2 })
    .call({
      id: 'c',
      tool: 'Read',
      summary: 'src/cart.ts',
      message: 'm2',
      queued: s(4.2),
      start: s(4.2),
      lane: 0,
      batch: 'b2',
      end: s(5.4),
      yielded: s(5.4),
    })
    .call({
      id: 'd',
      tool: 'Grep',
      summary: 'total',
      message: 'm2',
      queued: s(4.6),
      waits: [{ why: 'hold', at: s(4.6) }],
      start: s(6),
      lane: 1,
      batch: 'b2',
      end: s(8),
      yielded: s(8),
    })
    .batch('b2', 'safe', s(4.2), s(8))
    .turn('t2', s(15_120), s(15_131))
    .request('r2', s(15_120), [s(15_121)], s(15_121.6), { turn: 't2', failed: 'overloaded' })
    .request('r2b', s(15_122.6), [s(15_123.4), s(15_124)], s(15_125), { turn: 't2', attempt: 2 })
    .call({
      id: 'e',
      tool: 'Bash',
      summary: 'npm run build',
      safe: false,
      message: 'm3',
      queued: s(15_123.4),
      start: s(15_123.4),
      lane: 0,
      batch: 'b3',
      end: s(15_130),
      yielded: s(15_130),
      savedBytes: 120_000,
    })
    .batch('b3', 'exclusive', s(15_123.4), s(15_130))
    .at(s(15_131), { type: 'session-ended', reason: 'closed' });
}

/** More calls wait than the queue has lines; lanes are full. */
export function crowdedSession(): SessionScript {
  const script = new SessionScript({ title: 'Thirty reads', settings: { cap: 4 } }).request('r', 0, [s(0.5)], s(1));
  for (let i = 0; i < 30; i++) {
    const lane = i % 4;
    const start = s(0.5) + Math.floor(i / 4) * 900 + lane * 60;
    script.call({
      id: `c${i}`,
      tool: i % 3 === 0 ? 'Grep' : 'Read',
      summary: `src/module-${i}.ts`,
      queued: s(0.5) + i * 12,
      ...(i < 4 ? {} : { waits: [{ why: 'no-lane' as const, at: s(0.5) + i * 12 }] }),
      start,
      lane,
      batch: 'b',
      end: start + 800,
      yielded: start + 800 + (i % 5) * 90,
    });
  }
  return script.batch('b', 'safe', s(0.5), s(8.2));
}

/** Three cascades close to each other, one with many victims. */
export function cascadesSession(): SessionScript {
  const script = new SessionScript({ title: 'Three cascades' });
  const cascade = (name: string, at: number, victims: number): void => {
    script.call({
      id: `${name}-culprit`,
      tool: 'Bash',
      summary: `npm run ${name}`,
      message: name,
      queued: s(at),
      start: s(at),
      lane: 0,
      batch: name,
      end: s(at + 1.2),
      outcome: 'error',
      exit: { code: 2 },
    });
    for (let i = 0; i < victims; i++) {
      const started = i < 3;
      script.call({
        id: `${name}-${i}`,
        tool: started ? 'Bash' : 'Read',
        summary: started ? `step ${i}` : `src/part-${i}.ts`,
        message: name,
        queued: s(at + 0.1 + i * 0.05),
        ...(started
          ? { start: s(at + 0.1 + i * 0.05), lane: 1 + i, batch: name }
          : { waits: [{ why: 'lock' as const, by: [`${name}-culprit`], at: s(at + 0.1 + i * 0.05) }] }),
        cancelled: { at: s(at + 1.2), reason: 'sibling_error', culprit: `${name}-culprit` },
        end: s(at + 1.2) + (started ? 30 : 0),
        outcome: 'cancelled',
      });
    }
    script.batch(name, 'safe', s(at), s(at + 1.25));
  };
  cascade('lint', 0.4, 2);
  cascade('types', 1.8, 5);
  cascade('test', 3.3, 12);
  return script.at(s(5), { type: 'session-ended', reason: 'closed' });
}

/** The model thinks and has called nothing yet. */
export const emptyChart = (): SessionScript =>
  new SessionScript({ title: 'Hello' }).turn('t', 0).request('r', s(0.2), []);

/** A file without times: events in their order, evenly spaced. */
export function orderOnlySession(): SessionScript {
  const guess = {
    certainty: 'inferred',
    source: 'order-only',
    earliest: sessionTime(0),
    latest: sessionTime(0),
  } as const;
  const script = new SessionScript({
    title: 'stream-json',
    origin: { kind: 'imported', format: 'claude-stream-json', path: '/tmp/a.jsonl', clock: 'order-only' },
  });
  for (let i = 0; i < 6; i++) {
    script.call({
      id: `o${i}`,
      tool: 'Read',
      summary: `src/a${i}.ts`,
      queued: i * 100,
      start: i * 100,
      startTiming: guess,
      lane: i % 2,
      batch: 'b',
      end: i * 100 + 90,
      endTiming: guess,
    });
  }
  return script.at(700, { type: 'session-ended', reason: 'end-of-file' });
}
