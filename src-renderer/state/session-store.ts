import { createStore } from 'zustand/vanilla';
import type { SessionId } from '../../src-shared/ids.ts';
import type { SessionEvent } from '../../src-shared/session/event.ts';
import { apply, emptySession, type SessionState } from '../../src-shared/session/state.ts';
import { onPush, request } from '../bridge.ts';
import { failureWords } from './problem.ts';
import { resetView, viewStore } from './view-store.ts';

/**
 * The session on screen. `state` grows in place (see `SessionState`); `version` changes whenever it did, so selectors
 * and effects depend on `version`, never on the identity of `state`.
 */
export type SessionView =
  | { readonly phase: 'none' }
  | { readonly phase: 'loading'; readonly sessionId: SessionId; readonly read: number; readonly total: number }
  | {
      readonly phase: 'failed';
      readonly sessionId: SessionId;
      readonly message: string;
      readonly hint: string | undefined;
    }
  | {
      readonly phase: 'open';
      readonly sessionId: SessionId;
      readonly state: SessionState;
      readonly events: readonly SessionEvent[];
      readonly version: number;
      /** `performance.now()` at which the newest event arrived: the live edge runs on from there. */
      readonly receivedAt: number;
      /** Set where reading was stopped half-way: what was read is shown, nothing follows. */
      readonly partial?: { readonly read: number; readonly total: number };
    };

export const sessionStore = createStore<SessionView>(() => ({ phase: 'none' }));

/** A session that is being fetched. `waiting` holds events pushed while its first pages are still on the way. */
type Loading = {
  readonly sessionId: SessionId;
  cancelled: boolean;
  stopped: boolean;
  readonly waiting: SessionEvent[];
};
let loading: Loading | undefined;

const detach = (sessionId: SessionId): void => {
  // The session may be gone already; then there is nothing to detach from.
  void request('session.detach', { sessionId }).catch(() => undefined);
};

/** Shows a session: fetches all its events page by page, then follows. Replaces the one on screen. */
export async function openSession(sessionId: SessionId): Promise<void> {
  const before = sessionStore.getState();
  if (loading !== undefined) loading.cancelled = true;
  if (before.phase !== 'none') detach(before.sessionId);
  if (before.phase === 'none' || before.sessionId !== sessionId) resetView();
  viewStore.setState({ page: 'session' });
  const mine: Loading = { sessionId, cancelled: false, stopped: false, waiting: [] };
  loading = mine;
  sessionStore.setState({ phase: 'loading', sessionId, read: 0, total: 0 }, true);
  try {
    await readAll(mine);
  } catch (error) {
    if (!mine.cancelled) sessionStore.setState({ phase: 'failed', sessionId, ...failureWords(error) }, true);
  } finally {
    if (loading === mine) loading = undefined;
  }
}

async function readAll(mine: Loading): Promise<void> {
  const { sessionId } = mine;
  const events: SessionEvent[] = [];
  const state = emptySession();
  for (;;) {
    const page = await request('session.attach', { sessionId, fromSeq: state.nextSeq });
    if (mine.cancelled) return;
    for (const event of page.events) {
      apply(state, event);
      events.push(event);
    }
    const progress = { read: events.length, total: page.total };
    const partial = page.more && mine.stopped;
    if (partial || !page.more) {
      const open = { phase: 'open', sessionId, state, events, version: 1, receivedAt: performance.now() } as const;
      sessionStore.setState(partial ? { ...open, partial: progress } : open, true);
      if (partial) detach(sessionId);
      else receive(sessionId, mine.waiting);
      return;
    }
    sessionStore.setState({ phase: 'loading', sessionId, ...progress }, true);
  }
}

/** Stops reading after the page that is on the way, and shows what was read. */
export function stopReading(): void {
  if (loading !== undefined) loading.stopped = true;
}

/** Shows the start page again. */
export function closeSession(): void {
  const view = sessionStore.getState();
  if (view.phase === 'none') return;
  if (loading !== undefined) loading.cancelled = true;
  detach(view.sessionId);
  resetView();
  sessionStore.setState({ phase: 'none' }, true);
}

function receive(sessionId: SessionId, events: readonly SessionEvent[]): void {
  const view = sessionStore.getState();
  if (view.phase !== 'open' || view.sessionId !== sessionId) {
    if (loading?.sessionId === sessionId) loading.waiting.push(...events);
    return;
  }
  if (view.partial !== undefined) return;
  const list = view.events as SessionEvent[];
  let added = 0;
  for (const event of events) {
    if (event.seq < view.state.nextSeq) continue;
    if (event.seq > view.state.nextSeq) {
      // A gap: main has dropped or reordered something. Fetch what is missing instead of guessing.
      catchUp(sessionId).catch((error: unknown) => {
        sessionStore.setState({ phase: 'failed', sessionId, ...failureWords(error) }, true);
      });
      break;
    }
    apply(view.state, event);
    list.push(event);
    added++;
  }
  if (added > 0) sessionStore.setState({ ...view, version: view.version + 1, receivedAt: performance.now() }, true);
}

/** The session whose missing events are being fetched. What is pushed meanwhile is fetched after that, once. */
let catchingUp: { readonly sessionId: SessionId; again: boolean } | undefined;

async function catchUp(sessionId: SessionId): Promise<void> {
  if (catchingUp?.sessionId === sessionId) {
    catchingUp.again = true;
    return;
  }
  const mine = { sessionId, again: true };
  catchingUp = mine;
  try {
    while (mine.again) {
      mine.again = false;
      await fetchMissing(sessionId);
    }
  } finally {
    if (catchingUp === mine) catchingUp = undefined;
  }
}

async function fetchMissing(sessionId: SessionId): Promise<void> {
  for (;;) {
    const view = sessionStore.getState();
    if (view.phase !== 'open' || view.sessionId !== sessionId) return;
    const page = await request('session.attach', { sessionId, fromSeq: view.state.nextSeq });
    receive(sessionId, page.events);
    if (!page.more || page.events.length === 0) return;
  }
}

/** Starts to follow pushes. Called once by the composition of the renderer. */
export function startSessionStore(): () => void {
  return onPush('session.events', ({ sessionId, events }) => receive(sessionId, events));
}
