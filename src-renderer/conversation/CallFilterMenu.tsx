import { ListFilter } from 'lucide-react';
import { useStore } from 'zustand';
import { isFiltering, NO_FILTER, PROBLEMS, partsSet } from '../../src-shared/filter/call-filter.ts';
import { formatCount } from '../../src-shared/timeline/words.ts';
import { clearFilter, filterStore, setFilter } from '../state/filter-store.ts';
import { Button } from '../widgets/Button.tsx';
import { Menu, MenuChoices } from '../widgets/Menu.tsx';

type Choice = 'all' | 'problems' | 'none' | 'filtered';
const OPTIONS: readonly { readonly value: Choice; readonly label: string }[] = [
  { value: 'all', label: 'All calls' },
  { value: 'problems', label: 'Only problems' },
  { value: 'none', label: 'No calls' },
];

export type CallFilterMenuProps = {
  /** No call is listed, whatever the filter says. */
  readonly hidden: boolean;
  readonly onHide: (hidden: boolean) => void;
};

/** Which calls the conversation lists. The filter is the one of the chart; only `No calls` is its own. */
export function CallFilterMenu({ hidden, onHide }: CallFilterMenuProps) {
  const { filter, matching } = useStore(filterStore);
  const fits: Choice = isFiltering(filter) ? (isProblems(filter) ? 'problems' : 'filtered') : 'all';
  const value = hidden ? 'none' : fits;
  const fitting = matching === undefined ? 'Filtered' : `${formatCount(matching.size)} matching`;
  const filtered = { value: 'filtered', label: fitting } as const;
  const options = fits === 'filtered' ? [filtered, ...OPTIONS] : OPTIONS;
  const choose = (choice: Choice): void => {
    onHide(choice === 'none');
    if (choice === 'all') clearFilter();
    if (choice === 'problems') setFilter({ ...NO_FILTER, outcomes: PROBLEMS });
  };
  return (
    <Menu
      align="end"
      trigger={
        <Button look="quiet" icon={ListFilter}>
          {options.find((option) => option.value === value)?.label}
        </Button>
      }
    >
      <MenuChoices label="Calls in the conversation" value={value} options={options} onChange={choose} />
    </Menu>
  );
}

const isProblems = (filter: typeof NO_FILTER): boolean =>
  partsSet(filter) === 1 &&
  filter.outcomes.length === PROBLEMS.length &&
  PROBLEMS.every((outcome) => filter.outcomes.includes(outcome));
