import { SlidersHorizontal } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useEffect, useRef } from 'react';
import { focusOf } from '../commands/keys.ts';
import { useLayout } from '../shell/layout.ts';
import { PlacesDialog } from '../vault/PlacesDialog.tsx';
import { VaultDialog } from '../vault/VaultDialog.tsx';
import { Button } from '../widgets/Button.tsx';
import menuStyles from '../widgets/Menu.module.css';
import { Facets } from './Facets.tsx';
import styles from './Library.module.css';
import { Preview } from './Preview.tsx';
import { Results } from './Results.tsx';
import { SearchHead } from './SearchHead.tsx';

/** Every session of this machine: what to look for on the left, what was found, and what is known of the chosen one. */
export function LibraryPage() {
  const layout = useLayout();
  const page = useRef<HTMLElement>(null);
  useSearchKey(page);
  const hasFacets = layout.sidebar === 'panel';
  const hasPreview = layout.inspector === 'panel';
  return (
    <main ref={page} className={styles.page} aria-label="All sessions">
      {hasFacets ? (
        <div className={styles.side}>
          <Facets />
        </div>
      ) : null}
      <div className={styles.middle}>
        <SearchHead filters={hasFacets ? null : <FiltersButton />} />
        <Results />
      </div>
      {hasPreview ? <Preview /> : null}
      <VaultDialog />
      <PlacesDialog />
    </main>
  );
}

/** Where there is no room for the facets beside the list, they open over it. */
function FiltersButton() {
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <Button icon={SlidersHorizontal} look="quiet">
          Filters
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className={`${menuStyles.content} ${styles.filtersOver}`}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label="Filters"
        >
          <Facets />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** `/` goes to the search field, as long as nothing is typed elsewhere. */
function useSearchKey(page: React.RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const where = focusOf(event.target as Element | null);
      const isTyped = where === 'field' || where === 'message';
      if (event.key !== '/' || isTyped || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      page.current?.querySelector<HTMLInputElement>('[data-library-search]')?.focus();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [page]);
}
