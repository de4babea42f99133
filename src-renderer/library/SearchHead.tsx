import { ChevronDown, Search, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import type { TextKind } from '../../src-shared/library/session.ts';
import type { RowQuery } from '../../src-shared/library/view.ts';
import { Choice } from '../ledger/Choice.tsx';
import { Button } from '../widgets/Button.tsx';
import { IconButton } from '../widgets/IconButton.tsx';
import { Menu, MenuChoices } from '../widgets/Menu.tsx';
import styles from './Library.module.css';
import { libraryStore, lookFor } from './library-store.ts';
import { focusRow } from './Results.tsx';
import { foundWords, ORDER_WORDS } from './words.ts';

type KindChoice = 'all' | TextKind;

const KINDS: readonly { readonly value: KindChoice; readonly label: string }[] = [
  { value: 'all', label: 'Everything' },
  { value: 'prompt', label: 'Prompts' },
  { value: 'answer', label: 'Answers' },
  { value: 'input', label: 'Inputs' },
  { value: 'output', label: 'Outputs' },
];
const ORDERS = Object.keys(ORDER_WORDS) as readonly RowQuery['order'][];

/** What is searched for, in which texts, and in which order it stands below. */
export function SearchHead({ filters }: { readonly filters: ReactNode }) {
  const { query, found } = useStore(libraryStore);
  const { text, kinds, order } = query;
  const isSearch = text.trim() !== '';
  return (
    <div className={styles.head}>
      <search className={styles.search}>
        <Search aria-hidden="true" size={17} strokeWidth={1.75} />
        <input
          type="text"
          data-library-search
          placeholder="Search prompts, answers, inputs and outputs"
          aria-label="Search all sessions"
          aria-keyshortcuts="/"
          value={text}
          maxLength={1_000}
          spellCheck={false}
          // biome-ignore lint/a11y/noAutofocus: the page is opened to search
          autoFocus
          onChange={(event) => lookFor({ text: event.target.value })}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && text !== '') {
              event.preventDefault();
              lookFor({ text: '' });
            }
            if (event.key === 'ArrowDown' || event.key === 'Enter') {
              event.preventDefault();
              focusRow(0);
            }
          }}
        />
        <span className={styles.foundWords} role="status">
          {found === undefined ? '' : foundWords(found, isSearch)}
        </span>
        {text === '' ? null : (
          <IconButton icon={X} name="Clear the search" iconSize={15} onClick={() => lookFor({ text: '' })} />
        )}
      </search>
      <div className={styles.choices}>
        {filters}
        <Choice<KindChoice>
          name="Where the text stands"
          value={kinds[0] ?? 'all'}
          options={KINDS}
          onChange={(kind) => lookFor({ kinds: kind === 'all' ? [] : [kind] })}
        />
        <span className={styles.space} />
        <Menu
          align="end"
          trigger={
            <Button look="quiet" aria-label={`Order: ${orderWords(order, isSearch)}`}>
              {orderWords(order, isSearch)}
              <ChevronDown aria-hidden="true" size={14} strokeWidth={1.75} className={styles.chevron} />
            </Button>
          }
        >
          <MenuChoices
            label="Order"
            value={order}
            options={ORDERS.map((value) => ({ value, label: ORDER_WORDS[value] }))}
            onChange={(value) => lookFor({ order: value })}
          />
        </Menu>
      </div>
    </div>
  );
}

/** Without a search nothing matches better than anything else. */
const orderWords = (order: RowQuery['order'], isSearch: boolean): string =>
  ORDER_WORDS[order === 'best' && !isSearch ? 'newest' : order];
