import { Layers } from 'lucide-react';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { CallId } from '../../../src-shared/ids.ts';
import { queueAt, since } from '../../../src-shared/replay/queue-at.ts';
import { openCalls, waitsFor } from '../../../src-shared/replay/waits-for.ts';
import type { SessionState } from '../../../src-shared/session/state.ts';
import { callLabel, formatCount, formatMillis, formatMoment } from '../../../src-shared/timeline/words.ts';
import type { ToolCall } from '../../../src-shared/tool-call/state.ts';
import { hasTimes } from '../../conversation/selectors.ts';
import { rowAfter } from '../../ledger/table-keys.ts';
import { counted } from '../../state/format.ts';
import { useLiveNow } from '../../state/use-live-now.ts';
import { selectCall, viewStore } from '../../state/view-store.ts';
import { classes } from '../../widgets/classes.ts';
import { Pill } from '../../widgets/Pill.tsx';
import { playheadStore } from '../playhead-store.ts';
import { cutRows } from './cut-rows.ts';
import { FactsLine } from './FactsLine.tsx';
import styles from './State.module.css';
import { stateWords, titleOf } from './state-words.ts';

export type StateTableProps = {
  /** As it was at the playhead. Grows in place: `version` tells when it did. */
  readonly state: SessionState;
  readonly version: number;
};

/** The queue at the playhead, or as it stands now: the calls of the current request and whom each waits for. */
export function StateTable({ state, version }: StateTableProps) {
  const selected = useStore(viewStore, (view) => view.selectedCall);
  const at = useStore(playheadStore, ({ t }) => t);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the state grows in place; its version tells
  const queue = useMemo(() => queueAt(state, selected), [state, version, selected]);
  return (
    <section className={styles.state} aria-label="State at the playhead">
      <header className={styles.head}>
        <Layers aria-hidden="true" size={16} />
        <h2>{titleOf(state, at, hasTimes(state))}</h2>
        {queue === undefined ? null : (
          <span className={styles.aside}>
            {queue.request === undefined ? '' : `request ${formatCount(queue.request)} · `}
            {counted(queue.calls.length, 'call')}
          </span>
        )}
      </header>
      {queue === undefined ? (
        <p className={styles.aside}>There has been no call yet.</p>
      ) : (
        <>
          <Calls state={state} calls={queue.calls} selected={selected} />
          <FactsLine state={state} version={version} queue={queue} />
        </>
      )}
    </section>
  );
}

type CallsProps = {
  readonly state: SessionState;
  readonly calls: readonly ToolCall[];
  readonly selected: CallId | undefined;
};

/** One row is reached by Tab, the others by arrows. */
function Calls({ state, calls, selected }: CallsProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [active, setActive] = useState<CallId>();
  const timed = hasTimes(state);
  const isGrowing = state.ended === undefined && calls.some(({ phase }) => phase !== 'yielded');
  const now = useLiveNow(timed && isGrowing);
  const rows = cutRows(calls, selected);
  const open = useMemo(() => openCalls(calls), [calls]);
  const ids = rows.flatMap((row) => (row.kind === 'call' ? [row.call.callId] : []));
  const reachable = ids.find((id) => id === active) ?? ids.find((id) => id === selected) ?? ids[0];
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = ids.indexOf((event.target as HTMLElement).dataset.callId as CallId);
    const next = at === -1 ? undefined : rowAfter(event, at, ids.length);
    if (next === undefined) return;
    event.preventDefault();
    body.current?.querySelectorAll<HTMLElement>('button')[next]?.focus();
  };
  return (
    <table className={styles.calls}>
      <thead>
        <tr>
          <th scope="col" className={classes(styles.number, styles.index)}>
            #
          </th>
          <th scope="col">Call</th>
          <th scope="col" className={styles.phase}>
            State
          </th>
          <th scope="col">Waits for</th>
          {timed ? (
            <th scope="col" className={styles.number} style={{ width: roomFor(state.now) }}>
              since
            </th>
          ) : null}
        </tr>
      </thead>
      <tbody ref={body} onKeyDown={onKeyDown}>
        {rows.map((row) =>
          row.kind === 'more' ? (
            <tr key={row.phase}>
              <td colSpan={timed ? 5 : 4} className={styles.more}>
                {formatCount(row.count)} more {row.phase}
              </td>
            </tr>
          ) : (
            <CallRow
              key={row.call.callId}
              state={state}
              call={row.call}
              open={open}
              now={timed ? now : undefined}
              isSelected={row.call.callId === selected}
              isReachable={row.call.callId === reachable}
              onFocus={setActive}
            />
          ),
        )}
      </tbody>
    </table>
  );
}

type CallRowProps = {
  readonly state: SessionState;
  readonly call: ToolCall;
  /** Those of its message that have not ended. */
  readonly open: readonly ToolCall[];
  /** Undefined where the file has no times. */
  readonly now: number | undefined;
  readonly isSelected: boolean;
  readonly isReachable: boolean;
  readonly onFocus: (callId: CallId) => void;
};

function CallRow({ state, call, open, now, isSelected, isReachable, onFocus }: CallRowProps) {
  const { tool, argument } = callLabel(call);
  const { tone, icon, label } = stateWords(state, call);
  const waits = waitsFor(state, call, open);
  return (
    <tr className={classes(styles.row, isSelected && styles.selected)}>
      <td className={styles.number}>{formatCount(call.index + 1)}</td>
      <th scope="row" title={call.summary}>
        <button
          type="button"
          className={styles.choose}
          data-call-id={call.callId}
          aria-pressed={isSelected}
          tabIndex={isReachable ? 0 : -1}
          onFocus={() => onFocus(call.callId)}
          onClick={() => selectCall(call.callId)}
        >
          <strong>{tool}</strong> {argument}
        </button>
      </th>
      <td>
        <Pill tone={tone} icon={icon} title={label}>
          {label}
        </Pill>
      </td>
      <td className={classes(styles.waits, styles[waits.kind])} title={waits.words}>
        <span className={styles.words}>{waits.words}</span>
      </td>
      {now === undefined ? null : <td className={styles.number}>{sinceWords(call, now)}</td>}
    </tr>
  );
}

/** How long it has been so; of what is over, when it was over. */
/** Columns are as wide as they are told: hours into a session its moments are long. */
const roomFor = (now: number): string => `max(70px, ${`at ${formatMoment(now)}`.length + 2}ch)`;

const sinceWords = (call: ToolCall, now: number): string =>
  call.phase === 'yielded' ? `at ${formatMoment(since(call))}` : formatMillis(Math.max(0, now - since(call)));
