import { createStore } from 'zustand/vanilla';
import type { SessionId } from '../../src-shared/ids.ts';
import type { RequestInput, TrustState } from '../../src-shared/ipc/contract.ts';
import { onPush, request } from '../bridge.ts';
import { accessStore, readerOf } from '../state/access-store.ts';
import { failureWords } from '../state/problem.ts';
import { sessionStore } from '../state/session-store.ts';
import { announce } from '../state/view-store.ts';

type Place = { readonly cwd: string; readonly sessionId: SessionId };

export type TrustView = {
  /** The folder of the session on screen, as main knows it. Undefined for files, and until main has answered. */
  readonly state: TrustState | undefined;
  /** Entries that the person wants to decide later, in this window. */
  readonly putOff: ReadonlySet<string>;
  /** The person has asked for the list, whether something waits or not. */
  readonly reviewing: boolean;
  readonly isSending: boolean;
  readonly problem: string | undefined;
};

const NOTHING: TrustView = {
  state: undefined,
  putOff: new Set(),
  reviewing: false,
  isSending: false,
  problem: undefined,
};

export const trustStore = createStore<TrustView>(() => NOTHING);

/** Does something wait that the person has not put off, in a folder they want to be asked about? */
export const isAsked = ({ state, putOff }: TrustView): boolean =>
  state !== undefined && state.answer !== 'never' && state.waiting.some(({ key }) => !putOff.has(key));

/** The folder on screen, if it is one of a session of this window's own. */
function place(): Place | undefined {
  const view = sessionStore.getState();
  if (view.phase !== 'open' || view.state.origin?.kind === 'imported' || view.state.cwd === '') return undefined;
  if (readerOf(accessStore.getState(), view.sessionId) !== undefined) return undefined;
  return { cwd: view.state.cwd, sessionId: view.sessionId };
}

const isPlace = (a: Place | undefined, b: Place | undefined): boolean =>
  a?.cwd === b?.cwd && a?.sessionId === b?.sessionId;

/** Asks main what waits. What comes late for a session that has gone is dropped. */
export async function refreshTrust(): Promise<void> {
  const asked = place();
  if (asked === undefined) return;
  try {
    const state = await request('trust.state', asked);
    if (isPlace(asked, place())) trustStore.setState({ state });
  } catch (error) {
    if (isPlace(asked, place())) trustStore.setState({ problem: failureWords(error).message });
  }
}

/**
 * Says the person's word. With `trust` only what `entries` holds, which is what was on screen, so that nothing is
 * confirmed that nobody has read.
 */
export async function answerTrust(
  answer: RequestInput<'trust.set'>['answer'],
  entries: TrustState['waiting'],
): Promise<void> {
  const asked = place();
  if (asked === undefined || trustStore.getState().isSending) return;
  trustStore.setState({ isSending: true, problem: undefined });
  try {
    const state = await request('trust.set', { ...asked, answer, keys: entries.map(({ key }) => key) });
    trustStore.setState({ state, reviewing: false });
    announce(WORDS[answer]);
  } catch (error) {
    trustStore.setState({ problem: failureWords(error).message });
  } finally {
    trustStore.setState({ isSending: false });
  }
}

const WORDS: Readonly<Record<RequestInput<'trust.set'>['answer'], string>> = {
  trust: 'The folder is trusted. What was listed has its effect from the next decision on.',
  never: 'Nothing that comes with the folder has an effect. You are not asked about it again.',
  forget: 'The folder is no longer trusted.',
};

/** Closes the panel. What comes later is asked about again; so is all of it in another window. */
export function putOff(): void {
  const { state, putOff: before } = trustStore.getState();
  const keys = state?.waiting.map(({ key }) => key) ?? [];
  trustStore.setState({ putOff: new Set([...before, ...keys]), reviewing: false, problem: undefined });
}

/** Shows the list, and what is in effect of it. */
export function reviewTrust(): void {
  trustStore.setState({ reviewing: true, problem: undefined });
  void refreshTrust();
}

/** Main looks at the settings of a folder when a turn begins, and tells by a notice what it finds. */
const MAY_TELL: ReadonlySet<string> = new Set(['turn-started', 'notice-given']);

/**
 * Keeps the state of the folder on screen fresh: when another session is shown, at each turn and each notice of main's,
 * when the window gets the keyboard, and when a word was said elsewhere. Called once by the composition of the renderer.
 */
export function startTrustStore(): () => void {
  let shown: Place | undefined;
  /** So many events of it were looked at. */
  let seen = 0;
  const look = (): void => {
    const now = place();
    const isOther = !isPlace(shown, now);
    if (isOther) {
      shown = now;
      trustStore.setState({ ...NOTHING, putOff: trustStore.getState().putOff });
    }
    const view = sessionStore.getState();
    const events = view.phase === 'open' ? view.events : [];
    const hasNews = events.slice(isOther ? 0 : seen).some(({ type }) => MAY_TELL.has(type));
    seen = events.length;
    if (now !== undefined && (isOther || hasNews)) void refreshTrust();
  };
  const onFocus = (): void => void refreshTrust();
  window.addEventListener('focus', onFocus);
  const stops = [
    sessionStore.subscribe(look),
    accessStore.subscribe(look),
    onPush('trust.changed', () => void refreshTrust()),
  ];
  look();
  return () => {
    window.removeEventListener('focus', onFocus);
    for (const stop of stops) stop();
  };
}
