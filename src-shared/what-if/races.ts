import type { Accesses } from './accesses.ts';

/** A call that has run, and when. `until` is never before `from`. */
export type Interval = { readonly item: number; readonly from: number; readonly until: number };

/** Two calls that overlapped and used the same path, at least one of them writing. */
export type Race = {
  /** Indices into the state's calls, the earlier start first. */
  readonly items: readonly [number, number];
  /** Where they meet: the file that is written. */
  readonly path: string;
  readonly kind: 'write-write' | 'read-write';
};

export type Races = {
  readonly count: number;
  /** There are more than were counted. */
  readonly isMore: boolean;
  /** The first of them by time, at most `MOST_LISTED`. */
  readonly pairs: readonly Race[];
};

const MOST_LISTED = 200;
/** So many are counted one by one; every further pair would only make the number longer. */
const MOST_COUNTED = 50_000;

type Use = Interval & { readonly writes: boolean };

/**
 * The pairs of calls that would have raced. What several calls only read is no race, and a pair counts once, however many
 * paths it shares. Calls that merely touch (one ends as the other starts) do not overlap.
 */
export function findRaces(intervals: readonly Interval[], accesses: (item: number) => Accesses): Races {
  const uses = usesByPath(intervals, accesses);
  const seen = new Set<string>();
  const pairs: Race[] = [];
  for (const [path, list] of uses) {
    if (!list.some((use) => use.writes)) continue;
    for (const race of overlapsOn(path, list)) {
      const key = `${Math.min(...race.items)} ${Math.max(...race.items)}`;
      if (seen.has(key)) continue;
      if (seen.size >= MOST_COUNTED) return { count: seen.size, isMore: true, pairs: firstOf(pairs, intervals) };
      seen.add(key);
      pairs.push(race);
    }
  }
  return { count: seen.size, isMore: false, pairs: firstOf(pairs, intervals) };
}

function firstOf(pairs: readonly Race[], intervals: readonly Interval[]): readonly Race[] {
  const from = new Map(intervals.map((interval) => [interval.item, interval.from]));
  const start = ({ items }: Race): number => from.get(items[1]) ?? 0;
  return [...pairs].sort((a, b) => start(a) - start(b)).slice(0, MOST_LISTED);
}

/** Every written path with the calls that use it: by its name, or by a folder above it. */
function usesByPath(intervals: readonly Interval[], accesses: (item: number) => Accesses): ReadonlyMap<string, Use[]> {
  const byPath = new Map<string, Use[]>();
  const byFolder = new Map<string, Use[]>();
  const add = (map: Map<string, Use[]>, path: string, use: Use): void => {
    const list = map.get(path);
    if (list === undefined) map.set(path, [use]);
    else list.push(use);
  };
  for (const interval of intervals) {
    const { reads, folders, writes } = accesses(interval.item);
    for (const path of writes) add(byPath, path, { ...interval, writes: true });
    for (const path of reads) if (!writes.includes(path)) add(byPath, path, { ...interval, writes: false });
    for (const path of folders) add(byFolder, path, { ...interval, writes: false });
  }
  if (byFolder.size === 0) return byPath;
  for (const [path, list] of byPath) {
    if (!list.some((use) => use.writes)) continue;
    const own = new Set(list.map((use) => use.item));
    for (const folder of foldersAbove(path)) {
      for (const use of byFolder.get(folder) ?? []) if (!own.has(use.item)) list.push(use);
    }
  }
  return byPath;
}

function* foldersAbove(path: string): Generator<string> {
  yield path;
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) yield path.slice(0, at);
  yield '/';
}

/** A sweep over the starts: each use meets those that have not ended when it starts. */
function* overlapsOn(path: string, list: readonly Use[]): Generator<Race> {
  let open: Use[] = [];
  for (const use of [...list].sort((a, b) => a.from - b.from || b.until - a.until)) {
    open = open.filter((other) => other.until > use.from);
    for (const other of open) {
      if (other.item === use.item || !(other.writes || use.writes)) continue;
      const kind = other.writes && use.writes ? 'write-write' : 'read-write';
      yield { items: [other.item, use.item], path, kind };
    }
    open.push(use);
  }
}
