import { Layers } from 'lucide-react';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { SessionState } from '../../src-shared/session/state.ts';
import { formatCount, formatMillis, formatMoment } from '../../src-shared/timeline/words.ts';
import { hasTimes } from '../conversation/selectors.ts';
import { counted } from '../state/format.ts';
import { useLiveNow } from '../state/use-live-now.ts';
import { selectCall, viewStore } from '../state/view-store.ts';
import { OutcomePill } from '../widgets/OutcomePill.tsx';
import { Pill } from '../widgets/Pill.tsx';
import styles from './Replay.module.css';
import { factsAt, type StateRow, stateRows } from './state-rows.ts';

export type StateTableProps = {
  /** As it was at the playhead. Grows in place: `version` tells when it did. */
  readonly state: SessionState;
  readonly version: number;
};

/** The queue at the playhead: the calls of the request that goes on, how each stands, and whom it waits for. */
export function StateTable({ state, version }: StateTableProps) {
  const now = useLiveNow(false);
  const selected = useStore(viewStore, (view) => view.selectedCall);
  const timed = hasTimes(state);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the state grows in place; its version tells
  const { request, rows } = useMemo(() => stateRows(state), [state, version]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same
  const facts = useMemo(() => factsAt(state), [state, version]);
  return (
    <section className={styles.state} aria-label="State at the playhead">
      <header className={styles.head}>
        <Layers aria-hidden="true" size={16} />
        <h2>{timed ? `State at ${formatMoment(now)}` : 'State at the playhead'}</h2>
        {rows.length === 0 ? null : (
          <span className={styles.aside}>
            {request === undefined ? '' : `request ${request} · `}
            {counted(rows.length, 'call')}
          </span>
        )}
      </header>
      {rows.length === 0 ? (
        <p className={styles.aside}>No call was asked for yet.</p>
      ) : (
        <table className={styles.calls}>
          <thead>
            <tr>
              <th scope="col">#</th>
              <th scope="col">Call</th>
              <th scope="col">State</th>
              <th scope="col">Waits for</th>
              {timed ? (
                <th scope="col" className={styles.number}>
                  since
                </th>
              ) : null}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.call.callId} aria-selected={row.call.callId === selected}>
                <td>{row.number}</td>
                <td>
                  <button type="button" className={styles.call} onClick={() => selectCall(row.call.callId)}>
                    <strong>{row.tool}</strong> {row.argument}
                  </button>
                </td>
                <td>
                  <RowState row={row} />
                </td>
                <td>{row.waitsFor}</td>
                {timed ? <td className={styles.number}>{formatMillis(Math.max(0, now - row.since))}</td> : null}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <ul className={styles.facts}>
        <li>
          Lanes <strong>{formatCount(facts.lanes)}</strong> of {formatCount(facts.cap)}
        </li>
        <li>
          Result budget <strong>{formatCount(facts.budgetUsed)}</strong> of {formatCount(facts.budget)} characters
        </li>
        <li>
          Folder <code>{facts.folder}</code>
        </li>
        <li>
          {counted(facts.read, 'file')} read, {facts.stale === 0 ? 'none' : formatCount(facts.stale)} changed since
        </li>
        {facts.modifiers.map((modifier) => (
          <li key={modifier}>{modifier}</li>
        ))}
      </ul>
    </section>
  );
}

/** Yielded and completed are told apart: the result of the one is with the model, that of the other is held. */
function RowState({ row: { call } }: { readonly row: StateRow }) {
  if (call.phase !== 'completed' || call.end.outcome !== 'ok') return <OutcomePill call={call} short />;
  return <Pill>completed</Pill>;
}
