import { basename, dirname } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { FoundSession, Hit } from '../../../src-shared/library/session.ts';
import {
  type Facets,
  type Has,
  HITS_IN_ROW,
  type LibraryRow,
  MOST_HITS,
  type RowAnswer,
  type RowQuery,
  type When,
  type Where,
} from '../../../src-shared/library/view.ts';
import type { FoundHits, HitSearch, TextRange } from './hit-search.ts';
import type { Surroundings } from './protocol.ts';
import type { SessionIndex } from './session-index.ts';
import { isBelow, isSession } from './update-index.ts';

type Numbered = { readonly id: number; readonly session: FoundSession };
type Known = {
  readonly version: number;
  readonly all: readonly Numbered[];
  /** Made with the first search. */
  ranges: ReadonlyMap<number, TextRange> | undefined;
};
type Searched = {
  readonly key: string;
  readonly version: number | undefined;
  readonly search: HitSearch;
  /** What the search before found, where only the index has changed: it is shown until this one is done. */
  readonly before: FoundHits | undefined;
};

/** A question is answered after about so long, in ms, with what is found until then. */
const SEARCH_MS = 40;

const DAY = 86_400_000;
const SPANS: { readonly [K in Exclude<When, 'any'>]: number } = { day: DAY, week: 7 * DAY, month: 30 * DAY };
const HAS: { readonly [K in Has]: (session: FoundSession) => boolean } = {
  cascade: ({ cascades }) => cascades > 0,
  rejection: ({ rejections }) => rejections > 0,
  saved: ({ savedOutputs }) => savedOutputs > 0,
  agents: ({ agents }) => agents > 0,
  findings: ({ findings }) => findings > 0,
};

/** Answers the page's questions. Keeps what it has read of the index until another process has changed it. */
export class RowFinder {
  readonly #index: SessionIndex;
  #known: Known | undefined;
  #searched: Searched | undefined;

  constructor(index: SessionIndex) {
    this.#index = index;
  }

  facets(around: Surroundings): Facets {
    const all = this.#all();
    const count = (is: (session: FoundSession) => boolean): number => all.filter(({ session }) => is(session)).length;
    const where = (choice: Where): number => count((session) => isWhere(session, choice, around));
    const has = (choice: Has): number => count(HAS[choice]);
    const when = (choice: When): number => count((session) => isWhen(session, choice, around.now));
    return {
      where: {
        all: all.length,
        running: where('running'),
        own: where('own'),
        machine: where('machine'),
        vault: where('vault'),
      },
      has: {
        cascade: has('cascade'),
        rejection: has('rejection'),
        saved: has('saved'),
        agents: has('agents'),
        findings: has('findings'),
      },
      when: { any: all.length, day: when('day'), week: when('week'), month: when('month') },
      projects: projectsOf(all),
      bytes: all.reduce((sum, { session }) => sum + session.bytes, 0),
    };
  }

  rows(query: RowQuery, page: { readonly offset: number; readonly limit: number }, around: Surroundings): RowAnswer {
    const from = performance.now();
    const wanted = this.#all().filter(({ session }) => isWanted(session, query, around));
    const isSearch = query.text.trim() !== '';
    const searched = isSearch ? this.#search(query, wanted, around) : undefined;
    const found = searched === undefined ? undefined : shownOf(searched);
    const rows = sorted(found === undefined ? wanted : withHits(wanted, found), query);
    return {
      rows: rows
        .slice(page.offset, page.offset + page.limit)
        .map(({ id, session }) => rowOf(id, session, found?.found.get(id) ?? [], around)),
      total: rows.length,
      hits: found?.hits ?? 0,
      moreHits: found?.more ?? false,
      looking: searched !== undefined && !(searched.search.isDone && searched.version === this.#known?.version),
      ms: performance.now() - from,
    };
  }

  /** Goes on with the search of the last question, or begins another one. Its pages fit together, as they come from one. */
  #search(query: RowQuery, wanted: readonly Numbered[], around: Surroundings): Searched {
    const key = JSON.stringify([query, around.running]);
    const last = this.#searched?.key === key ? this.#searched : undefined;
    const isCurrent = last !== undefined && (!last.search.isDone || last.version === this.#known?.version);
    const searched = isCurrent ? last : this.#begin(key, query, wanted, last?.search.result());
    this.#searched = searched;
    const until = performance.now() + SEARCH_MS;
    searched.search.run(() => performance.now() >= until);
    return searched;
  }

  #begin(key: string, query: RowQuery, wanted: readonly Numbered[], before: FoundHits | undefined): Searched {
    const { text, kinds } = query;
    const order = query.order === 'best' ? 'best' : 'newest';
    const asked = { text, kinds, project: '', order, limit: MOST_HITS } as const;
    const known = this.#known;
    const ranges = known?.ranges ?? this.#index.textRanges();
    if (known !== undefined) known.ranges = ranges;
    const ids = wanted.map(({ id }) => id);
    return { key, version: known?.version, search: this.#index.startSearch(asked, ids, ranges), before };
  }

  #all(): readonly Numbered[] {
    const version = this.#index.version();
    if (this.#known?.version !== version) {
      this.#known = {
        version,
        ranges: undefined,
        all: this.#index.numbered().filter(({ session }) => isSession(session)),
      };
    }
    return this.#known.all;
  }
}

