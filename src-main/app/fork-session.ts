import { basename } from 'node:path';
import type { Disposable } from '../../src-shared/disposable.ts';
import type { ForkedFrom } from '../../src-shared/history/event.ts';
import type { SessionId } from '../../src-shared/ids.ts';
import type { EventOf, SessionEvent } from '../../src-shared/session/event.ts';
import { instant, millis, sessionTime } from '../../src-shared/units.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventStore } from '../ports/event-log.ts';
import { closeOpenEnds } from './recover.ts';
import { SessionLog } from './session-log.ts';

/** What of a session is copied into another one. */
export type Source = {
  readonly sessionId: SessionId;
  /** The file of a transcript. */
  readonly path: string | undefined;
  readonly title: string;
};

const NO_RESULT = 'The history that this session goes on from ends before this call had a result.';
const WORDS = { neverRan: NO_RESULT, ran: NO_RESULT, request: 'The history that this session goes on from ends here.' };

/**
 * The events that a fork's journal begins with: its start, the copied history with new numbers, ends for what the copy
 * cuts off, and the mark behind it all. The session's clock goes on where the history ends.
 *
 * @param history oldest first, with the times they had.
 */
export function forkedEvents(deps: {
  readonly clock: Clock;
  readonly history: readonly SessionEvent[];
  readonly start: Omit<EventOf<'session-started'>, 'seq' | 'at' | 't' | 'type'>;
}): readonly SessionEvent[] {
  const { clock, history, start } = deps;
  const length = history.reduce((most, { t }) => Math.max(most, t), 0);
  const now = clock.now();
  const stamped = [
    { type: 'session-started', ...start, at: instant(now - length), t: sessionTime(0) } as SessionEvent,
    { type: 'title-changed', title: start.title, by: 'prompt', at: now, t: sessionTime(0) } as SessionEvent,
    ...history,
  ];
  const past = stamped.map((event, seq) => ({ ...event, seq }));
  const log = new SessionLog({ store: nowhere, clock: stopped(past.at(-1)?.at ?? now), past });
  closeOpenEnds(log, WORDS);
  log.flush();
  const events = [...log.events];
  const mark = { seq: events.length, at: now, t: sessionTime(length), events: events.length - 1 };
  return [...events, { type: 'history-copied', ...mark } as SessionEvent];
}

export const forkedFrom = ({ sessionId, path, title }: Source, seq: number): ForkedFrom => ({
  ...(path === undefined ? { sessionId } : { path }),
  title,
  seq,
});

/** What a fork is called: it has to be told from the session it comes from. */
export function forkTitle({ title, path }: Source): string {
  if (path === undefined) return `${title} (fork)`;
  return `${title === '' ? basename(path) : title} (continued)`;
}

/** A journal that is made before it is written. */
const nowhere: EventStore = { write: () => undefined, sync: () => undefined, close: () => undefined };

/** All that is added to the history happens at its end. */
function stopped(at: number): Clock {
  const never: Disposable = { dispose: () => undefined };
  return { now: () => instant(at), monotonic: () => millis(0), schedule: () => never };
}
