import { expect, test } from 'vitest';
import { busySession } from '../../src-shared/replay/samples.ts';
import type { SessionEvent } from '../../src-shared/session/event.ts';
import type { ReadNews, TranscriptReader } from '../ports/transcript-reader.ts';
import { readInParts } from './read-in-parts.ts';

const events = busySession(40, 1);
const texts = { read: async () => '', readAll: async function* () {} };
const { signal } = new AbortController();
const news = (more: Partial<ReadNews>): ReadNews => ({
  ...{ path: '/x', keep: 0, amended: [], events: [], bytes: 1, totalBytes: 2, texts: undefined, isShowable: false },
  ...more,
});

/** A reading that goes on when it is told to. */
function reading() {
  let tell: (news: ReadNews) => void = () => {};
  let end: (events: readonly SessionEvent[]) => void = () => {};
  let fail: (error: Error) => void = () => {};
  const read: TranscriptReader = (path, _signal, onNews = () => {}) => {
    tell = onNews;
    return new Promise((resolve, reject) => {
      end = (all) => resolve({ path, findings: [], events: all });
      fail = reject;
    });
  };
  return {
    read,
    tell: (more: Partial<ReadNews>) => tell(news(more)),
    end: () => end(events),
    fail: (error: Error) => fail(error),
  };
}

test('a transcript of which nothing is told meanwhile is there when it is read', async () => {
  const { read, end } = reading();
  const opening = readInParts(read, '/x', signal);
  end();
  expect(await opening).toEqual({ path: '/x', findings: [], events, rest: undefined });
});

test('a large one is there as soon as a telling is whole, and the rest comes in order', async () => {
  const { read, tell, end } = reading();
  const opening = readInParts(read, '/x', signal);
  tell({ events: events.slice(0, 5) });
  tell({ keep: 5, events: events.slice(5, 8) });
  tell({ keep: 8, texts, isShowable: true });
  tell({ keep: 6, amended: events.slice(0, 1) });
  const { events: first, rest } = await opening;
  expect(first).toEqual(events.slice(0, 8));
  const told: number[] = [];
  rest?.listen(({ keep }) => told.push(keep));
  tell({ keep: 6, events: events.slice(6) });
  expect(told).toEqual([6, 6]);
  end();
  expect((await rest?.done)?.events).toBe(events);
});

test('a reading that fails is a failure, before anything is shown and after', async () => {
  const early = reading();
  const opening = readInParts(early.read, '/x', signal);
  early.fail(new Error('gone'));
  await expect(opening).rejects.toThrow('gone');
  const late = reading();
  const open = readInParts(late.read, '/x', signal);
  late.tell({ events: events.slice(0, 5), isShowable: true });
  const { rest } = await open;
  late.fail(new Error('gone later'));
  await expect(rest?.done).rejects.toThrow('gone later');
});