const shownOf = ({ search, before }: Searched): FoundHits =>
  search.isDone || before === undefined ? search.result() : before;

/** Best matches first, as the search has ordered them. */
function withHits(wanted: readonly Numbered[], { found }: FoundHits): readonly Numbered[] {
  const byId = new Map(wanted.map((each) => [each.id, each]));
  return [...found.keys()].flatMap((id) => byId.get(id) ?? []);
}

function sorted(rows: readonly Numbered[], { order, text }: RowQuery): readonly Numbered[] {
  const by = (of: (session: FoundSession) => number): readonly Numbered[] =>
    [...rows].sort((a, b) => of(a.session) - of(b.session));
  switch (order) {
    case 'best':
      return text.trim() === '' ? by(({ startedAt }) => -startedAt) : rows;
    case 'newest':
      return by(({ startedAt }) => -startedAt);
    case 'oldest':
      return by(({ startedAt }) => startedAt);
    case 'longest':
      return by(({ durationMs }) => -durationMs);
    case 'errors':
      return by(({ errors }) => -errors);
  }
}

const isOwn = (session: FoundSession, { ownFolder }: Surroundings): boolean => session.path.startsWith(ownFolder);

const isInVault = ({ path }: FoundSession, { vaultFolder }: Surroundings): boolean =>
  vaultFolder !== undefined && isBelow(path, vaultFolder);

function isWhere(session: FoundSession, where: Where, around: Surroundings): boolean {
  if (where === 'running') return around.running.includes(session.path);
  if (where === 'own') return isOwn(session, around);
  if (where === 'vault') return isInVault(session, around);
  return where === 'all' || (!isOwn(session, around) && !isInVault(session, around));
}

const isWhen = ({ startedAt }: FoundSession, when: When, now: number): boolean =>
  when === 'any' || startedAt >= now - SPANS[when];

const isWanted = (session: FoundSession, query: RowQuery, around: Surroundings): boolean =>
  isWhere(session, query.where, around) &&
  (query.project === '' || session.cwd === query.project) &&
  query.has.every((has) => HAS[has](session)) &&
  isWhen(session, query.when, around.now);

function projectsOf(all: readonly Numbered[]): Facets['projects'] {
  const counts = new Map<string, number>();
  for (const { session } of all) {
    if (session.cwd !== '') counts.set(session.cwd, (counts.get(session.cwd) ?? 0) + 1);
  }
  const names = [...counts.keys()].map((folder) => basename(folder));
  return [...counts]
    .map(([folder, count]) => ({ folder, name: nameOf(folder, names), count }))
    .sort((a, b) => b.count - a.count || (a.folder < b.folder ? -1 : 1));
}

/** A folder's name, with the one above it where another project is called the same. */
function nameOf(folder: string, names: readonly string[]): string {
  const name = basename(folder);
  if (name === '') return folder;
  return names.indexOf(name) === names.lastIndexOf(name) ? name : `${basename(dirname(folder))}/${name}`;
}

const rowOf = (id: number, session: FoundSession, hits: readonly Hit[], around: Surroundings): LibraryRow => ({
  ...session,
  id,
  own: isOwn(session, around),
  running: around.running.includes(session.path),
  inVault: isInVault(session, around),
  hits: hits.length,
  first: hits.slice(0, HITS_IN_ROW),
});
