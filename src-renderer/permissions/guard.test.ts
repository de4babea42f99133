import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AskId } from '../../src-shared/ids.ts';
import { changesAt, closedGuard, type Guard, type GuardInput, keyMeaning, step, type Wish } from './guard.ts';

// A failing run is the same one when it is run again.
fc.configureGlobal({ seed: Number(process.env.GANTRY_SEED ?? 1_001) });

const one = 'ask-1' as AskId;
const two = 'ask-2' as AskId;

/** A hand-moved clock around the guard: each call says what happens and what was wished. */
function board() {
  let now = 0;
  let guard: Guard = closedGuard;
  const feed = (input: GuardInput): Wish => {
    const [next, wish] = step(guard, input);
    guard = next;
    return wish;
  };
  return {
    wait: (ms: number) => {
      now += ms;
    },
    shown: (askId: AskId = one) => feed({ type: 'shown', askId, at: now }),
    moved: () => feed({ type: 'moved', at: now }),
    hidden: () => feed({ type: 'hidden' }),
    tick: () => feed({ type: 'time-passed', at: now }),
    enter: (dangerous = false) => feed({ type: 'pressed', action: 'allow-once', dangerous, at: now }),
    always: (dangerous = false) => feed({ type: 'pressed', action: 'allow-always', dangerous, at: now }),
    deny: (dangerous = false) => feed({ type: 'pressed', action: 'deny', dangerous, at: now }),
    guard: () => guard,
  };
}

test('a key in the first 350 ms after the card appears is ignored, the next one counts', () => {
  const b = board();
  b.shown();
  b.wait(349);
  expect(b.enter()).toBe('ignored');
  expect(b.deny()).toBe('ignored');
  b.wait(1);
  expect(b.enter()).toBe('go');
});

test('a card that moves arms again', () => {
  const b = board();
  b.shown();
  b.wait(1_000);
  b.moved();
  expect(b.deny()).toBe('ignored');
  b.wait(350);
  expect(b.deny()).toBe('go');
});

test('the next card and a board that comes back arm again', () => {
  const b = board();
  b.shown();
  b.wait(400);
  expect(b.enter()).toBe('go');
  b.shown(two);
  expect(b.enter()).toBe('ignored');
  b.wait(400);
  b.hidden();
  expect(b.enter()).toBe('ignored');
  b.shown(two);
  expect(b.enter()).toBe('ignored');
});

test('a dangerous command needs a second Enter within 3 s', () => {
  const b = board();
  b.shown();
  b.wait(350);
  expect(b.enter(true)).toBe('confirm');
  b.wait(2_999);
  expect(b.enter(true)).toBe('go');
});

test('after 3 s the first Enter is forgotten', () => {
  const b = board();
  b.shown();
  b.wait(350);
  b.enter(true);
  b.wait(3_000);
  b.tick();
  expect(b.guard().mode).toBe('ready');
  expect(b.enter(true)).toBe('confirm');
});

test('denying a dangerous command needs no second key, and another way to allow needs its own', () => {
  const b = board();
  b.shown();
  b.wait(350);
  expect(b.enter(true)).toBe('confirm');
  expect(b.always(true)).toBe('confirm');
  expect(b.deny(true)).toBe('go');
});

test('the guard says when it changes by itself', () => {
  const b = board();
  expect(changesAt(b.guard())).toBeUndefined();
  b.wait(10);
  b.shown();
  expect(changesAt(b.guard())).toBe(360);
  b.wait(350);
  b.enter(true);
  expect(changesAt(b.guard())).toBe(3_360);
});

test('whatever happens, no answer goes through within 350 ms of a card appearing or moving', () => {
  const happening = fc.oneof(
    fc.record({ type: fc.constant('shown' as const), askId: fc.constantFrom(one, two) }),
    fc.record({ type: fc.constant('moved' as const) }),
    fc.record({ type: fc.constant('hidden' as const) }),
    fc.record({ type: fc.constant('time-passed' as const) }),
    fc.record({
      type: fc.constant('pressed' as const),
      action: fc.constantFrom('allow-once' as const, 'allow-always' as const, 'deny' as const),
      dangerous: fc.boolean(),
    }),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 500 }), happening)), (steps) => {
      let guard: Guard = closedGuard;
      let now = 0;
      let quietUntil = Number.POSITIVE_INFINITY;
      for (const [wait, what] of steps) {
        now += wait;
        const [next, wish] = step(guard, { ...what, at: now } as GuardInput);
        if (wish === 'go' && now < quietUntil) return false;
        if (what.type === 'shown' || (what.type === 'moved' && guard.mode !== 'closed')) quietUntil = now + 350;
        if (what.type === 'hidden') quietUntil = Number.POSITIVE_INFINITY;
        guard = next;
      }
      return true;
    }),
  );
});

test('only a plain key on a card answers', () => {
  const press = { key: 'Enter', repeat: false, composing: false, modified: false, place: 'card' } as const;
  expect(keyMeaning(press)).toBe('allow-once');
  expect(keyMeaning({ ...press, key: 'd' })).toBe('deny');
  expect(keyMeaning({ ...press, key: 'ArrowUp' })).toBe('previous');
  expect(keyMeaning({ ...press, key: 'ArrowDown', repeat: true })).toBe('next');
  for (const other of [
    { ...press, place: 'field' as const },
    { ...press, place: 'button' as const },
    { ...press, place: 'elsewhere' as const },
    { ...press, repeat: true },
    { ...press, composing: true },
    { ...press, modified: true },
    { ...press, key: 'x' },
  ])
    expect(keyMeaning(other)).toBeUndefined();
});
