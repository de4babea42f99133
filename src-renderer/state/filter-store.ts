import { createStore } from 'zustand/vanilla';
import { type CallFilter, isFiltering, NO_FILTER, testOf } from '../../src-shared/filter/call-filter.ts';
import { Matching, placeOf, stepAmong } from '../../src-shared/filter/matching.ts';
import type { CallId } from '../../src-shared/ids.ts';
import { isEnded } from '../../src-shared/timeline/parts.ts';
import { keptIn } from '../../src-shared/tool-call/content.ts';
import type { ToolCall } from '../../src-shared/tool-call/state.ts';
import { request } from '../bridge.ts';
import { type SessionView, sessionStore } from './session-store.ts';
import { selectCall, viewStore } from './view-store.ts';

/**
 * Which calls the person wants to see, and what they search for: one answer for the chart, the list and the
 * conversation. The sets are of all that is known of the session, wherever the playhead stands.
 */
export type FilterView = {
  readonly filter: CallFilter;
  /** Calls that fit; undefined without a filter, and until the first look is over. Grows in place: see `version`. */
  readonly matching: Matching | undefined;
  /** The field over the chart is open. */
  readonly isSearching: boolean;
  readonly query: string;
  /** Calls that fit and hold the query; undefined without one. */
  readonly found: Matching | undefined;
  /** Changes with the sets. */
  readonly version: number;
};

const NOTHING: FilterView = {
  filter: NO_FILTER,
  matching: undefined,
  isSearching: false,
  query: '',
  found: undefined,
  version: 0,
};

export const filterStore = createStore<FilterView>(() => NOTHING);

/** Calls with a text in what was left in the session's file: by the text, as main has found them. */
let inKept = new Map<string, ReadonlySet<CallId>>();
let asking: ReturnType<typeof setTimeout> | undefined;

/** So long after the last letter main is asked: it has to read the texts from the file. */
const ASK_AFTER_MS = 200;

const isInKept = (text: string, callId: CallId): boolean => inKept.get(text)?.has(callId) === true;

/** Asks main for what the session's events do not hold, where there is such, and looks again once it is known. */
function askForKept(texts: readonly string[]): void {
  clearTimeout(asking);
  const session = sessionStore.getState();
  if (session.phase !== 'open' || !session.state.calls.some(hasKept)) return;
  const unknown = texts.map((text) => text.trim()).filter((text) => text !== '' && !inKept.has(text));
  if (unknown.length === 0) return;
  const { sessionId } = session;
  const known = inKept;
  asking = setTimeout(async () => {
    for (const text of unknown) {
      // Where the file has changed there is nothing to find in it; what is looked at says so.
      const answer = await request('kept-text.find', { sessionId, text }).catch(() => ({ callIds: [] }));
      known.set(text, new Set(answer.callIds));
    }
    const { filter, query, isSearching } = filterStore.getState();
    if (known === inKept) lookAnew(filter, isSearching ? query : '');
  }, ASK_AFTER_MS);
}

const hasKept = (call: ToolCall): boolean => isEnded(call) && keptIn(call.end.result.content).length > 0;

/** The sets that are being made. They are shown when they are whole. */
let making: { readonly matching: Matching | undefined; readonly found: Matching | undefined } = NOTHING;
let timer: ReturnType<typeof setTimeout> | undefined;

/** A look at 100,000 calls takes longer than a frame: it goes on in pieces of this length. */
const PIECE_MS = 12;

/** Changes some parts of the filter. */
export function setFilter(change: Partial<CallFilter>): void {
  const { filter, query, isSearching } = filterStore.getState();
  const next = { ...filter, ...change };
  filterStore.setState({ filter: next });
  lookAnew(next, isSearching ? query : '');
}

export const clearFilter = (): void => setFilter(NO_FILTER);

export function setQuery(query: string): void {
  filterStore.setState({ query });
  lookAnew(filterStore.getState().filter, query);
}

export const openSearch = (): void => filterStore.setState({ isSearching: true });

/** Closes the field. What was typed is proposed again, but marks nothing any more. */
export function closeSearch(): void {
  filterStore.setState({ isSearching: false });
  lookAnew(filterStore.getState().filter, '');
}

function lookAnew(filter: CallFilter, query: string): void {
  making = {
    matching: isFiltering(filter) ? new Matching(testOf(filter, '', isInKept)) : undefined,
    found: query.trim() === '' ? undefined : new Matching(testOf(filter, query, isInKept)),
  };
  askForKept([filter.text, query]);
  look();
}

/** Brings the sets up to date with the session, a piece at a time. */
function look(): void {
  clearTimeout(timer);
  const session = sessionStore.getState();
  const { matching, found } = making;
  if (session.phase === 'open') {
    const until = performance.now() + PIECE_MS;
    const isOver = (): boolean => performance.now() > until;
    const isDone = [matching, found].every((set) => set === undefined || set.update(session.state, isOver));
    if (!isDone) {
      timer = setTimeout(look, 0);
      return;
    }
  }
  filterStore.setState(({ version }) => ({ matching, found, version: version + 1 }));
}

/** Selects the next call that holds the query, or the one before, and so brings it into view. */
export function stepToMatch(by: 1 | -1): void {
  const { found } = filterStore.getState();
  const session = sessionStore.getState();
  if (found === undefined || session.phase !== 'open') return;
  const index = stepAmong(found.indices(), selectedIndex(session), by);
  const call = index === undefined ? undefined : session.state.calls[index];
  if (call !== undefined) selectCall(call.callId);
}

/** `3 of 17`: the place of the selected call among those that are found, 0 where it is none of them. */
export function placeAmongFound(): { readonly place: number; readonly of: number } {
  const { found } = filterStore.getState();
  const session = sessionStore.getState();
  if (found === undefined || session.phase !== 'open') return { place: 0, of: 0 };
  return { place: placeOf(found.indices(), selectedIndex(session)), of: found.size };
}

function selectedIndex({ state }: Extract<SessionView, { phase: 'open' }>): number | undefined {
  const { selectedCall } = viewStore.getState();
  return selectedCall === undefined ? undefined : state.callIndex[selectedCall];
}

const idOf = (view: SessionView): string | undefined => (view.phase === 'none' ? undefined : view.sessionId);

sessionStore.subscribe((now, before) => {
  if (idOf(now) !== idOf(before)) {
    // What was looked for in one session says nothing of another.
    making = NOTHING;
    inKept = new Map();
    clearTimeout(asking);
    clearTimeout(timer);
    filterStore.setState(NOTHING);
    return;
  }
  if (making.matching === undefined && making.found === undefined) return;
  const isSame = now.phase === 'open' && before.phase === 'open' && now.state === before.state;
  if (isSame) look();
  else {
    const { filter, query, isSearching } = filterStore.getState();
    lookAnew(filter, isSearching ? query : '');
  }
});
