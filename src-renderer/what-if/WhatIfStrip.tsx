import { ChevronDown, FlaskConical, Table, X } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import type { CallId } from '../../src-shared/ids.ts';
import { CascadePolicy } from '../../src-shared/session/settings.ts';
import { callById } from '../../src-shared/session/state.ts';
import { callName, formatMillis } from '../../src-shared/timeline/words.ts';
import type { PlayedStrategy } from '../../src-shared/what-if/rules.ts';
import { fasterText, racesText, strategyName, unknownText } from '../../src-shared/what-if/words.ts';
import { Button } from '../widgets/Button.tsx';
import { IconButton } from '../widgets/IconButton.tsx';
import { Menu, MenuChoices } from '../widgets/Menu.tsx';
import { watchTurn } from './compute.ts';
import { GhostRow } from './GhostRow.tsx';
import { RulesTable } from './RulesTable.tsx';
import styles from './WhatIf.module.css';
import {
  changeSafety,
  chooseRules,
  closeWhatIf,
  type Variant,
  variantOf,
  type WhatIf,
  whatIfStore,
} from './what-if-store.ts';

/** The ghost row: the turn in focus as it would have been under other rules, below the chart. Nothing while it is closed. */
export function WhatIfStrip() {
  const isOpen = useStore(whatIfStore, (whatIf) => whatIf.isOpen);
  return isOpen ? <OpenStrip /> : null;
}

function OpenStrip() {
  const whatIf = useStore(whatIfStore);
  useEffect(() => watchTurn(), []);
  const variant = variantOf(whatIf);
  const { subject, outcome } = whatIf;
  return (
    <section className={styles.strip} aria-label="What if">
      {/* The chart's single letters count here too: the row belongs to the chart. */}
      <header className={styles.head} data-chart>
        <FlaskConical aria-hidden="true" size={16} />
        <h2 className={styles.title}>What if</h2>
        {variant === undefined || subject === undefined ? null : <Choices variant={variant} />}
        <AllRules />
        {subject === undefined ? null : <ChangedCalls whatIf={whatIf} />}
        <Sentence whatIf={whatIf} />
        <IconButton icon={X} name="Close what if" keys="I" className={styles.close} onClick={closeWhatIf} />
      </header>
      {subject === undefined || outcome === undefined ? null : <GhostRow subject={subject} outcome={outcome} />}
    </section>
  );
}

/** The table, for sessions that have no room of their own for it. */
function AllRules() {
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <Button look="quiet" icon={Table} title="The turn under all rules">
          All rules
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className={styles.popover}
          align="end"
          sideOffset={6}
          collisionPadding={8}
          aria-label="The turn under all rules"
        >
          <RulesTable />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

const STRATEGY_OPTIONS: readonly { readonly value: PlayedStrategy; readonly label: string; readonly hint: string }[] = [
  { value: 'streaming', label: 'streaming', hint: 'Each call as soon as it has arrived' },
  { value: 'batch', label: 'batch', hint: 'After the whole message, batch by batch' },
  { value: 'serial', label: 'serial', hint: 'One after the other' },
  { value: 'all-at-once', label: 'all at once', hint: 'No lock, no lanes, no cascade. Never live' },
];
const LANES = ['1', '2', '3', '4', '6', '8', '10', '16', '32'] as const;

const lanesText = (cap: number): string => `${cap} ${cap === 1 ? 'lane' : 'lanes'}`;

function Choices({ variant }: { readonly variant: Variant }) {
  const { strategy, cascade, cap } = variant;
  const lanes: readonly string[] = [...new Set([...LANES, String(cap)])].sort((a, b) => Number(a) - Number(b));
  const isFree = strategy === 'all-at-once';
  return (
    <>
      <Menu trigger={<Choice name="Cascade" text={`cascade: ${isFree ? 'none' : cascade}`} isOff={isFree} />}>
        <MenuChoices
          label="A failing call cancels"
          value={cascade}
          options={CascadePolicy.options.map((value) => ({ value, label: value, hint: CASCADE_HINTS[value] }))}
          onChange={(value) => chooseRules({ cascade: value })}
        />
      </Menu>
      <Menu trigger={<Choice name="Strategy" text={strategyName(strategy)} />}>
        <MenuChoices
          label="Calls start"
          value={strategy}
          options={STRATEGY_OPTIONS}
          onChange={(value) => chooseRules({ strategy: value })}
        />
      </Menu>
      <Menu trigger={<Choice name="Lanes" text={isFree ? 'any lanes' : lanesText(cap)} isOff={isFree} />}>
        <MenuChoices
          label="At once"
          value={String(cap)}
          options={lanes.map((value) => ({ value, label: lanesText(Number(value)) }))}
          onChange={(value) => chooseRules({ cap: Number(value) })}
        />
      </Menu>
    </>
  );
}

const CASCADE_HINTS: Readonly<Record<CascadePolicy, string>> = {
  'any-error': 'All others',
  'except-writes': 'All others, unless it is a write',
  bash: 'All others, if it is a command',
  'bash-mutating': 'All others, if it is a command that changes things',
  none: 'Nobody',
};

type ChoiceProps = React.ComponentProps<'button'> & {
  readonly name: string;
  readonly text: string;
  readonly isOff?: boolean;
};

/** A button that shows what is chosen. The menu adds the rest. */
function Choice({ name, text, isOff = false, ...rest }: ChoiceProps) {
  return (
    <button type="button" className={styles.choice} disabled={isOff} aria-label={`${name}: ${text}`} {...rest}>
      {text}
      <ChevronDown aria-hidden="true" size={14} />
    </button>
  );
}

/** Calls that count as something else than they did, each with the way back. */
function ChangedCalls({ whatIf }: { readonly whatIf: WhatIf }) {
  const { safety, subject } = whatIf;
  return Object.entries(safety.calls).map(([id, safe]) => {
    const call = subject === undefined ? undefined : callById(subject.state, id as CallId);
    if (call === undefined) return null;
    const words = `${callName(call)} is ${safe ? 'safe' : 'exclusive'}`;
    return (
      <Button
        key={id}
        icon={X}
        className={styles.changed}
        title={`Undo: ${words}`}
        onClick={() => changeSafety(id as CallId, undefined)}
      >
        {words}
      </Button>
    );
  });
}

/** `at most 3.2 s faster, 0 cancelled. How long Bash(npm run lint) takes is not known.` */
function Sentence({ whatIf }: { readonly whatIf: WhatIf }) {
  const { subject, outcome, why, phase } = whatIf;
  if (phase === 'none')
    return (
      <p className={styles.sentence} data-testid="what-if-sentence">
        {why ?? 'There is no turn yet.'}
      </p>
    );
  if (subject === undefined || outcome === undefined)
    return (
      <p className={styles.sentence} data-testid="what-if-sentence">
        Computing…
      </p>
    );
  const { numbers, trust } = outcome;
  const unknown = unknownText(subject.state, trust);
  return (
    <p className={styles.sentence} data-testid="what-if-sentence" aria-live="polite">
      <strong>{fasterText(subject.question, outcome)}</strong>, {numbers.cancelled} cancelled
      {numbers.lostMs > 0 ? `, ${formatMillis(numbers.lostMs)} lost` : ''}
      {numbers.races.count > 0 ? `, ${racesText(numbers)} ${numbers.races.count === 1 ? 'race' : 'races'}` : ''}.
      {unknown === undefined ? '' : ` ${unknown}`}
    </p>
  );
}
