// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SessionScript } from '../../src-shared/timeline/session-script.ts';
import { pendingRequests } from '../bridge.ts';
import { appStore } from './app-store.ts';
import { frameAsked, frameDrawn } from './chart-frames.ts';
import { isQuiet, startIdleMark } from './idle.ts';
import { type SessionView, sessionStore } from './session-store.ts';
import { sessionsStore } from './sessions-store.ts';

const view = (script: SessionScript): SessionView => ({
  phase: 'open',
  sessionId: 'made-up' as never,
  state: script.state(),
  events: [],
  version: 1,
  receivedAt: 0,
});

test('a turn, a call that runs or waits, and reading are not quiet', () => {
  expect(isQuiet({ phase: 'none' })).toBe(true);
  expect(isQuiet({ phase: 'loading', sessionId: 's' as never, read: 0, total: 0 })).toBe(false);
  expect(isQuiet(view(new SessionScript().turn('t', 0)))).toBe(false);
  expect(isQuiet(view(new SessionScript().turn('t', 0, 10)))).toBe(true);
  expect(isQuiet(view(new SessionScript().call({ id: 'a', tool: 'Read', queued: 1 })))).toBe(false);
  expect(isQuiet(view(new SessionScript().call({ id: 'a', tool: 'Read', queued: 1, start: 2, end: 3 })))).toBe(true);
});

let frames: (() => void)[] = [];
/** Draws the frames that were asked for so far. */
const drawFrame = (): void => {
  const now = frames;
  frames = [];
  for (const frame of now) frame();
};

beforeEach(() => {
  frames = [];
  vi.stubGlobal('requestAnimationFrame', (callback: () => void) => frames.push(callback));
  vi.stubGlobal('cancelAnimationFrame', (handle: number) => {
    frames[handle - 1] = () => undefined;
  });
  appStore.setState({
    info: { version: '', electron: '', platform: '', home: '', gallery: false },
    reading: undefined,
    starting: undefined,
  });
  sessionsStore.setState({ loaded: true });
  sessionStore.setState({ phase: 'none' }, true);
});
afterEach(() => vi.unstubAllGlobals());

test('the mark turns true two frames after the last change, and false with the next one', () => {
  const element = document.createElement('div');
  const stop = startIdleMark(element);
  expect(element.dataset.idle).toBe('false');
  drawFrame();
  expect(element.dataset.idle).toBe('false');
  drawFrame();
  expect(element.dataset.idle).toBe('true');
  sessionStore.setState(view(new SessionScript().turn('t', 0)), true);
  expect(element.dataset.idle).toBe('false');
  drawFrame();
  drawFrame();
  expect(element.dataset.idle).toBe('false');
  sessionStore.setState(view(new SessionScript().turn('t', 0, 10)), true);
  drawFrame();
  drawFrame();
  expect(element.dataset.idle).toBe('true');
  stop();
});

test('the mark waits for the frames of the chart, and for a file that is being chosen', () => {
  const element = document.createElement('div');
  const stop = startIdleMark(element);
  drawFrame();
  frameAsked();
  drawFrame();
  expect(element.dataset.idle).toBe('false');
  frameDrawn();
  drawFrame();
  expect(element.dataset.idle).toBe('false');
  drawFrame();
  expect(element.dataset.idle).toBe('true');
  appStore.setState({ choosing: true });
  drawFrame();
  drawFrame();
  expect(element.dataset.idle).toBe('false');
  appStore.setState({ choosing: false });
  drawFrame();
  drawFrame();
  expect(element.dataset.idle).toBe('true');
  stop();
});

test('before the lists have come, nothing is idle', () => {
  sessionsStore.setState({ loaded: false });
  const element = document.createElement('div');
  const stop = startIdleMark(element);
  drawFrame();
  drawFrame();
  expect(element.dataset.idle).toBe('false');
  stop();
});

test('what main was asked for is waited for', () => {
  const element = document.createElement('div');
  const stop = startIdleMark(element);
  pendingRequests.setState({ count: 1 });
  for (let frame = 0; frame < 3; frame++) drawFrame();
  expect(element.dataset.idle).toBe('false');
  pendingRequests.setState({ count: 0 });
  drawFrame();
  drawFrame();
  expect(element.dataset.idle).toBe('true');
  stop();
});
