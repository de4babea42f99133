import { expect, test, vi } from 'vitest';
import type { SessionEvent } from '../../src-shared/session/event.ts';
import { foldSession } from '../../src-shared/session/state.ts';
import { instant, millis, sessionTime } from '../../src-shared/units.ts';
import { ManualClock } from '../ports/clock.fake.ts';
import { SessionLog } from './session-log.ts';
import { MoodyStore, quiet } from './testing/bench.ts';

const notice = (text: string) => ({ type: 'notice-given', level: 'info', text }) as const;
const textsOf = (events: readonly SessionEvent[]) =>
  events.map((event) => (event.type === 'notice-given' ? event.text : event.type));

function setUp() {
  const store = new MoodyStore();
  const clock = new ManualClock();
  const failures: string[] = [];
  const log = new SessionLog({ store, clock, onFailure: (error) => failures.push(error.message) });
  const told: string[] = [];
  log.onEvents((events) => told.push(...textsOf(events)));
  return { store, clock, log, told, failures };
}

test('events of one step are written together, and told after they are written', async () => {
  const { store, log } = setUp();
  const seenOnDisk: number[] = [];
  log.onEvents(() => seenOnDisk.push(store.events.length));
  log.append(notice('a'));
  log.append(notice('b'));
  expect(store.events).toHaveLength(0);
  await quiet();
  expect(store.writes).toEqual([2]);
  expect(seenOnDisk).toEqual([2]);
});

test('flush writes at once, and the step that had begun writes nothing twice', async () => {
  const { store, log, told } = setUp();
  log.append(notice('a'));
  log.flush();
  expect(told).toEqual(['a']);
  await quiet();
  expect(store.writes).toEqual([1]);
});

test('every event has the next number, and its state is known before it is written', () => {
  const { log } = setUp();
  log.append(notice('a'));
  log.append(notice('b'));
  expect(log.state.entries).toHaveLength(2);
  expect(log.events).toHaveLength(0);
  log.flush();
  expect(log.events.map(({ seq }) => seq)).toEqual([0, 1]);
});

test('sync reaches the disk after the write', () => {
  const { store, log } = setUp();
  log.append(notice('a'));
  log.sync();
  expect(store.events).toHaveLength(1);
  expect(store.syncs).toBe(1);
});

test('a listener that appends and flushes does not turn the order round for the others', () => {
  const { log } = setUp();
  const order: string[] = [];
  log.onEvents((events) => {
    if (!textsOf(events).includes('a')) return;
    log.append(notice('b'));
    log.flush();
  });
  log.onEvents((events) => order.push(...textsOf(events)));
  log.append(notice('a'));
  log.flush();
  expect(order).toEqual(['a', 'b']);
});

test('a listener that throws keeps neither the others nor the caller from going on, and is reported', async () => {
  const reported: unknown[] = [];
  const onUncaught = (error: unknown) => reported.push(error);
  const before = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', onUncaught);
  try {
    const { store, clock } = setUp();
    const log = new SessionLog({ store, clock });
    const told: string[] = [];
    log.onEvents(() => {
      throw new Error('a bug');
    });
    log.onEvents((events) => told.push(...textsOf(events)));
    log.append(notice('a'));
    log.flush();
    expect(told).toEqual(['a']);
    await quiet();
    expect(reported).toEqual([new Error('a bug')]);
  } finally {
    process.off('uncaughtException', onUncaught);
    for (const listener of before) process.on('uncaughtException', listener);
  }
});

test('a listener that is disposed of is told no more', () => {
  const { log } = setUp();
  const told = vi.fn();
  log.onEvents(told).dispose();
  log.append(notice('a'));
  log.flush();
  expect(told).not.toHaveBeenCalled();
});

test('when the store refuses a write nobody is told, and the failure is said once', async () => {
  const { store, log, told, failures } = setUp();
  store.full = true;
  log.append(notice('a'));
  await quiet();
  log.append(notice('b'));
  await quiet();
  log.sync();
  expect(told).toEqual([]);
  expect(log.events).toEqual([]);
  expect(log.failed).toBe(true);
  expect(failures).toEqual(['ENOSPC: no space left on device, write']);
});

