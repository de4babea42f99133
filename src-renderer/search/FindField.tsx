import { ChevronDown, ChevronUp, Search, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { formatCount } from '../../src-shared/timeline/words.ts';
import { closeSearch, filterStore, placeAmongFound, setQuery, stepToMatch } from '../state/filter-store.ts';
import { viewStore } from '../state/view-store.ts';
import { IconButton } from '../widgets/IconButton.tsx';
import styles from './Search.module.css';

/** The search over the chart, in the toolbar's line: it covers no bar. */
export function FindField() {
  const isSearching = useStore(filterStore, (view) => view.isSearching);
  return isSearching ? <OpenField /> : null;
}

function OpenField() {
  const { query, found } = useStore(filterStore);
  useStore(viewStore, (view) => view.selectedCall);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.select();
    // What was looked for last is proposed, and found, again.
    setQuery(filterStore.getState().query);
  }, []);
  const leave = (): void => {
    closeSearch();
    document.querySelector<HTMLElement>('[data-chart] [role=application]')?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') {
      event.preventDefault();
      stepToMatch(event.shiftKey ? -1 : 1);
    }
    if (event.key === 'Escape') {
      event.preventDefault();
      leave();
    }
  };
  const none = found === undefined || found.size === 0;
  return (
    <search className={styles.find} data-find>
      <Search aria-hidden="true" size={15} strokeWidth={1.75} />
      <input
        ref={field}
        type="text"
        data-find-field
        aria-label="Search the calls"
        placeholder="Search the calls"
        value={query}
        spellCheck={false}
        onChange={(event) => setQuery(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <span className={styles.place} role="status">
        {found === undefined ? '' : placeWords()}
      </span>
      <IconButton
        icon={ChevronUp}
        name="Previous match"
        keys="Shift Enter"
        disabled={none}
        onClick={() => stepToMatch(-1)}
      />
      <IconButton icon={ChevronDown} name="Next match" keys="Enter" disabled={none} onClick={() => stepToMatch(1)} />
      <IconButton icon={X} name="Close the search" keys="Esc" onClick={leave} />
    </search>
  );
}

/** `3 of 17`; `17 found` while none of them is selected. */
function placeWords(): string {
  const { place, of } = placeAmongFound();
  if (of === 0) return 'none';
  return place === 0 ? `${formatCount(of)} found` : `${formatCount(place)} of ${formatCount(of)}`;
}
