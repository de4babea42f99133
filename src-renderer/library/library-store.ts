import { createStore } from 'zustand/vanilla';
import type { CallId, SessionId } from '../../src-shared/ids.ts';
import type { Hit } from '../../src-shared/library/session.ts';
import {
  type LibraryOverview,
  type LibraryRow,
  ROWS_PER_PAGE,
  type RowAnswer,
  type RowQuery,
} from '../../src-shared/library/view.ts';
import { onPush, request } from '../bridge.ts';
import { askToFork } from '../new-session/actions.ts';
import { failureWords, type Problem } from '../state/problem.ts';
import { openSession, sessionStore } from '../state/session-store.ts';
import { announce, selectCall, viewStore } from '../state/view-store.ts';
import { timelineActions } from '../timeline/actions.ts';

export type Found = Pick<RowAnswer, 'total' | 'hits' | 'moreHits' | 'looking' | 'ms'>;
export type Place = { readonly format: string; readonly folder: string; readonly count: number };

export type LibraryView = {
  readonly query: RowQuery;
  readonly overview: LibraryOverview | undefined;
  /** What the last answer said of all rows; undefined before the first. */
  readonly found: Found | undefined;
  /** Rows by page; a page that is not here is fetched when it comes into view. */
  readonly pages: Readonly<Record<number, readonly LibraryRow[]>>;
  readonly problem: Problem | undefined;
  readonly selected: LibraryRow | undefined;
  /** Which of the selected session's hits is looked at. */
  readonly hitAt: number;
  /** All hits of sessions whose other hits were asked for, by number. */
  readonly allHits: Readonly<Record<number, readonly Hit[]>>;
  /** What other programs have left on this machine, for the start page. */
  readonly places: readonly Place[] | undefined;
};

export const EVERYTHING: RowQuery = {
  text: '',
  kinds: [],
  where: 'all',
  project: '',
  has: [],
  when: 'any',
  order: 'best',
};

export const emptyLibrary: LibraryView = {
  query: EVERYTHING,
  overview: undefined,
  found: undefined,
  pages: {},
  problem: undefined,
  selected: undefined,
  hitAt: 0,
  allHits: {},
  places: undefined,
};

export const libraryStore = createStore<LibraryView>(() => emptyLibrary);

const isShown = (): boolean => viewStore.getState().page === 'library';

/** Shows the page, and has main look for files that are new or have changed. */
export function showLibrary(): void {
  viewStore.setState({ page: 'library', paletteOpen: false, legendOpen: false, region: 'timeline' });
  void refresh();
  void loadOverview();
  void loadRows();
}

export const leaveLibrary = (): void => viewStore.setState({ page: 'session' });

export async function refresh(): Promise<void> {
  try {
    await request('library.refresh', undefined);
  } catch (error) {
    libraryStore.setState({ problem: failureWords(error) });
  }
}

export const stopIndexing = (): void => void request('library.cancel', undefined).catch(() => undefined);

/** One question of a kind at a time; whoever asks meanwhile is answered by one more, at the end. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let going: Promise<void> | undefined;
  let again = false;
  const run = async (): Promise<void> => {
    do {
      again = false;
      await work().catch((error: unknown) => libraryStore.setState({ problem: failureWords(error) }));
    } while (again);
    going = undefined;
  };
  return () => {
    if (going !== undefined) again = true;
    else going = run();
    return going ?? Promise.resolve();
  };
}

const loadOverview = oneAtATime(async () => {
  libraryStore.setState({ overview: await request('library.overview', undefined) });
});

/** What the rows on screen are an answer to. */
let answered: RowQuery | undefined;

/** The page that is on screen, for rows that are asked for anew. */
let pageInView = 0;
let lastPageInView = 0;

const loadRows = oneAtATime(async () => {
  const { query } = libraryStore.getState();
  const [at, last] = [pageInView, lastPageInView];
  const answer = await fetchPage(query, at);
  // Rows on both sides of a page's end are replaced together: the one with the focus has to stay.
  const next = last > at ? { [last]: (await fetchPage(query, last)).rows } : {};
  // Another question was asked meanwhile: its own answer comes.
  if (libraryStore.getState().query !== query) return;
  const { rows, ...found } = answer;
  const isNew = answered !== query;
  answered = query;
  libraryStore.setState((view) => ({
    found,
    pages: { [at]: rows, ...next },
    problem: undefined,
    selected: stillThere(view.selected, rows, isNew) ?? rows[0],
  }));
  if (answer.looking) void loadRows();
});

/** The selected session as it is now; one that is on another page of the same answer stays as it was. */
function stillThere(selected: LibraryRow | undefined, rows: readonly LibraryRow[], isNew: boolean) {
  return rows.find(({ id }) => id === selected?.id) ?? (isNew || pageInView === 0 ? undefined : selected);
}

