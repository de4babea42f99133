import type { Has, IndexState, LibraryRow, RowQuery, When, Where } from '../../src-shared/library/view.ts';
import { formatBytes, formatCount, formatMillis } from '../../src-shared/timeline/words.ts';
import { formatName } from '../sessions/groups.ts';
import { counted, dollars, short } from '../state/format.ts';
import type { Found } from './library-store.ts';

export const WHERE_WORDS: Readonly<Record<Where, string>> = {
  all: 'All',
  running: 'Running',
  own: 'Run in Gantry',
  machine: 'On this machine',
  vault: 'Only in the vault',
};

export const HAS_WORDS: Readonly<Record<Has, string>> = {
  cascade: 'a cascade',
  rejection: 'a rejection',
  saved: 'saved output',
  agents: 'sub-agents',
  findings: 'findings',
};

export const WHEN_WORDS: Readonly<Record<Exclude<When, 'any'>, string>> = {
  day: 'Last 24 hours',
  week: 'Last 7 days',
  month: 'Last 30 days',
};

export const ORDER_WORDS: Readonly<Record<RowQuery['order'], string>> = {
  best: 'Best match',
  newest: 'Newest first',
  oldest: 'Oldest first',
  longest: 'Longest first',
  errors: 'Most errors first',
};

/** `57 hits in 9 sessions, 64 ms`; `57 hits in 9 sessions so far` while there may be others. */
export function foundWords({ total, hits, moreHits, looking, ms }: Found, isSearch: boolean): string {
  if (!isSearch) return counted(total, 'session');
  const many = moreHits ? `more than ${formatCount(hits)} hits` : counted(hits, 'hit');
  if (looking) return `${many} in ${counted(total, 'session')} so far`;
  return `${many} in ${counted(total, 'session')}, ${Math.max(1, Math.round(ms))} ms`;
}

/** Where a session comes from: `Claude Code 2.1.92`. */
export const sourceWords = ({ own, format, version }: LibraryRow): string =>
  own ? 'Gantry' : [formatName(format), version].filter((word) => word !== '').join(' ');

export const titleWords = ({ title }: LibraryRow): string => (title === '' ? 'Without a title' : title);

export function indexWords(index: IndexState): string {
  switch (index.kind) {
    case 'unknown':
    case 'looking':
      return 'looking for sessions';
    case 'reading':
      return index.done === index.total
        ? 'index is current'
        : `reading ${formatCount(index.done)} of ${formatCount(index.total)}`;
    case 'current':
      return 'index is current';
    case 'stopped':
      return 'reading was stopped';
    case 'failed':
      return 'index cannot be used';
  }
}

export const isBusy = (index: IndexState | undefined): boolean =>
  index?.kind === 'looking' || (index?.kind === 'reading' && index.done < index.total);

/** The facts of a session, each with its name, as far as they are known. */
export function numbersOf(row: LibraryRow): readonly (readonly [name: string, words: string])[] {
  const { calls, errors, cancelled, mostAtOnce, asks, askedMs, savedOutputs, savedBytes, agents } = row;
  const ends = [
    ...(errors === 0 ? [] : [counted(errors, 'error')]),
    ...(cancelled === 0 ? [] : [`${formatCount(cancelled)} cancelled`]),
  ].join(', ');
  const tokens = [
    ...(row.tokensIn + row.tokensOut === 0 ? [] : [`${short(row.tokensIn)} in, ${short(row.tokensOut)} out`]),
    ...(row.cost === undefined ? [] : [dollars(row.cost)]),
  ].join(', ');
  const all: readonly (readonly [string, string])[] = [
    ['Calls', ends === '' ? formatCount(calls) : `${formatCount(calls)}, of them ${ends}`],
    ['Most at once', mostAtOnce === 0 ? '' : formatCount(mostAtOnce)],
    ['You waited for', asks === 0 ? '' : `${counted(asks, 'answer')}, ${formatMillis(askedMs)}`],
    ['Saved output', savedOutputs === 0 ? '' : `${formatCount(savedOutputs)}, ${formatBytes(savedBytes)}`],
    ['Sub-agents', agents === 0 ? '' : formatCount(agents)],
    ['Tokens', tokens],
    ['Size', formatBytes(row.bytes)],
  ];
  return all.filter(([, words]) => words !== '');
}
