import { describe, expect, test } from 'vitest';
import type { SessionId } from '../../src-shared/ids.ts';
import type { SessionEvent } from '../../src-shared/session/event.ts';
import { instant, millis, sessionTime } from '../../src-shared/units.ts';
import { ManualClock } from '../ports/clock.fake.ts';
import { EventFeed } from './event-feed.ts';

const A = 'a' as SessionId;
const B = 'b' as SessionId;

const events = (from: number, count: number): readonly SessionEvent[] =>
  Array.from({ length: count }, (_, index) => ({
    type: 'notice-given',
    level: 'info',
    text: '',
    seq: from + index,
    at: instant(0),
    t: sessionTime(0),
  }));

/** A page that takes in each message at once, unless it is slow. */
function setUp(page: 'quick' | 'slow' = 'quick') {
  const clock = new ManualClock();
  const sent: string[] = [];
  const feed: EventFeed = new EventFeed({
    clock,
    send: (sessionId, list) => {
      sent.push(`${sessionId} ${list[0]?.seq}-${list.at(-1)?.seq}`);
      if (page === 'quick') feed.received(sessionId);
    },
  });
  const frame = () => clock.advance(millis(16));
  return { clock, feed, sent, frame };
}

test('events of one frame go in one message for each session', () => {
  const { feed, sent, frame } = setUp();
  feed.attach(A);
  feed.attach(B);
  feed.take(A, events(0, 2));
  feed.take(B, events(0, 1));
  feed.take(A, events(2, 3));
  expect(sent).toEqual([]);
  frame();
  expect(sent).toEqual(['a 0-4', 'b 0-0']);
  frame();
  expect(sent).toHaveLength(2);
});

test('a flood is spread over frames, in order, and the timer ends with it', () => {
  const { feed, sent, frame, clock } = setUp();
  feed.attach(A);
  feed.take(A, events(0, 2_500));
  frame();
  feed.take(A, events(2_500, 10));
  frame();
  frame();
  expect(sent).toEqual(['a 0-999', 'a 1000-1999', 'a 2000-2509']);
  expect(clock.pending).toBe(0);
});

test('sessions that nobody looks at are not sent, nor those that were left', () => {
  const { feed, sent, frame } = setUp();
  feed.take(A, events(0, 1));
  frame();
  feed.attach(A);
  feed.take(A, events(1, 1));
  feed.detach(A);
  frame();
  feed.attach(A);
  frame();
  expect(sent).toEqual([]);
});

test('attaching again keeps what waits', () => {
  const { feed, sent, frame } = setUp();
  feed.attach(A);
  feed.take(A, events(0, 2));
  feed.attach(A);
  frame();
  expect(sent).toEqual(['a 0-1']);
});

test('a page that was reloaded starts from nothing', () => {
  const { feed, sent, frame } = setUp();
  feed.attach(A);
  feed.take(A, events(0, 2));
  feed.detachAll();
  frame();
  feed.take(A, events(2, 2));
  frame();
  expect(sent).toEqual([]);
});

test('a session that is left while it is sent disturbs no other', () => {
  const clock = new ManualClock();
  const sent: string[] = [];
  const feed: EventFeed = new EventFeed({
    clock,
    send: (sessionId) => {
      sent.push(sessionId);
      feed.detach(sessionId);
    },
  });
  for (const id of [A, B]) {
    feed.attach(id);
    feed.take(id, events(0, 1_500));
  }
  clock.advance(millis(100));
  expect(sent).toEqual(['a', 'b']);
});

describe('a page that does not keep up', () => {
  test('is sent four messages, then nothing until it says that it has got one', () => {
    const { feed, sent, frame, clock } = setUp('slow');
    feed.attach(A);
    for (let at = 0; at < 6; at++) {
      feed.take(A, events(at, 1));
      frame();
    }
    expect(sent).toEqual(['a 0-0', 'a 1-1', 'a 2-2', 'a 3-3']);
    expect(clock.pending).toBe(0);
    feed.received(A);
    frame();
    expect(sent.slice(4)).toEqual(['a 4-5']);
  });

  test('costs a bounded memory, and a gap in the numbers tells it to fetch what it missed', () => {
    const { feed, sent, frame } = setUp('slow');
    feed.attach(A);
    for (let at = 0; at < 100; at++) {
      feed.take(A, events(at * 1_000, 1_000));
      frame();
      expect(feed.waiting).toBeLessThanOrEqual(10_000);
    }
    expect(sent).toHaveLength(4);
    feed.received(A);
    frame();
    expect(sent.at(-1)).toBe('a 99999-99999');
    feed.take(A, events(100_000, 2));
    for (let at = 0; at < 4; at++) feed.received(A);
    frame();
    expect(sent.at(-1)).toBe('a 100000-100001');
  });

  test('does not hold up another session', () => {
    const { feed, sent, frame } = setUp('slow');
    feed.attach(A);
    feed.attach(B);
    for (let at = 0; at < 6; at++) {
      feed.take(A, events(at, 1));
      frame();
    }
    feed.take(B, events(0, 1));
    frame();
    expect(sent.at(-1)).toBe('b 0-0');
  });

  test('and dies is forgotten: words of it that come late count for nothing', () => {
    const { feed, sent, frame } = setUp('slow');
    feed.attach(A);
    feed.take(A, events(0, 1));
    frame();
    feed.detachAll();
    expect(feed.waiting).toBe(0);
    feed.received(A);
    feed.attach(A);
    feed.received(A);
    feed.received(B);
    for (let at = 1; at < 7; at++) {
      feed.take(A, events(at, 1));
      frame();
    }
    expect(sent).toHaveLength(5);
  });
});
