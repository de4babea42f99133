import { createStore } from 'zustand/vanilla';
import { advance } from '../../src-shared/replay/advance.ts';
import { Moments } from '../../src-shared/replay/moments.ts';
import { ReplayFold } from '../../src-shared/replay/replay-fold.ts';
import { type StopKind, Stops } from '../../src-shared/replay/stops.ts';
import type { SessionEvent } from '../../src-shared/session/event.ts';
import type { SessionState } from '../../src-shared/session/state.ts';
import type { Fold } from '../../src-shared/timeline/axis.ts';
import { type SessionTime, sessionTime } from '../../src-shared/units.ts';
import { type SessionView, sessionStore } from '../state/session-store.ts';

export type Playhead = {
  /** Number of events that count. Undefined: all of them, and those that come; nothing is scrubbed. */
  readonly position: number | undefined;
  /** Session time at the playhead; lies at or after the last event that counts. */
  readonly t: SessionTime | undefined;
  readonly playing: boolean;
  /** 0.1 to 100. */
  readonly speed: number;
};

export const playheadStore = createStore<Playhead>(() => ({
  position: undefined,
  t: undefined,
  playing: false,
  speed: 1,
}));

export type OpenView = Extract<SessionView, { phase: 'open' }>;

/** What is known of the events of one session. */
type Tape = {
  readonly events: readonly SessionEvent[];
  readonly fold: ReplayFold;
  readonly moments: Moments;
  readonly stops: Stops;
};
let tape: Tape | undefined;

function tapeOf(): Tape | undefined {
  const view = sessionStore.getState();
  if (view.phase !== 'open') return undefined;
  if (tape?.events !== view.events) {
    const { events } = view;
    tape = { events, fold: new ReplayFold(events), moments: new Moments(events), stops: new Stops(events) };
  }
  return tape;
}

const place = (position: number | undefined, t: SessionTime | undefined): void =>
  playheadStore.setState({ position, t });

/** Puts the playhead to a time: all events up to it count. */
export function seekToTime(t: number): void {
  const known = tapeOf();
  if (known === undefined) return;
  const within = Math.max(0, Math.min(t, known.moments.timeOf(known.events.length)));
  place(known.moments.positionAt(within), sessionTime(within));
}

/** Puts the playhead right after the first `position` events. */
export function seekToPosition(position: number): void {
  const known = tapeOf();
  if (known === undefined) return;
  const within = Math.max(0, Math.min(position, known.events.length));
  place(within, known.moments.timeOf(within));
}

/** Shows all that is known again; a live session goes on. */
export const leavePlayhead = (): void => playheadStore.setState({ position: undefined, t: undefined, playing: false });

/** Where the playhead stands, or the end of the session, which is where it starts from. */
export function whereItStands(): { readonly position: number; readonly count: number; readonly t: SessionTime } {
  const known = tapeOf();
  const { position, t } = playheadStore.getState();
  const count = known?.events.length ?? 0;
  const at = position ?? count;
  return { position: at, count, t: t ?? known?.moments.timeOf(at) ?? sessionTime(0) };
}

/** Time of the newest event. */
export const endOfTape = (): SessionTime => tapeOf()?.moments.timeOf(Number.POSITIVE_INFINITY) ?? sessionTime(0);

export function stepEvent(by: 1 | -1): void {
  playheadStore.setState({ playing: false });
  seekToPosition(whereItStands().position + by);
}

/** Where the next (or previous) of a kind is told of, if there is one. */
export function stopFrom(kind: StopKind, to: 'next' | 'previous'): number | undefined {
  const known = tapeOf();
  if (known === undefined) return undefined;
  // At the end of a recording there is nothing left to jump to: then the search goes from its beginning.
  const from = playheadStore.getState().position ?? (to === 'next' ? 0 : known.events.length);
  return known.stops[to](kind, from);
}

/** Jumps there. Answers whether there was one. */
export function jumpTo(kind: StopKind, to: 'next' | 'previous'): boolean {
  const position = stopFrom(kind, to);
  if (position === undefined) return false;
  playheadStore.setState({ playing: false });
  seekToPosition(position);
  return true;
}

