import { expect, test } from 'vitest';
import { callById } from '../session/state.ts';
import type { ToolCall } from '../tool-call/state.ts';
import { sessionTime } from '../units.ts';
import { barKind, barParts, endShape, heldSpan, inferredSpans, KIND, marksOf, queueParts } from './parts.ts';
import { type ScriptedCall, SessionScript } from './session-script.ts';

const callOf = (facts: ScriptedCall): ToolCall =>
  callById(new SessionScript().call(facts).state(), facts.id as never) as ToolCall;

/** One letter per 100 ms: `h` hooks, `p` permission, `r` running, `s` saving, `-` empty, `>` goes on. */
const picture = (call: ToolCall): string =>
  barParts(call)
    .map(
      ({ kind, from, until }) =>
        (kind === 'empty' ? '-' : kind[0]!).repeat(Math.round(((until ?? from + 100) - from) / 100)) +
        (until === undefined ? '>' : ''),
    )
    .join('');

test('a bar is cut into hooks, question, work and saving, without gaps', () => {
  const call = callOf({
    id: 'a',
    tool: 'Edit',
    queued: 0,
    start: 100,
    stages: [
      ['look-up', 100, 100],
      ['hooks-before', 100, 300],
      ['permission', 300, 900],
      ['run', 900, 1200],
      ['save', 1200, 1400],
      ['hooks-after', 1400, 1500],
    ],
    ask: [400, 800],
    end: 1500,
  });
  expect(picture(call)).toBe('hhrpppprrrrssh');
});

test('an open question is the open end of the bar', () => {
  expect(
    picture(
      callOf({
        id: 'a',
        tool: 'Edit',
        queued: 0,
        start: 0,
        stages: [
          ['hooks-before', 0, 200],
          ['permission', 200],
        ],
        ask: [200],
      }),
    ),
  ).toBe('hhp>');
});

test('nothing ran in a call that was rejected', () => {
  const call = callOf({
    id: 'a',
    tool: 'Bash',
    queued: 0,
    start: 0,
    ask: [200, 500],
    answer: 'deny',
    end: 700,
    outcome: 'rejected',
  });
  expect(picture(call)).toBe('--ppp--');
  expect(endShape(call, false)).toBe('barred');
  expect(barKind(call)).toBe(KIND.human);
});

test('a call without stages is all work, and one that took no time still has a part', () => {
  expect(picture(callOf({ id: 'a', tool: 'Read', queued: 0, start: 0, end: 300 }))).toBe('rrr');
  expect(barParts(callOf({ id: 'a', tool: 'Read', queued: 0, start: 5, end: 5 }))).toEqual([
    { kind: 'running', from: 5, until: 5 },
  ]);
  expect(barParts(callOf({ id: 'a', tool: 'Read', queued: 0 }))).toEqual([]);
});

test('a queue bar tells waiting for a lane from waiting for a call, and merges equal reasons', () => {
  const call = callOf({
    id: 'a',
    tool: 'Edit',
    queued: 0,
    waits: [
      { why: 'no-lane', at: 100 },
      { why: 'lock', by: ['x'], at: 200 },
      { why: 'order', by: ['y'], at: 300 },
      { why: 'hold', at: 400 },
    ],
    start: 500,
  });
  expect(queueParts(call)).toEqual([
    { kind: 'queued', from: 0, until: 200, by: [] },
    { kind: 'lock', from: 200, until: 400, by: ['x', 'y'] },
    { kind: 'held', from: 400, until: 500, by: [] },
  ]);
});

test('a result that waits for earlier ones is held until it is yielded', () => {
  expect(heldSpan(callOf({ id: 'a', tool: 'Read', queued: 0, start: 0, end: 100, yielded: 400 }), false)).toEqual({
    from: 100,
    until: 400,
  });
  const open = callOf({ id: 'a', tool: 'Read', queued: 0, start: 0, end: 100 });
  expect(heldSpan(open, false)).toEqual({ from: 100, until: undefined });
  expect(heldSpan(open, true)).toBeUndefined();
  expect(
    heldSpan(callOf({ id: 'a', tool: 'Read', queued: 0, start: 0, end: 100, yielded: 100 }), false),
  ).toBeUndefined();
});

test('what never ended is open in a live session and torn in one that is over', () => {
  const call = callOf({ id: 'a', tool: 'Bash', queued: 0, start: 0 });
  expect(endShape(call, false)).toBe('open');
  expect(endShape(call, true)).toBe('torn');
});

test('marks come in one order, and guesses say how far they reach', () => {
  const inferred = {
    certainty: 'inferred',
    source: 'block-time',
    earliest: sessionTime(0),
    latest: sessionTime(250),
  } as const;
  const call = callOf({
    id: 'a',
    tool: 'Bash',
    queued: 0,
    start: 100,
    startTiming: inferred,
    end: 400,
    savedBytes: 9,
    sameAs: 'b',
    editedBy: 'hook',
  });
  expect(marksOf(call, true)).toEqual(['saved', 'stale', 'hook-changed', 'same-as']);
  expect(inferredSpans(call)).toEqual({ startUntil: 250 });
});
