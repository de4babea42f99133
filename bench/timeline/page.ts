import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import { busySession } from '../../src-shared/replay/samples.ts';
import { apply, emptySession } from '../../src-shared/session/state.ts';
import { type Calls, makeCalls } from './calls.ts';
import type { Contender } from './contender.ts';
import { empty } from './empty.ts';
import { flameChart } from './flame-chart.ts';
import { floor } from './floor.ts';
import { following, ours } from './ours.ts';
import { FRAMES, stretchAt } from './script.ts';

const CONTENDERS: Readonly<Record<string, () => Contender>> = { empty, floor, ours, 'flame-chart-js': flameChart };

/** Opening: ms until the first picture with calls was painted, and until all calls were in it; the longest piece of it. */
export type Opened = {
  readonly first: number;
  readonly whole: number;
  readonly longest: number;
  readonly bytesPerCall: number;
};
/** One number a frame, in ms: from frame to frame, and of script within it. */
export type Frames = {
  readonly frames: readonly number[];
  readonly scripts: readonly number[];
  readonly hitsLast: boolean;
};

/** Script of the frames, by the frame's time stamp: whoever asks for a frame is timed. */
const scripts = new Map<number, number>();
const requestFrame = window.requestAnimationFrame.bind(window);
window.requestAnimationFrame = (callback) =>
  requestFrame((clock) => {
    const from = performance.now();
    callback(clock);
    scripts.set(clock, (scripts.get(clock) ?? 0) + performance.now() - from);
  });

const nextFrame = (): Promise<number> => new Promise((resolve) => requestFrame(resolve));
const canvas = document.querySelector('canvas') as HTMLCanvasElement;
const words = new URLSearchParams(window.location.search);
const contender = (CONTENDERS[words.get('contender') ?? ''] ?? empty)();
let calls: Calls | undefined;

const collect = (): void => (globalThis as unknown as { gc?: () => void }).gc?.();
type Memory = { readonly heapUsed: number; readonly arrayBuffers: number };
const inUse = (): number => {
  const { heapUsed, arrayBuffers } = (process as unknown as { memoryUsage(): Memory }).memoryUsage();
  return heapUsed + arrayBuffers;
};

function emptyFollowing(): { readonly changed: () => void } {
  const nothing = empty();
  nothing.open(makeCalls(0), canvas);
  return { changed: () => nothing.show({ from: 0, until: 1 }) };
}

/** Of a session that grows: ms from an event to the frame after the one it is painted in, and from frame to frame. */
export type Lived = { readonly toPixel: readonly number[]; readonly frames: readonly number[] };

const bench = {
  /** Events come as they do from main: what is due, about once a frame. */
  live: async (seconds: number, eventsPerSecond: number): Promise<Lived> => {
    const events = busySession(seconds * eventsPerSecond, 7);
    const state = emptySession();
    // Without a chart: what else the machine does, in the same numbers.
    const chart = words.get('contender') === 'ours' ? following(state, canvas) : emptyFollowing();
    const toPixel: number[] = [];
    const frames: number[] = [];
    const startedAt = performance.now();
    let next = 0;
    let last: number | undefined;
    const take = (): void => {
      const due = Math.min(events.length, Math.floor(((performance.now() - startedAt) / 1000) * eventsPerSecond));
      if (due === next) return;
      const at = performance.now();
      for (; next < due; next++) apply(state, events[next] as (typeof events)[number]);
      chart.changed();
      void nextFrame()
        .then(nextFrame)
        .then(() => toPixel.push(performance.now() - at));
    };
    const timer = setInterval(take, 16);
    while (performance.now() - startedAt < seconds * 1000) {
      await nextFrame();
      const now = performance.now();
      if (last !== undefined) frames.push(now - last);
      last = now;
    }
    clearInterval(timer);
    return { toPixel, frames };
  },

  prepare: async (): Promise<void> => {
    calls = makeCalls(Number(words.get('calls')));
    await document.fonts.ready;
    collect();
    await nextFrame();
    await nextFrame();
  },

  open: async (): Promise<Opened> => {
    if (calls === undefined) throw new Error('prepare comes first');
    const before = inUse();
    scripts.clear();
    const from = performance.now();
    contender.open(calls, canvas);
    const own = performance.now() - from;
    // The frame it is painted in, and the one that comes when that one is on screen.
    await nextFrame();
    await nextFrame();
    const first = performance.now() - from;
    while (!contender.isWhole()) await nextFrame();
    const whole = Math.max(first, performance.now() - from);
    await nextFrame();
    collect();
    return {
      first,
      whole,
      longest: Math.max(own, ...scripts.values()),
      bytesPerCall: (inUse() - before) / calls.count,
    };
  },

  run: async (): Promise<Frames> => {
    if (calls === undefined) throw new Error('prepare comes first');
    scripts.clear();
    const frames: number[] = [];
    let last: number | undefined;
    for (let frame = 0; frame < FRAMES; frame++) {
      const { until, count } = calls;
      await new Promise<void>((resolve) => {
        window.requestAnimationFrame(() => {
          const now = performance.now();
          if (last !== undefined) frames.push(now - last);
          last = now;
          contender.show(stretchAt(frame, until, count));
          resolve();
        });
      });
    }
    const script = [...scripts.values()];
    contender.show({ from: calls.until * (1 - 60 / calls.count), until: calls.until });
    await nextFrame();
    await nextFrame();
    return { frames, scripts: script, hitsLast: contender.hitsLast?.() ?? true };
  },
};
Object.assign(globalThis, { bench });
