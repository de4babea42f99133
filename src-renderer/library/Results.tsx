import { useVirtualizer } from '@tanstack/react-virtual';
import { Library, TriangleAlert } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { type LibraryRow, ROWS_PER_PAGE } from '../../src-shared/library/view.ts';
import { chooseTranscript } from '../commands/actions.ts';
import { rowAfter } from '../ledger/table-keys.ts';
import { Button } from '../widgets/Button.tsx';
import { EmptyState } from '../widgets/EmptyState.tsx';
import styles from './Library.module.css';
import {
  clearFilters,
  hitsIn,
  type LibraryView,
  libraryStore,
  openRow,
  refresh,
  selectRow,
  showRows,
} from './library-store.ts';
import { SessionResult } from './SessionResult.tsx';
import { isBusy } from './words.ts';

const ROW_PX = 63;
/** The same above hits. */
const HEAD_PX = 55;
const HIT_PX = 22;
const MORE_PX = 26;

/** Puts the focus on a row, for the search field above. */
export function focusRow(at: number): void {
  document.querySelector<HTMLElement>(`[data-library-row="${at}"]`)?.focus();
}

const rowAt = ({ pages }: Pick<LibraryView, 'pages'>, at: number): LibraryRow | undefined =>
  pages[Math.floor(at / ROWS_PER_PAGE)]?.[at % ROWS_PER_PAGE];

/** What was found: of thousands of sessions only those on screen are in the document. */
export function Results() {
  const { found, problem, overview, query } = useStore(libraryStore);
  if (problem !== undefined) {
    return (
      <EmptyState
        icon={TriangleAlert}
        title={problem.message}
        hint={problem.hint}
        action={<Button onClick={() => void refresh().then(() => lookAgain())}>Try again</Button>}
      />
    );
  }
  if (overview?.index.kind === 'failed' && (found?.total ?? 0) === 0) {
    return <EmptyState icon={TriangleAlert} title={overview.index.message} />;
  }
  if (found === undefined) return <EmptyState title="Opening the index." />;
  if (found.total > 0) return <List total={found.total} />;
  const all = overview?.facets.where.all ?? 0;
  if (all === 0 && isBusy(overview?.index)) return <EmptyState title="Looking for sessions." />;
  if (all === 0) {
    return (
      <EmptyState
        icon={Library}
        title="No sessions were found on this machine."
        hint="Gantry looks where it keeps its own, and in the usual places of the programs whose transcripts it reads."
        action={<Button onClick={() => void chooseTranscript()}>Open a transcript</Button>}
      />
    );
  }
  const isSearch = query.text.trim() !== '';
  return (
    <EmptyState
      title={isSearch ? 'No session has this text.' : 'No session matches.'}
      hint={isSearch && isBusy(overview?.index) ? 'Not all of them are read yet.' : undefined}
      action={<Button onClick={clearFilters}>Clear search and filters</Button>}
    />
  );
}

const lookAgain = (): void => clearFilters();

function List({ total }: { readonly total: number }) {
  const view = useStore(libraryStore);
  const { pages, selected, query } = view;
  const scroller = useRef<HTMLDivElement>(null);
  const heightOf = (at: number): number => {
    const row = rowAt(view, at);
    if (row === undefined || row.hits === 0) return ROW_PX;
    const shown = hitsIn(row, view.allHits).length;
    return HEAD_PX + shown * HIT_PX + (row.hits > shown ? MORE_PX : 8);
  };
  const virtualizer = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: heightOf,
    overscan: 6,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: heights follow from the rows that are known
  useEffect(() => virtualizer.measure(), [pages, view.allHits]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is looked for begins at its top
  useEffect(() => virtualizer.scrollToOffset(0), [query]);
  const items = virtualizer.getVirtualItems();
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  // biome-ignore lint/correctness/useExhaustiveDependencies: pages that were dropped are fetched again
  useEffect(() => showRows(first, last), [first, last, pages]);
  const wanted = useRef<number>(undefined);
  useEffect(() => {
    // A row that is far away can only be reached when its page has come and it is drawn.
    const next = wanted.current;
    const row = next === undefined ? undefined : rowAt(libraryStore.getState(), next);
    if (next === undefined || row === undefined || !isDrawn(next)) return;
    wanted.current = undefined;
    selectRow(row);
    focusRow(next);
  });
  const goTo = (next: number): void => {
    wanted.current = next;
    virtualizer.scrollToIndex(next);
    const row = rowAt(view, next);
    if (row !== undefined) selectRow(row);
  };
  const at = items.find(({ index }) => rowAt(view, index)?.id === selected?.id)?.index ?? first;
  return (
    <div ref={scroller} className={styles.scroller}>
      <ul
        className={styles.rows}
        aria-label="Sessions"
        style={{ height: virtualizer.getTotalSize() }}
        onKeyDown={(event) => onKeys(event, total, goTo)}
      >
        {items.map(({ index, start, size }) => {
          const row = rowAt(view, index);
          return (
            <li
              key={index}
              data-index={index}
              aria-setsize={total}
              aria-posinset={index + 1}
              className={styles.item}
              style={{ transform: `translateY(${start}px)`, height: size }}
            >
              {row === undefined ? null : (
                <SessionResult row={row} at={index} isSelected={row.id === selected?.id} isReachable={index === at} />
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** Arrows go through the sessions, left and right through the hits of one, Enter opens it. */
function onKeys(event: KeyboardEvent, total: number, goTo: (at: number) => void): void {
  const at = Number((event.target as HTMLElement).dataset.libraryRow);
  if (Number.isNaN(at)) return;
  const view = libraryStore.getState();
  const row = rowAt(view, at);
  if (row === undefined) return;
  const hits = hitsIn(row, view.allHits);
  if (event.key === 'Enter') {
    event.preventDefault();
    void openRow(row, hits[view.hitAt]);
    return;
  }
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step !== undefined) {
    event.preventDefault();
    selectRow(row, Math.max(0, Math.min(hits.length - 1, view.hitAt + step)));
    return;
  }
  const next = rowAfter(event, at, total);
  if (next === undefined) return;
  event.preventDefault();
  goTo(next);
}

const isDrawn = (at: number): boolean => document.querySelector(`[data-library-row="${at}"]`) !== null;
