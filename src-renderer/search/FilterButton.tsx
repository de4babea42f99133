import { ListFilter } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState } from 'react';
import { useStore } from 'zustand';
import { isFiltering, partsSet } from '../../src-shared/filter/call-filter.ts';
import type { SessionState } from '../../src-shared/session/state.ts';
import { formatCount } from '../../src-shared/timeline/words.ts';
import { clearFilter, filterStore, setFilter } from '../state/filter-store.ts';
import { useWholeSession } from '../state/use-session.ts';
import { Button } from '../widgets/Button.tsx';
import { PopoverPanel } from '../widgets/PopoverPanel.tsx';
import { type Facet, facetsOf } from './facets.ts';
import styles from './Search.module.css';

/** Chooses which calls the chart, the list and the conversation show. Its name counts what is set. */
export function FilterButton({ className }: { readonly className?: string | undefined }) {
  const open = useWholeSession();
  const { filter, matching } = useStore(filterStore);
  if (open === undefined) return null;
  const set = partsSet(filter);
  const total = open.state.calls.length;
  const counted =
    matching === undefined
      ? undefined
      : `${formatCount(matching.size)} of ${formatCount(total)} ${total === 1 ? 'call' : 'calls'}`;
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <Button
          icon={ListFilter}
          look="quiet"
          className={set === 0 ? className : styles.active}
          title={counted === undefined ? 'Show only some calls' : `${counted} match`}
          aria-label={counted === undefined ? 'Filter' : `Filter, ${counted} match`}
        >
          {set === 0 ? 'Filter' : counted}
        </Button>
      </Popover.Trigger>
      <PopoverPanel className={styles.content} align="end" aria-label="Filter">
        <FilterForm state={open.state} counted={counted} />
      </PopoverPanel>
    </Popover.Root>
  );
}

type FormProps = { readonly state: SessionState; readonly counted: string | undefined };

function FilterForm({ state, counted }: FormProps) {
  const filter = useStore(filterStore, (view) => view.filter);
  const { tools, outcomes, agents } = facetsOf(state, filter);
  return (
    <>
      <div className={styles.head}>
        <h2 className={styles.title}>Show only calls</h2>
        <span className={styles.count}>{counted}</span>
      </div>
      <label className={styles.field}>
        <span className={styles.label}>with the text</span>
        <input
          type="text"
          value={filter.text}
          placeholder="Tool, argument, input, output or agent"
          spellCheck={false}
          onChange={(event) => setFilter({ text: event.target.value })}
        />
      </label>
      <LeastField leastMs={filter.leastMs} />
      <Choices
        name="of the tools"
        facets={tools}
        chosen={filter.tools}
        onChange={(next) => setFilter({ tools: next })}
      />
      <Choices
        name="that ended"
        facets={outcomes}
        chosen={filter.outcomes}
        onChange={(next) => setFilter({ outcomes: next })}
      />
      {agents.length < 2 && filter.agents.length === 0 ? null : (
        <Choices
          name="of the agents"
          facets={agents}
          chosen={filter.agents}
          onChange={(next) => setFilter({ agents: next })}
        />
      )}
      <Button disabled={!isFiltering(filter)} onClick={clearFilter}>
        Clear filters
      </Button>
    </>
  );
}

/** Seconds, as they are typed: `0.5` comes by way of `0.`. */
function LeastField({ leastMs }: { readonly leastMs: number }) {
  const [text, setText] = useState(leastMs === 0 ? '' : String(leastMs / 1000));
  const shown = leastMs === secondsOf(text) ? text : leastMs === 0 ? '' : String(leastMs / 1000);
  return (
    <label className={styles.least}>
      <span className={styles.label}>that ran at least</span>
      <input
        type="text"
        inputMode="decimal"
        value={shown}
        placeholder="0"
        onChange={({ target: { value } }) => {
          setText(value);
          setFilter({ leastMs: secondsOf(value) });
        }}
      />
      <span className={styles.label}>s</span>
    </label>
  );
}

function secondsOf(text: string): number {
  const seconds = Number(text.trim().replace(',', '.'));
  return Number.isFinite(seconds) && seconds > 0 ? Math.round(seconds * 1000) : 0;
}

type ChoicesProps<Value extends string> = {
  readonly name: string;
  readonly facets: readonly Facet<Value>[];
  readonly chosen: readonly Value[];
  readonly onChange: (chosen: readonly Value[]) => void;
};

function Choices<Value extends string>({ name, facets, chosen, onChange }: ChoicesProps<Value>) {
  if (facets.length === 0) return null;
  return (
    <fieldset className={styles.choices}>
      <legend className={styles.label}>{name}</legend>
      {facets.map(({ value, label, calls }) => (
        <label key={value} className={styles.choice}>
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, value] : chosen.filter((one) => one !== value))
            }
          />
          <span className={styles.name} title={label}>
            {label}
          </span>
          <span className={styles.count}>{formatCount(calls)}</span>
        </label>
      ))}
    </fieldset>
  );
}