test('the write is tried again until the disk has room, and then everything comes in its order', async () => {
  const { store, log, clock, told, failures } = setUp();
  store.full = true;
  log.append(notice('a'));
  await quiet();
  log.append(notice('b'));
  clock.advance(millis(3_000));
  expect(log.failed).toBe(true);
  store.full = false;
  clock.advance(millis(1_000));
  expect(log.failed).toBe(false);
  await quiet();
  expect(told).toEqual([
    'a',
    'b',
    'The session was paused for 4 s because its journal could not be written. Nothing is lost.',
  ]);
  expect(store.events.map(({ seq }) => seq)).toEqual([0, 1, 2]);
  expect(failures).toHaveLength(1);
  expect(clock.pending).toBe(0);
});

test('a sync that the disk refuses pauses too, and is owed until it succeeds', async () => {
  const { store, log, clock, failures } = setUp();
  store.unsynced = true;
  log.append(notice('a'));
  log.sync();
  expect(failures).toEqual(['EIO: i/o error, fdatasync']);
  expect(store.writes).toEqual([1]);
  store.unsynced = false;
  clock.advance(millis(2_000));
  expect(store.syncs).toBe(1);
  expect(store.writes).toEqual([1]);
});

test('who waits for the journal goes on when it is written, or when told to stop', async () => {
  const { store, log, clock } = setUp();
  const stop = new AbortController();
  const went: string[] = [];
  await log.whenWritten(stop.signal);
  store.full = true;
  log.append(notice('a'));
  void log.whenWritten(stop.signal).then(() => went.push('stopped'));
  void log.whenWritten(new AbortController().signal).then(() => went.push('written'));
  await quiet();
  expect(went).toEqual([]);
  stop.abort();
  await quiet();
  expect(went).toEqual(['stopped']);
  store.full = false;
  clock.advance(millis(2_000));
  await quiet();
  expect(went).toEqual(['stopped', 'written']);
});

test('closing during a pause tries once more and says whether all is kept', () => {
  const { store, log, told } = setUp();
  store.full = true;
  log.append(notice('a'));
  log.flush();
  store.full = false;
  expect(log.close()).toBe(true);
  expect(told[0]).toBe('a');
  expect(store.closed).toBe(true);
});

test('closing while the store still refuses says so and tries no more', () => {
  const { store, log, clock } = setUp();
  store.full = true;
  log.append(notice('a'));
  log.flush();
  expect(log.close()).toBe(false);
  expect(store.closed).toBe(true);
  store.full = false;
  clock.advance(millis(10_000));
  expect(store.events).toEqual([]);
});

test('what comes after the close is nobody’s any more', async () => {
  const { store, log, failures } = setUp();
  log.close();
  log.append(notice('late'));
  await quiet();
  log.sync();
  expect(store.events).toEqual([]);
  expect(failures).toEqual([]);
});

test('a session that goes on counts on where it ended, and the time it was closed has passed', () => {
  const { store, log, clock } = setUp();
  clock.advance(millis(1_500));
  log.append(notice('a'));
  log.close();
  const later = new ManualClock(clock.now() + 60_000);
  const again = new SessionLog({ store: new MoodyStore(), clock: later, past: store.events });
  later.advance(millis(250));
  again.append(notice('b'));
  again.flush();
  const [, b] = again.events;
  expect(b).toMatchObject({ seq: 1, t: 61_750 });
  expect(foldSession(again.events)).toEqual(again.state);
});

test('a clock that was set back never turns the session’s time round', () => {
  const { store, log, clock } = setUp();
  clock.advance(millis(5_000));
  log.append(notice('a'));
  log.close();
  const setBack = new ManualClock(clock.now() - 86_400_000);
  const again = new SessionLog({ store: new MoodyStore(), clock: setBack, past: store.events });
  expect(again.now).toBe(5_000);
  setBack.advance(millis(10));
  again.append(notice('b'));
  again.flush();
  expect(again.events.map(({ t }) => t)).toEqual([5_000, 5_010]);
});

test('a journal in which a line could not be read is numbered anew, so that a number is a place', () => {
  const event = (seq: number): SessionEvent => ({
    ...notice(`n${seq}`),
    seq,
    at: instant(1_000),
    t: sessionTime(seq),
  });
  const log = new SessionLog({
    store: new MoodyStore(),
    clock: new ManualClock(),
    past: [event(0), event(1), event(3)],
  });
  log.append(notice('new'));
  log.flush();
  expect(log.events.map(({ seq }) => seq)).toEqual([0, 1, 2, 3]);
  expect(log.state.nextSeq).toBe(4);
});
