import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SessionEvent } from '../session/event.ts';
import { foldSession } from '../session/state.ts';
import { GrowingSession } from './growing-session.ts';
import { busySession } from './samples.ts';

/** A session as a file tells it, so that it may be told anew. */
const recorded = (events: number): readonly SessionEvent[] =>
  busySession(events, 1).map((event) =>
    event.type === 'session-started'
      ? { ...event, origin: { kind: 'imported', format: 'claude-code', path: '/x.jsonl', clock: 'recorded' } }
      : event,
  );

const all = recorded(600);
const inferred = (n: number) => ({ certainty: 'inferred', source: 'line-time', earliest: n, latest: n + 1 }) as never;

/** Other events that a session may turn out to have from a place on: the same ones, told a moment later. */
const otherFrom = (at: number): readonly SessionEvent[] =>
  all.slice(at).map((event) => (event.type === 'call-started' ? { ...event, lane: event.lane + 1 } : event));

const step = fc.oneof(
  fc.record({ kind: fc.constant('append' as const), count: fc.integer({ min: 1, max: 80 }) }),
  fc.record({ kind: fc.constant('cut' as const), count: fc.integer({ min: 0, max: 120 }), other: fc.boolean() }),
  fc.record({ kind: fc.constant('amend' as const), count: fc.nat(40), at: fc.nat(5_000) }),
);

for (const seed of [3, 2026]) {
  test(`a session that is taken back, amended and told on is the fold of its events (seed ${seed})`, () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const session = new GrowingSession();
        let next: readonly SessionEvent[] = all;
        for (const one of steps) {
          const { length } = session.events;
          if (one.kind === 'append') session.append(next.slice(length, length + one.count));
          else if (one.kind === 'cut') {
            const keep = Math.max(0, length - one.count);
            session.cut(keep);
            next = [...session.events, ...(one.other ? otherFrom(keep) : all.slice(keep))];
          } else {
            const started = session.events.filter((event) => event.type === 'call-started').slice(-one.count - 1);
            session.amend(started.slice(0, 2).map((event) => ({ ...event, timing: inferred(one.at) })));
            next = [...session.events, ...all.slice(session.events.length)];
          }
          expect(session.state).toEqual(foldSession(session.events));
        }
      }),
      { seed, numRuns: 40 },
    );
  });
}

test('what is appended leaves state and list the same objects, what is taken back does not', () => {
  const session = new GrowingSession();
  session.append(all.slice(0, 100));
  const { state, events } = session;
  session.append(all.slice(100, 120));
  expect(session.state).toBe(state);
  expect(session.events).toBe(events);
  session.cut(110);
  expect(session.state).not.toBe(state);
  expect(events).toHaveLength(120);
  expect(session.events).toHaveLength(110);
});

test('a better title counts until the session is given another one', () => {
  const session = new GrowingSession();
  session.append(all.slice(0, 3));
  const first = all[0] as SessionEvent & { readonly type: 'session-started' };
  session.amend([{ ...first, title: 'Better' }]);
  expect(session.state.title).toBe('Better');
  const { t, at } = all[2] as SessionEvent;
  session.append([{ seq: 3, t, at, type: 'title-changed', title: 'Chosen' }]);
  session.amend([{ ...first, title: 'Later' }]);
  expect(session.state.title).toBe('Chosen');
});