const fetchPage = (query: RowQuery, at: number): Promise<RowAnswer> =>
  request('library.query', { query, offset: at * ROWS_PER_PAGE, limit: ROWS_PER_PAGE });

const fetching = new Set<number>();

/** Rows from here to there are on screen: fetches what is missing of them. */
export function showRows(first: number, last: number): void {
  pageInView = Math.floor(first / ROWS_PER_PAGE);
  lastPageInView = Math.floor(last / ROWS_PER_PAGE);
  const { pages, query, found } = libraryStore.getState();
  if (found === undefined) return;
  for (let at = pageInView; at <= lastPageInView; at++) {
    if (pages[at] === undefined && !fetching.has(at)) void addPage(query, at);
  }
}

async function addPage(query: RowQuery, at: number): Promise<void> {
  fetching.add(at);
  try {
    const { rows } = await fetchPage(query, at);
    if (libraryStore.getState().query !== query) return;
    libraryStore.setState((view) => ({ pages: { ...view.pages, [at]: rows } }));
  } catch (error) {
    libraryStore.setState({ problem: failureWords(error) });
  } finally {
    fetching.delete(at);
  }
}

/** Looks for something else. */
export function lookFor(change: Partial<RowQuery>): void {
  pageInView = 0;
  lastPageInView = 0;
  libraryStore.setState((view) => ({ query: { ...view.query, ...change }, hitAt: 0, allHits: {} }));
  void loadRows();
}

export const clearFilters = (): void => lookFor({ ...EVERYTHING, order: libraryStore.getState().query.order });

export function selectRow(selected: LibraryRow, hitAt = 0): void {
  libraryStore.setState({ selected, hitAt });
}

/** The hits of a row that are known. */
export const hitsIn = (row: LibraryRow, allHits: LibraryView['allHits']): readonly Hit[] =>
  allHits[row.id] ?? row.first;

/** Shows every hit of a session. */
export async function showAllHits(row: LibraryRow): Promise<void> {
  const { query } = libraryStore.getState();
  try {
    const { hits } = await request('library.hits', { id: row.id, text: query.text, kinds: query.kinds });
    if (libraryStore.getState().query !== query) return;
    libraryStore.setState((view) => ({ allHits: { ...view.allHits, [row.id]: hits } }));
  } catch (error) {
    libraryStore.setState({ problem: failureWords(error) });
  }
}

/** Opens a session, at a hit where there is one: its call is selected and brought into view. */
export async function openRow(row: LibraryRow, hit?: Hit): Promise<void> {
  const sessionId = await idOf(row);
  if (sessionId === undefined) return;
  await openSession(sessionId);
  const session = sessionStore.getState();
  if (hit?.callId === undefined || session.phase !== 'open' || session.sessionId !== sessionId) return;
  const callId = hit.callId as CallId;
  viewStore.setState({ inspectorOpen: true, inspectorTab: hit.kind === 'output' ? 'output' : 'input', follow: false });
  selectCall(callId);
  requestAnimationFrame(() => bringIntoView(callId));
}

/** Narrower than this, nobody sees which bar is meant. */
const LEAST_PX = 4;

function bringIntoView(callId: CallId): void {
  const bar = timelineActions.barPosition(callId);
  if (bar === undefined || bar.width < LEAST_PX) timelineActions.fitSelection();
}

/** Asks for folder and model to go on from a session in a new one. */
export async function continueRow(row: LibraryRow): Promise<void> {
  const sessionId = await idOf(row);
  if (sessionId !== undefined) askToFork(sessionId);
}

async function idOf({ id, title }: LibraryRow): Promise<SessionId | undefined> {
  announce(`Opening ${title === '' ? 'the session' : title}.`);
  try {
    const { sessionId } = await request('library.open', { id });
    announce('');
    return sessionId;
  } catch (error) {
    const problem = failureWords(error);
    libraryStore.setState({ problem });
    announce(problem.message);
    return undefined;
  }
}

/** What other programs have left here, for the start page. Asked once. */
export async function countFound(): Promise<void> {
  if (libraryStore.getState().places !== undefined) return;
  libraryStore.setState({ places: [] });
  try {
    const { places } = await request('library.found', undefined);
    libraryStore.setState({ places: places.filter(({ count }) => count > 0) });
  } catch {
    // The start page only says more than it has to.
  }
}

/** Follows what the index does while the page is on screen. */
export function startLibraryStore(): () => void {
  return onPush('library.changed', ({ index }) => {
    libraryStore.setState(({ overview }) => (overview === undefined ? {} : { overview: { ...overview, index } }));
    if (!isShown()) return;
    void loadOverview();
    if (index.kind !== 'looking') void loadRows();
  });
}
