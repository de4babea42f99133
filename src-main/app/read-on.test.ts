import { expect, test } from 'vitest';
import type { SessionId } from '../../src-shared/ids.ts';
import { busySession } from '../../src-shared/replay/samples.ts';
import type { SessionEvent } from '../../src-shared/session/event.ts';
import { foldSession } from '../../src-shared/session/state.ts';
import type { OpenedTranscript, ReadNews } from '../ports/transcript-reader.ts';
import { type ImportedChange, ImportedSession } from './imported-session.ts';
import { type Reading, readOn, STOPPED } from './read-on.ts';

const events = busySession(60, 1);
const sessionId = 's' as SessionId;
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A session of which `count` events are shown, and the rest of its reading by hand. */
function showing(count: number) {
  const first = events.slice(0, count);
  const entry = new ImportedSession('/x', {
    events: [...first],
    state: foldSession(first),
    findings: [],
    texts: undefined,
  });
  let tell: (news: ReadNews) => void = () => {};
  let end: (opened: OpenedTranscript) => void = () => {};
  let fail: (error: Error) => void = () => {};
  const done = new Promise<OpenedTranscript>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  const changes: ImportedChange[] = [];
  const readings: Reading[] = [];
  const listen = (onNews: typeof tell): void => {
    tell = onNews;
  };
  const over = readOn(
    entry,
    { listen, done },
    {
      sessionId,
      onChange: (change) => changes.push(change),
      onReading: (reading) => readings.push(reading),
    },
  );
  const news = (more: Partial<ReadNews>): void =>
    tell({
      ...{ path: '/x', keep: count, amended: [], events: [], bytes: 10, totalBytes: 100, texts: undefined },
      ...{ isShowable: false },
      ...more,
    });
  return { entry, news, end, fail, over, changes, readings };
}
const lastOf = (all: readonly SessionEvent[]): number | undefined => all.at(-1)?.seq;

test('what is read of a session that is shown is told when it is a session again, and once', async () => {
  const { entry, news, end, over, changes, readings } = showing(20);
  news({ keep: 18, bytes: 40 });
  news({ keep: 18, events: events.slice(18, 30) });
  news({ keep: 30, events: events.slice(30, 40) });
  await settle();
  expect([entry.events.length, changes]).toEqual([40, []]);
  news({ keep: 40, isShowable: true });
  await settle();
  expect(changes).toHaveLength(1);
  expect(changes[0]?.revised).toEqual({ keep: 18, amended: [] });
  expect(lastOf(changes[0]?.events ?? [])).toBe(39);
  news({ keep: 40, events: events.slice(40), bytes: 90 });
  const finding = { file: '/x', line: 1, kind: 'odd', message: 'Odd.' };
  end({ path: '/x', events, findings: [finding] });
  expect(await over).toBe(true);
  expect(entry.events).toEqual(events);
  expect(entry.findings).toEqual([finding]);
  expect(changes.map(({ revised }) => revised?.keep)).toEqual([18, undefined]);
  expect(readings.map(({ phase, bytes }) => `${phase} ${bytes}`)).toEqual([
    'reading 40',
    'reading 10',
    'reading 90',
    'read 90',
  ]);
});

test('a reading that is stopped, or fails, keeps what was read and says so', async () => {
  const stopped = showing(20);
  stopped.news({ keep: 20, events: events.slice(20, 30) });
  stopped.fail(STOPPED);
  expect(await stopped.over).toBe(false);
  expect(stopped.readings.at(-1)).toMatchObject({ phase: 'stopped', bytes: 10, totalBytes: 100 });
  const failed = showing(20);
  failed.fail(new Error('The disk is gone.\n    at stack'));
  expect(await failed.over).toBe(false);
  expect(failed.entry.events).toHaveLength(20);
  expect(failed.readings.at(-1)).toMatchObject({
    phase: 'failed',
    message: 'The disk is gone. What was read is shown.',
  });
});
