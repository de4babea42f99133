// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SessionId } from '../../src-shared/ids.ts';
import { GAP_MS } from '../../src-shared/replay/advance.ts';
import { busySession } from '../../src-shared/replay/samples.ts';
import type { SessionEvent } from '../../src-shared/session/event.ts';
import { foldSession } from '../../src-shared/session/state.ts';
import type { Fold } from '../../src-shared/timeline/axis.ts';
import { sessionStore } from '../state/session-store.ts';
import {
  endOfTape,
  jumpTo,
  leavePlayhead,
  type OpenView,
  playheadStore,
  seekToPosition,
  seekToTime,
  setSpeed,
  startPlayer,
  startWarming,
  stepEvent,
  togglePlay,
  viewAtPlayhead,
} from './playhead-store.ts';

const events = [...busySession(400, 5)];

function open(id = 's1', of: readonly SessionEvent[] = events): OpenView {
  const sessionId = SessionId.parse(id);
  const view = { phase: 'open', sessionId, state: foldSession(of), events: of, version: 1, receivedAt: 0 } as const;
  sessionStore.setState(view, true);
  return view;
}

beforeEach(() => {
  open();
});
afterEach(() => {
  setSpeed(1);
  sessionStore.setState({ phase: 'none' }, true);
});

/** Frames that come when the test says so. */
class HandFrames {
  folds: readonly Fold[] = [];
  private waiting: ((clock: number) => void) | undefined;
  private clock = 0;

  readonly start = (): (() => void) =>
    startPlayer({
      request: (callback) => {
        this.waiting = callback;
        return 1;
      },
      cancel: () => {
        this.waiting = undefined;
      },
      folds: () => this.folds,
    });

  pass(ms: number): void {
    this.clock += ms;
    const call = this.waiting;
    this.waiting = undefined;
    call?.(this.clock);
  }

  get waits(): boolean {
    return this.waiting !== undefined;
  }
}

test('a view at the playhead is the fold of the events before it, and the whole where nothing is scrubbed', () => {
  const whole = open('s2');
  expect(viewAtPlayhead(whole)).toBe(whole);
  seekToPosition(57);
  const past = viewAtPlayhead(whole);
  expect(past.state).toEqual(foldSession(events.slice(0, 57)));
  expect(past.events).toHaveLength(57);
  const { version } = past;
  stepEvent(1);
  expect(viewAtPlayhead(whole).version).not.toBe(version);
  expect(viewAtPlayhead(whole).state.nextSeq).toBe(58);
});

test('seeking to a time counts all events up to it, and stays inside the session', () => {
  seekToTime(1_000);
  const { position = 0 } = playheadStore.getState();
  expect((events[position - 1] as SessionEvent).t).toBeLessThanOrEqual(1_000);
  expect((events[position] as SessionEvent).t).toBeGreaterThan(1_000);
  seekToTime(Number.MAX_SAFE_INTEGER);
  expect(playheadStore.getState()).toMatchObject({ position: events.length, t: endOfTape() });
  seekToTime(-5);
  expect(playheadStore.getState().t).toBe(0);
});

test('a session that goes on while its past is shown does not move the playhead', () => {
  const growing = events.slice(0, 100);
  const whole = open('s3', growing);
  seekToPosition(40);
  const before = viewAtPlayhead(whole);
  growing.push(...events.slice(100, 120));
  sessionStore.setState({ ...whole, version: 2 }, true);
  const after = viewAtPlayhead(sessionStore.getState() as OpenView);
  expect(after.state).toEqual(before.state);
  expect(endOfTape()).toBe((events[119] as SessionEvent).t);
});

test('another session begins with nothing scrubbed', () => {
  seekToPosition(12);
  open('s4');
  expect(playheadStore.getState()).toMatchObject({ position: undefined, t: undefined, playing: false });
});

test('play follows the passed-in clock at its speed, passes a folded gap quickly and stops at the end', () => {
  const frames = new HandFrames();
  const stop = frames.start();
  seekToTime(100);
  togglePlay();
  frames.pass(16);
  frames.pass(50);
  expect(playheadStore.getState().t).toBe(150);
  setSpeed(10);
  frames.pass(20);
  expect(playheadStore.getState().t).toBe(350);
  setSpeed(1);
  frames.folds = [{ from: 350, until: 5_350 }];
  frames.pass(GAP_MS);
  expect(playheadStore.getState().t).toBe(5_350);
  frames.pass(1_000_000);
  expect(playheadStore.getState()).toMatchObject({ playing: false, t: endOfTape() });
  expect(frames.waits).toBe(false);
  stop();
});

test('play at the end begins anew, and a step or a jump pauses it', () => {
  const frames = new HandFrames();
  const stop = frames.start();
  seekToPosition(events.length);
  togglePlay();
  expect(playheadStore.getState()).toMatchObject({ position: 0, playing: true });
  stepEvent(1);
  expect(playheadStore.getState()).toMatchObject({ position: 1, playing: false });
  togglePlay();
  expect(jumpTo('error', 'next')).toBe(true);
  expect(playheadStore.getState().playing).toBe(false);
  leavePlayhead();
  expect(playheadStore.getState().position).toBeUndefined();
  stop();
});

test('a long session is folded ahead piece by piece, and no further once somebody seeks', () => {
  sessionStore.setState({ phase: 'none' }, true);
  const waiting: (() => void)[] = [];
  const stop = startWarming((callback) => waiting.push(callback));
  open('short');
  expect(waiting).toEqual([]);
  sessionStore.setState({ phase: 'none' }, true);
  const long = busySession(12_000, 2);
  open('long', long);
  let pieces = 0;
  for (let next = waiting.shift(); next !== undefined && pieces < 3; next = waiting.shift()) {
    next();
    pieces++;
  }
  expect(pieces).toBe(3);
  seekToPosition(100);
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) next();
  expect(viewAtPlayhead(sessionStore.getState() as OpenView).state).toEqual(foldSession(long.slice(0, 100)));
  stop();
});
