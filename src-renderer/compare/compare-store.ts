import { createStore } from 'zustand/vanilla';
import { turnByNumber } from '../../src-shared/compare/calls.ts';
import { type Comparison, compare, type Difference } from '../../src-shared/compare/compare.ts';
import type { CallId, SessionId } from '../../src-shared/ids.ts';
import { apply, emptySession, type SessionState } from '../../src-shared/session/state.ts';
import { request } from '../bridge.ts';
import { failureWords, type Problem } from '../state/problem.ts';
import { openSession, sessionStore } from '../state/session-store.ts';
import { sessionsStore } from '../state/sessions-store.ts';
import { selectCall, viewStore } from '../state/view-store.ts';

/** What stands on one side. */
export type Chosen = {
  readonly sessionId: SessionId | undefined;
  /** From 1; undefined: the whole session. */
  readonly turn: number | undefined;
};

export type SideName = 'a' | 'b';

export type CompareView = {
  readonly isOpen: boolean;
  readonly a: Chosen;
  readonly b: Chosen;
  /** Sessions that were read for the dialog. */
  readonly states: Readonly<Record<string, SessionState>>;
  readonly problem: Problem | undefined;
  /** Undefined while a side is missing or still being read. */
  readonly result: Comparison | undefined;
  /** Place of the chosen difference in the list. */
  readonly selected: number | undefined;
};

const NOBODY: Chosen = { sessionId: undefined, turn: undefined };
const CLOSED: CompareView = {
  isOpen: false,
  a: NOBODY,
  b: NOBODY,
  states: {},
  problem: undefined,
  result: undefined,
  selected: undefined,
};

export const compareStore = createStore<CompareView>(() => CLOSED);

const onScreen = (): SessionId | undefined => {
  const view = sessionStore.getState();
  return view.phase === 'none' ? undefined : view.sessionId;
};

/** Opens the dialog: the session on screen against the given one, or against one that is still to be chosen. */
export function openCompare(other?: SessionId): void {
  const shown = onScreen();
  const first = shown ?? other;
  const next = sessionsStore.getState().sessions.find(({ sessionId }) => sessionId !== first)?.sessionId;
  const second = other !== undefined && other !== first ? other : next;
  compareStore.setState({
    ...CLOSED,
    isOpen: true,
    a: { sessionId: first, turn: undefined },
    b: { sessionId: second ?? first, turn: undefined },
  });
  void look();
}

export const closeCompare = (): void => compareStore.setState(CLOSED);

/** Puts another session or turn on a side. */
export function choose(side: SideName, change: Partial<Chosen>): void {
  compareStore.setState((view) => ({ [side]: { ...view[side], ...change }, selected: undefined, problem: undefined }));
  void look();
}

export const selectDifference = (selected: number): void => compareStore.setState({ selected });

/** Reads what is missing, then compares. */
async function look(): Promise<void> {
  compareStore.setState({ result: undefined });
  const { a, b } = compareStore.getState();
  for (const { sessionId } of [a, b]) {
    if (sessionId === undefined || compareStore.getState().states[sessionId] !== undefined) continue;
    try {
      const state = await read(sessionId);
      compareStore.setState(({ states }) => ({ states: { ...states, [sessionId]: state } }));
    } catch (error) {
      if (isStill(a, b)) compareStore.setState({ problem: failureWords(error) });
      return;
    }
  }
  if (isStill(a, b)) compareStore.setState({ result: resultOf(compareStore.getState()) });
}

/** Was nothing else chosen meanwhile, and is the dialog open? */
const isStill = (a: Chosen, b: Chosen): boolean => {
  const now = compareStore.getState();
  return now.isOpen && now.a === a && now.b === b;
};

function resultOf({ a, b, states }: CompareView): Comparison | undefined {
  const [one, other] = [a, b].map(({ sessionId }) => (sessionId === undefined ? undefined : states[sessionId]));
  if (one === undefined || other === undefined) return undefined;
  const turnOf = (state: SessionState, { turn }: Chosen) =>
    turn === undefined ? undefined : turnByNumber(state, turn);
  return compare({ state: one, turn: turnOf(one, a) }, { state: other, turn: turnOf(other, b) });
}

/** All of a session as it stands. The one on screen is there already; any other is let go of at once. */
async function read(sessionId: SessionId): Promise<SessionState> {
  const shown = sessionStore.getState();
  if (shown.phase === 'open' && shown.sessionId === sessionId && shown.partial === undefined) return shown.state;
  const state = emptySession();
  try {
    for (;;) {
      const page = await request('session.attach', { sessionId, fromSeq: state.nextSeq });
      for (const event of page.events) apply(state, event);
      if (!page.more || page.events.length === 0) return state;
    }
  } finally {
    if (onScreen() !== sessionId) await request('session.detach', { sessionId }).catch(() => undefined);
  }
}

/** The call of a difference on a side, where it has one. */
export const callOn = (difference: Difference, side: SideName): CallId | undefined => {
  if (side === 'a') return difference.kind === 'only-b' ? undefined : difference.a;
  return difference.kind === 'only-a' ? undefined : difference.b;
};

/** Shows a call where it was made, and closes the dialog. */
export async function showCall(side: SideName, callId: CallId): Promise<void> {
  const { sessionId } = compareStore.getState()[side];
  if (sessionId === undefined) return;
  closeCompare();
  if (onScreen() !== sessionId) await openSession(sessionId);
  viewStore.setState({ page: 'session' });
  selectCall(callId);
}
