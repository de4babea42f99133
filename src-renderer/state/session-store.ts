import { createStore } from 'zustand/vanilla';
import type { SessionId } from '../../src-shared/ids.ts';
import type { PushPayload } from '../../src-shared/ipc/contract.ts';
import { GrowingSession } from '../../src-shared/replay/growing-session.ts';
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
      /** Set while another program writes the session: `performance.now()` at which its last line came. */
      readonly lastLineAt?: number;
      /** Set where reading was stopped half-way: what was read is shown, nothing follows. */
      readonly partial?: { readonly read: number; readonly total: number };
    };

type OpenView = Extract<SessionView, { readonly phase: 'open' }>;

export const sessionStore = createStore<SessionView>(() => ({ phase: 'none' }));

/** A session that is being fetched. `waiting` holds events pushed while its first pages are still on the way. */
type Loading = {
  readonly sessionId: SessionId;
  cancelled: boolean;
  stopped: boolean;
  readonly waiting: SessionEvent[];
};
let loading: Loading | undefined;

/** The session on screen where it may be told anew, and which telling of it is on screen. */
let growing: { readonly sessionId: SessionId; readonly session: GrowingSession; revision: number } | undefined;
/** Sessions that other programs write, each with `performance.now()` at which its last line came. */
const followed = new Map<SessionId, number>();

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
  let events: SessionEvent[] = [];
  let state = emptySession();
  let revision = 0;
  for (;;) {
    const page = await request('session.attach', { sessionId, fromSeq: state.nextSeq });
    if (mine.cancelled) return;
    if (events.length > 0 && (page.revision ?? 0) !== revision) {
      // What was read belongs to another telling of the session.
      events = [];
      state = emptySession();
      mine.waiting.length = 0;
      revision = page.revision ?? 0;
      continue;
    }
    revision = page.revision ?? 0;
    for (const event of page.events) {
      apply(state, event);
      events.push(event);
    }
    const progress = { read: events.length, total: page.total };
    const partial = page.more && mine.stopped;
    if (partial || !page.more) {
      const open = { phase: 'open', sessionId, state, events, version: 1, receivedAt: performance.now() } as const;
      growing = partial ? undefined : { sessionId, session: new GrowingSession(events, state), revision };
      sessionStore.setState(partial ? { ...open, partial: progress } : withFollowing(open), true);
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
  growing = undefined;
  resetView();
  sessionStore.setState({ phase: 'none' }, true);
}

/** What is known of the open session. It may be ahead of the screen: see `revise`. */
function knownOf(view: OpenView): GrowingSession {
  if (growing?.sessionId !== view.sessionId) {
    growing = { sessionId: view.sessionId, session: new GrowingSession(view.events, view.state), revision: 0 };
  }
  return growing.session;
}

function receive(sessionId: SessionId, events: readonly SessionEvent[]): void {
  const view = sessionStore.getState();
  if (view.phase !== 'open' || view.sessionId !== sessionId) {
    if (loading?.sessionId === sessionId) loading.waiting.push(...events);
    return;
  }
  if (view.partial !== undefined) return;
  const session = knownOf(view);
  const added: SessionEvent[] = [];
  for (const event of events) {
    const next = session.state.nextSeq + added.length;
    if (event.seq < next) continue;
    if (event.seq > next) {
      // A gap: main has dropped or reordered something. Fetch what is missing instead of guessing.
      catchUp(sessionId).catch((error: unknown) => {
        sessionStore.setState({ phase: 'failed', sessionId, ...failureWords(error) }, true);
      });
      break;
    }
    added.push(event);
  }
  if (added.length === 0) return;
  session.append(added);
  show(view, session, performance.now());
}

function show(view: OpenView, { events, state }: GrowingSession, receivedAt: number): void {
  sessionStore.setState(withFollowing({ ...view, events, state, version: view.version + 1, receivedAt }), true);
}

/** The live edge of a session that another program writes runs on from when its last line came. */
function withFollowing(view: OpenView): OpenView {
  const at = followed.get(view.sessionId);
  const { lastLineAt: _, ...rest } = view;
  rest.state.followed = at !== undefined;
  return at === undefined ? rest : { ...rest, lastLineAt: at, receivedAt: at };
}

function follow({ sessionId, quietMs }: PushPayload<'session.following'>): void {
  if (quietMs === undefined) followed.delete(sessionId);
  else followed.set(sessionId, performance.now() - quietMs);
  const view = sessionStore.getState();
  if (view.phase !== 'open' || view.sessionId !== sessionId || view.partial !== undefined) return;
  sessionStore.setState(withFollowing({ ...view, version: view.version + 1 }), true);
}

/**
 * What was told of the session from `keep` on is not true any more. What is on screen stays until what is true comes, which
 * it does at once, so that nothing flickers.
 */
function revise({ sessionId, revision, keep, amended, total }: PushPayload<'session.revised'>): void {
  const view = sessionStore.getState();
  if (view.phase !== 'open' || view.sessionId !== sessionId || view.partial !== undefined) return;
  const session = knownOf(view);
  if (growing !== undefined) growing.revision = revision;
  const isWhole = keep >= session.events.length;
  session.cut(keep);
  session.amend(amended);
  if (isWhole || total <= keep) show(view, session, view.receivedAt);
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

/** Events that are shown at once of what is fetched: drawing each page would take longer than fetching it. */
const SHOWN_AT_ONCE = 10_000;

async function fetchMissing(sessionId: SessionId): Promise<void> {
  let fetched: SessionEvent[] = [];
  let telling: number | undefined;
  for (;;) {
    const view = sessionStore.getState();
    if (view.phase !== 'open' || view.sessionId !== sessionId) return;
    const { nextSeq } = knownOf(view).state;
    const known = growing?.revision ?? 0;
    if (telling !== known) fetched = [];
    telling = known;
    const page = await request('session.attach', { sessionId, fromSeq: nextSeq + fetched.length });
    const revision = page.revision ?? 0;
    // It was told meanwhile that the session is another one: what was asked for is not what is missing.
    if ((growing?.revision ?? 0) !== known || revision < known) continue;
    // Of another telling than the one that is known here: that it has changed is, or will be, said.
    if (revision === known) for (const event of page.events) fetched.push(event);
    const isOver = !page.more || page.events.length === 0;
    if (isOver || fetched.length >= SHOWN_AT_ONCE) {
      receive(sessionId, fetched);
      fetched = [];
    }
    if (isOver) return;
  }
}

/** Starts to follow pushes. Called once by the composition of the renderer. */
export function startSessionStore(): () => void {
  const stops = [
    onPush('session.events', ({ sessionId, events }) => receive(sessionId, events)),
    onPush('session.revised', revise),
    onPush('session.following', follow),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
