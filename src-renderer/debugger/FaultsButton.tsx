import { Bug } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useStore } from 'zustand';
import type { Fault, FaultKind } from '../../src-shared/debugger/event.ts';
import { callById, type SessionState } from '../../src-shared/session/state.ts';
import { viewStore } from '../state/view-store.ts';
import { Button } from '../widgets/Button.tsx';
import { addFault, type NewFault, setFaults } from './actions.ts';
import styles from './Debugger.module.css';
import { DebuggerPopover, SetList } from './DebuggerPopover.tsx';
import { faultWords, ruleFor, struckWords } from './rules.ts';

export type FaultsButtonProps = { readonly state: SessionState; readonly className?: string | undefined };

/** Trouble on purpose, to see what the agent and its session make of it. */
export function FaultsButton({ state, className }: FaultsButtonProps) {
  const { faults, struck } = state.debugger;
  const set = faults.filter((one) => one.enabled).length;
  const change = (id: string, next: (fault: Fault) => readonly Fault[], words: string): void =>
    void setFaults(
      faults.flatMap((one) => (one.id === id ? next(one) : [one])),
      words,
    );
  return (
    <DebuggerPopover
      title="Faults"
      note="Trouble on purpose. Every time one strikes, it is written into the journal."
      trigger={
        <Button icon={Bug} look="quiet" className={className} aria-label={set === 0 ? 'Faults' : `Faults, ${set} set`}>
          Faults{set === 0 ? '' : ` ${set}`}
        </Button>
      }
    >
      <SetList
        name="Faults that are set"
        empty="No fault is set."
        items={faults.map((one) => ({
          id: one.id,
          words: faultWords(one),
          note: struckWords(one, struck[one.id] ?? 0),
          enabled: one.enabled,
        }))}
        onToggle={(id) => change(id, (one) => [{ ...one, enabled: !one.enabled }], 'Fault changed.')}
        onRemove={(id) => change(id, () => [], 'Fault removed.')}
      />
      <AddFault state={state} />
    </DebuggerPopover>
  );
}

const KINDS: readonly (readonly [FaultKind, string])[] = [
  ['delay', 'are delayed'],
  ['fail', 'fail'],
  ['hang', 'hang'],
  ['slow-permission', 'wait for permission'],
  ['break-stream', 'have the stream broken behind them'],
];

const takesTime = (kind: FaultKind): boolean => kind === 'delay' || kind === 'slow-permission';

function AddFault({ state }: { readonly state: SessionState }) {
  const selected = useStore(viewStore, (view) => view.selectedCall);
  const call = selected === undefined ? undefined : callById(state, selected);
  const [rule, setRule] = useState(call === undefined ? '' : ruleFor(call));
  const [kind, setKind] = useState<FaultKind>('delay');
  const [seconds, setSeconds] = useState('2');
  const [times, setTimes] = useState('1');
  const fault = faultOf({ rule: rule.trim(), kind, seconds: Number(seconds), times: Number(times) });
  const add = (event: FormEvent): void => {
    event.preventDefault();
    if (fault === undefined) return;
    void addFault(fault);
    setRule('');
  };
  return (
    <form className={styles.form} onSubmit={add}>
      <label className={styles.field}>
        <span className={styles.label}>Calls that match</span>
        <input
          type="text"
          spellCheck={false}
          placeholder="A rule, such as Bash(npm test) or Read"
          value={rule}
          onChange={(event) => setRule(event.target.value)}
        />
      </label>
      <div className={styles.row}>
        <select
          aria-label="What happens to them"
          value={kind}
          onChange={(event) => setKind(event.target.value as FaultKind)}
        >
          {KINDS.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        {takesTime(kind) ? (
          <label className={styles.small}>
            <input
              type="number"
              min="0"
              max="600"
              step="any"
              value={seconds}
              onChange={(event) => setSeconds(event.target.value)}
            />
            seconds
          </label>
        ) : null}
        <label className={styles.small}>
          <input
            type="number"
            min="1"
            step="1"
            placeholder="∞"
            value={times}
            onChange={(event) => setTimes(event.target.value)}
          />
          times
        </label>
      </div>
      <Button type="submit" look="primary" disabled={fault === undefined}>
        Add
      </Button>
    </form>
  );
}

type Wanted = { readonly rule: string; readonly kind: FaultKind; readonly seconds: number; readonly times: number };

/** The fault that the form stands for; undefined while it is not complete. An empty number of times means every time. */
function faultOf({ rule, kind, seconds, times }: Wanted): NewFault | undefined {
  if (rule === '' || !Number.isInteger(times) || times < 0) return undefined;
  const meant = { rule, ...(times === 0 ? {} : { times }) };
  switch (kind) {
    case 'delay':
    case 'slow-permission': {
      if (!(seconds >= 0 && seconds <= 600)) return undefined;
      return { ...meant, kind, ms: Math.round(seconds * 1000) };
    }
    case 'fail':
    case 'hang':
    case 'break-stream':
      return { ...meant, kind };
  }
}