export const setSpeed = (speed: number): void => playheadStore.setState({ speed: Math.max(0.1, Math.min(100, speed)) });

/** Where frames come from, and which gaps the chart folds: handed in, so that a test moves time by hand. */
export type Frames = {
  readonly request: (callback: (clock: number) => void) => number;
  readonly cancel: (frame: number) => void;
  readonly folds: () => readonly Fold[];
};

/** Moves the playhead while it plays. Returns the way to stop listening. */
export function startPlayer({ request, cancel, folds }: Frames): () => void {
  let frame: number | undefined;
  let last: number | undefined;
  const tick = (clock: number): void => {
    frame = undefined;
    const { playing, speed } = playheadStore.getState();
    if (!playing) return;
    const real = last === undefined ? 0 : clock - last;
    last = clock;
    const t = advance(whereItStands().t, real, speed, folds());
    const isAtEnd = t >= endOfTape();
    seekToTime(t);
    if (isAtEnd) playheadStore.setState({ playing: false });
    else frame = request(tick);
  };
  const stop = playheadStore.subscribe(({ playing }, before) => {
    if (playing === before.playing) return;
    if (frame !== undefined) cancel(frame);
    frame = undefined;
    last = undefined;
    if (playing) frame = request(tick);
  });
  return () => {
    stop();
    if (frame !== undefined) cancel(frame);
  };
}

/** Plays from the playhead on, from the start when it stands at the end; or pauses. */
export function togglePlay(): void {
  const { playing } = playheadStore.getState();
  const { position, count } = whereItStands();
  // Between two events it goes on from where it stands, not from the event before.
  if (!playing && position >= count) seekToPosition(0);
  playheadStore.setState({ playing: !playing });
}

/** The session as the playhead shows it; made once for each position. */
let shown: { readonly position: number; readonly tape: Tape; readonly view: OpenView } | undefined;
let seeks = 0;

/**
 * What a view of the whole session looks like at the playhead: its state, the events that count, and a version of its own
 * for every position, so that play between two events makes nothing anew. The same view where nothing is scrubbed.
 */
export function viewAtPlayhead(whole: OpenView): OpenView {
  const { position } = playheadStore.getState();
  const known = tapeOf();
  if (position === undefined || known === undefined || known.events !== whole.events) return whole;
  if (shown?.tape !== known || shown.position !== position) {
    seeks++;
    const state: SessionState = known.fold.stateAt(position);
    const view = { ...whole, state, events: known.events.slice(0, position), version: -seeks };
    shown = { position, tape: known, view };
  }
  return shown.view;
}

/** What was scrubbed in one session says nothing of another. */
sessionStore.subscribe((now, before) => {
  const idOf = (view: SessionView): string | undefined => (view.phase === 'open' ? view.sessionId : undefined);
  if (idOf(now) === idOf(before)) return;
  tape = undefined;
  shown = undefined;
  leavePlayhead();
});

/** Events that are folded at a time, well under 50 ms, and sessions that are long enough to be worth it. */
const WARM_EVENTS = 1_500;
const LONG = 10_000;

/**
 * Takes the snapshots of a long session while nothing else is to be done, so that the first seek finds them. `idle`: calls
 * back when the page has time. Returns the way to stop.
 */
export function startWarming(idle: (callback: () => void) => void): () => void {
  let isStopped = false;
  const goOn = (known: Tape, from: number): void => {
    const isScrubbed = playheadStore.getState().position !== undefined;
    // Whoever seeks needs the fold now, and folds what is missing.
    if (isStopped || tape !== known || isScrubbed || from >= known.events.length) return;
    known.fold.stateAt(from + WARM_EVENTS);
    idle(() => goOn(known, from + WARM_EVENTS));
  };
  const look = (view: SessionView, before: SessionView): void => {
    if (view.phase !== 'open' || before.phase === 'open' || view.events.length < LONG) return;
    const known = tapeOf();
    if (known !== undefined) idle(() => goOn(known, 0));
  };
  const stop = sessionStore.subscribe(look);
  return () => {
    isStopped = true;
    stop();
  };
}
