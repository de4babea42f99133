import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openTranscript } from '../../src-main/adapters/transcripts/open-transcript.ts';
import type { SessionEvent } from '../session/event.ts';
import { foldSession } from '../session/state.ts';
import { sessionTime } from '../units.ts';
import { advance, GAP_MS } from './advance.ts';
import { Moments } from './moments.ts';
import { ReplayFold } from './replay-fold.ts';
import { busySession } from './samples.ts';
import { Stops } from './stops.ts';

const SEED = 41;
const fixtures = join(import.meta.dirname, '../../src-main/adapters/transcripts/fixtures/claude-code-2.1.92');

/** Any order of seeks gives what a fresh fold gives. */
function holds(events: readonly SessionEvent[], runs: number): void {
  const fold = new ReplayFold(events);
  fc.assert(
    fc.property(fc.array(fc.nat(events.length), { minLength: 1, maxLength: 6 }), (positions) => {
      for (const position of positions) {
        expect(fold.stateAt(position)).toEqual(foldSession(events.slice(0, position)));
      }
    }),
    { seed: SEED, numRuns: runs },
  );
}

for (const name of readdirSync(fixtures)) {
  test(`${name}: the state at a position is the fold of the events before it (seed ${SEED})`, async () => {
    const { events } = await openTranscript(join(fixtures, name));
    expect(events.length).toBeGreaterThan(5);
    holds(events, 12);
  });
}

test(`the same for a long session, over snapshots that are thinned (seed ${SEED})`, () => {
  holds(busySession(5_000, SEED), 12);
});

test('a state that was left behind by going back stays as it was, and snapshots are bounded', () => {
  const events = busySession(60_000, 3);
  const fold = new ReplayFold(events);
  const before = fold.stateAt(20_000);
  const then = structuredClone(before);
  expect(fold.stateAt(10_000)).not.toBe(before);
  fold.stateAt(events.length);
  expect(before).toEqual(then);
  expect(fold.snapshots).toBeLessThanOrEqual(128);
  expect(fold.stateAt(events.length + 9)).toEqual(foldSession(events));
});

test('a position that is behind in time does not turn time back', () => {
  const events = [0, 10, 5, 20].map((t) => ({ t: sessionTime(t) }) as SessionEvent);
  const moments = new Moments(events);
  expect([0, 1, 2, 3, 4].map((position) => moments.timeOf(position))).toEqual([0, 0, 10, 10, 20]);
  expect(moments.positionAt(9)).toBe(1);
  expect(moments.positionAt(10)).toBe(3);
  expect(moments.positionAt(-1)).toBe(0);
  expect(moments.positionAt(99)).toBe(4);
});

test('jumps stop once where several calls begin to wait at the same moment', () => {
  const events = busySession(400, 2);
  const stops = new Stops(events);
  const first = stops.next('wait', 0);
  expect(first).toBeDefined();
  expect(events[(first ?? 0) - 1]?.type).toBe('call-blocked');
  expect(stops.previous('wait', first ?? 0)).toBeUndefined();
  expect(stops.next('cascade', events.length)).toBeUndefined();
  const error = stops.next('error', 0) ?? 0;
  expect(stops.previous('error', error + 1)).toBe(error);
});

test('play goes at its speed, and a folded gap passes in less than half a second', () => {
  expect(advance(100, 50, 2, [])).toBe(200);
  const folds = [{ from: 200, until: 40_200 }];
  expect(advance(100, 100, 1, folds)).toBe(200);
  expect(advance(100, 100 + GAP_MS, 1, folds)).toBe(40_200);
  expect(advance(100, 110 + GAP_MS, 1, folds)).toBe(40_210);
  // Faster than that anyway.
  expect(advance(200, 10, 1_000, folds)).toBe(10_200);
});
