import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openTranscript } from '../../src-main/adapters/transcripts/open-transcript.ts';
import { roundingSession } from '../../src-renderer/timeline/samples/rounding.ts';
import { busySession } from '../replay/samples.ts';
import { apply, emptySession, foldSession, type SessionState } from '../session/state.ts';
import { type ScriptedCall, SessionScript } from '../timeline/session-script.ts';
import { pathColumns, segmentAt } from './columns.ts';
import type { CriticalPath } from './path.ts';
import { SessionPaths, sessionPaths } from './session-path.ts';
import { sharesOf } from './shares.ts';

/** No gap, no overlap, and the lengths add up to the turn's. */
function expectTiled({ from, until, segments }: CriticalPath): void {
  let at = from;
  for (const segment of segments) {
    expect(segment.from).toBe(at);
    expect(segment.until).toBeGreaterThan(segment.from);
    at = segment.until;
  }
  expect(at).toBe(until);
  const sum = Object.values(sharesOf([{ segments }])).reduce((total, ms) => total + ms, 0);
  expect(sum).toBeCloseTo(until - from, 6);
}

const expectAllTiled = (state: SessionState): void => {
  const paths = sessionPaths(state);
  expect(paths.length).toBeGreaterThan(0);
  for (const path of paths) expectTiled(path);
};

const recordings = resolve(import.meta.dirname, '../../src-main/adapters/transcripts/fixtures/claude-code-2.1.92');

describe('the path of a recording covers every turn exactly once', () => {
  test.each(readdirSync(recordings))('%s', async (name) => {
    const { events } = await openTranscript(join(recordings, name));
    expectAllTiled(foldSession(events));
  });
});

describe('the path of a made-up session covers every turn exactly once', () => {
  test('rounding', () => expectAllTiled(roundingSession().state()));
  test('busy (seed 11)', () => expectAllTiled(foldSession(busySession(2_000, 11))));
});

const WAITS = ['lock', 'no-lane', 'order', 'message-open', 'batch', 'hold', 'settings'] as const;
const time = fc.nat(60).map((n) => n * 10);
const length = fc.nat(30).map((n) => n * 10);
const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');

/** Calls as no scheduler would make them: they wait for each other, for themselves and for nobody, with any times. */
const anyCall = fc.record({
  at: time,
  waits: fc.array(fc.tuple(fc.constantFrom(...WAITS), fc.array(name, { maxLength: 3 }), length), { maxLength: 3 }),
  waited: length,
  ran: fc.option(length),
  asked: fc.option(fc.tuple(length, length)),
  hooked: fc.option(length),
  lane: fc.nat(2),
  agent: fc.constantFrom(undefined, undefined, 'sub', 'deep'),
  message: fc.constantFrom('m1', 'm2', 'm3', 'nowhere'),
});
const anySession = fc.record({
  calls: fc.array(anyCall, { maxLength: 6 }),
  requests: fc.array(fc.tuple(time, length, fc.constantFrom(undefined, 'sub', 'deep')), { maxLength: 4 }),
  hooks: fc.array(fc.tuple(time, fc.option(length)), { maxLength: 3 }),
  turns: fc.array(fc.tuple(time, fc.option(length)), { minLength: 1, maxLength: 3 }),
});
type Facts = typeof anySession extends fc.Arbitrary<infer T> ? T : never;

function scriptOf({ calls, requests, hooks, turns }: Facts): SessionScript {
  const script = new SessionScript();
  const sorted = [...turns].sort((a, b) => a[0] - b[0]);
  for (const [at, [from, ran]] of sorted.entries()) script.turn(`t${at}`, from, ran === null ? undefined : from + ran);
  script.agent('sub', 'Sub', 20, { parent: 'a' }).agent('deep', 'Deep', 40, { parent: 'b', depth: 2 });
  for (const [at, [from, ran, agent]] of requests.entries())
    script.request(`r${at}`, from, [from + ran / 2], from + ran, {
      message: `m${at}`,
      ...(agent === undefined ? {} : { agent }),
    });
  for (const [at, [from, ran]] of hooks.entries())
    script.hook(`h${at}`, undefined, 'x.sh', from, ran === null ? undefined : from + ran);
  for (const [at, call] of calls.entries()) script.call(callOf('abcdef'[at] as string, call));
  return script;
}

function callOf(id: string, call: Facts['calls'][number]): ScriptedCall {
  const start = call.at + call.waited;
  return {
    id,
    tool: 'Bash',
    queued: call.at,
    message: call.message,
    ...(call.agent === undefined ? {} : { agent: call.agent }),
    waits: call.waits.map(([why, by, after]) => ({ why, by, at: Math.min(start, call.at + after) })),
    start,
    lane: call.lane,
    ...(call.ran === null ? {} : { end: start + call.ran }),
    ...(call.asked === null ? {} : { ask: [start + call.asked[0], start + call.asked[0] + call.asked[1]] as const }),
    ...(call.hooked === null ? {} : { stages: [['hooks-before', start, start + call.hooked] as const] }),
  };
}

test('any session: no gap, no overlap, the parts add up to the turn (seed 7)', () => {
  fc.assert(
    fc.property(anySession, (facts) => expectAllTiled(scriptOf(facts).state())),
    { seed: 7, numRuns: 400 },
  );
});

test('a session that grows has the paths of one read at once (seed 8)', () => {
  fc.assert(
    fc.property(anySession, (facts) => {
      const state = emptySession();
      const paths = new SessionPaths(state);
      for (const event of scriptOf(facts).events()) {
        apply(state, event);
        paths.update();
      }
      // A turn that is over stays as it was; what ends later no longer counts for it.
      for (const path of paths.paths) expectTiled(path);
      expect(paths.paths.map(({ turnId }) => turnId)).toEqual(sessionPaths(state).map(({ turnId }) => turnId));
    }),
    { seed: 8, numRuns: 60 },
  );
});

test('work that is cut into pieces comes to the same paths', () => {
  const state = new SessionScript()
    .turn('t1', 0, 100)
    .request('r1', 0, [50], 100, { turn: 't1' })
    .turn('t2', 200, 300)
    .request('r2', 200, [250], 300, { turn: 't2' })
    .turn('t3', 400, 500)
    .state();
  const paths = new SessionPaths(state);
  const counts: number[] = [];
  while (!paths.update(() => false)) counts.push(paths.paths.length);
  expect(counts).toEqual([1, 2]);
  expect(paths.paths).toEqual(sessionPaths(state));
});

test('columns find the segment at any time (seed 9)', () => {
  fc.assert(
    fc.property(anySession, time, (facts, t) => {
      const columns = pathColumns(sessionPaths(scriptOf(facts).state()));
      const at = segmentAt(columns, t);
      const { length: count, starts, ends } = columns;
      for (let i = 1; i < count; i++) expect(starts[i]).toBeGreaterThanOrEqual(ends[i - 1] as number);
      if (at < count) expect(ends[at]).toBeGreaterThan(t);
      if (at > 0) expect(ends[at - 1]).toBeLessThanOrEqual(t);
    }),
    { seed: 9, numRuns: 100 },
  );
});
