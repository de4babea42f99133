import { CircleDot } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useStore } from 'zustand';
import type { Breakpoint } from '../../src-shared/debugger/event.ts';
import { callById, type SessionState } from '../../src-shared/session/state.ts';
import { viewStore } from '../state/view-store.ts';
import { Button } from '../widgets/Button.tsx';
import { addBreakpoint, setBreakpoints } from './actions.ts';
import styles from './Debugger.module.css';
import { DebuggerPopover, SetList } from './DebuggerPopover.tsx';
import { breakpointWords, ruleFor } from './rules.ts';

export type BreakpointsButtonProps = { readonly state: SessionState; readonly className?: string | undefined };

/** Where the session stops for its person, and how many places there are. */
export function BreakpointsButton({ state, className }: BreakpointsButtonProps) {
  const { breakpoints } = state.debugger;
  const set = breakpoints.filter((one) => one.enabled).length;
  const change = (id: string, next: (breakpoint: Breakpoint) => readonly Breakpoint[], words: string): void =>
    void setBreakpoints(
      breakpoints.flatMap((one) => (one.id === id ? next(one) : [one])),
      words,
    );
  return (
    <DebuggerPopover
      title="Breakpoints"
      note="A call that is met waits in its lane, and the queue is held, until you let it go on."
      trigger={
        <Button icon={CircleDot} look="quiet" className={className} aria-label={nameOf(set)}>
          Breakpoints{set === 0 ? '' : ` ${set}`}
        </Button>
      }
    >
      <SetList
        name="Breakpoints that are set"
        empty="No breakpoint is set."
        items={breakpoints.map((one) => ({ id: one.id, words: breakpointWords(one), enabled: one.enabled }))}
        onToggle={(id) => change(id, (one) => [{ ...one, enabled: !one.enabled }], 'Breakpoint changed.')}
        onRemove={(id) => change(id, () => [], 'Breakpoint removed.')}
      />
      <AddBreakpoint state={state} />
      <div className={styles.buttons}>
        <Button onClick={() => void addBreakpoint({ kind: 'failure' })}>Stop when a call fails</Button>
        <Button onClick={() => void addBreakpoint({ kind: 'cascade' })}>Stop before a cascade</Button>
      </div>
    </DebuggerPopover>
  );
}

const nameOf = (set: number): string => (set === 0 ? 'Breakpoints' : `Breakpoints, ${set} set`);

/** The rule of the selected call stands in the field already. */
function AddBreakpoint({ state }: { readonly state: SessionState }) {
  const selected = useStore(viewStore, (view) => view.selectedCall);
  const call = selected === undefined ? undefined : callById(state, selected);
  const [rule, setRule] = useState(call === undefined ? '' : ruleFor(call));
  const add = (event: FormEvent): void => {
    event.preventDefault();
    if (rule.trim() === '') return;
    void addBreakpoint({ kind: 'before', rule: rule.trim() });
    setRule('');
  };
  return (
    <form className={styles.form} onSubmit={add}>
      <label className={styles.field}>
        <span className={styles.label}>Stop before calls that match</span>
        <input
          type="text"
          spellCheck={false}
          placeholder="A rule, such as Bash(git push:*) or Edit"
          value={rule}
          onChange={(event) => setRule(event.target.value)}
        />
      </label>
      <Button type="submit" look="primary" disabled={rule.trim() === ''}>
        Add
      </Button>
    </form>
  );
}
