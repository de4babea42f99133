import { useStore } from 'zustand';
import { turnsOf } from '../../src-shared/compare/calls.ts';
import { type Comparison, callOf } from '../../src-shared/compare/compare.ts';
import { changeWords, sameWords } from '../../src-shared/compare/words.ts';
import type { SessionId } from '../../src-shared/ids.ts';
import type { SessionState } from '../../src-shared/session/state.ts';
import { callName, formatCount, formatMillis } from '../../src-shared/timeline/words.ts';
import { sessionsStore } from '../state/sessions-store.ts';
import { Button } from '../widgets/Button.tsx';
import { DialogFailure, DialogFooter, DialogForm, DialogFrame } from '../widgets/DialogFrame.tsx';
import styles from './Compare.module.css';
import {
  type CompareView,
  callOn,
  choose,
  closeCompare,
  compareStore,
  type SideName,
  selectDifference,
  showCall,
} from './compare-store.ts';
import { LanePictures } from './LanePictures.tsx';

/** Two sessions or turns side by side, and where they differ. */
export function CompareDialog() {
  const view = useStore(compareStore);
  return (
    <DialogFrame
      open={view.isOpen}
      onClose={closeCompare}
      className={styles.dialog}
      startsAt='select[aria-label="Session B"]'
    >
      <DialogForm title="Compare" onClose={closeCompare}>
        <div className={styles.sides}>
          <SideChoice name="a" view={view} />
          <SideChoice name="b" view={view} />
        </div>
        <Body view={view} />
      </DialogForm>
    </DialogFrame>
  );
}

type Props = { readonly view: CompareView };

function SideChoice({ name, view }: Props & { readonly name: SideName }) {
  const sessions = useStore(sessionsStore, ({ sessions }) => sessions);
  const { sessionId, turn } = view[name];
  const state = sessionId === undefined ? undefined : view.states[sessionId];
  const turns = state === undefined ? 0 : turnsOf(state).length;
  const facts = view.result?.[name];
  const letter = name.toUpperCase();
  const isListed = sessions.some((one) => one.sessionId === sessionId);
  return (
    <div className={styles.side}>
      <span className={styles.letter}>{letter}</span>
      <select
        aria-label={`Session ${letter}`}
        value={sessionId ?? ''}
        onChange={({ target }) => choose(name, { sessionId: target.value as SessionId, turn: undefined })}
      >
        {isListed || sessionId === undefined ? null : (
          <option value={sessionId}>{state?.title ?? 'this session'}</option>
        )}
        {sessions.map((one) => (
          <option key={one.sessionId} value={one.sessionId}>
            {one.title} · {formatCount(one.calls)} {one.calls === 1 ? 'call' : 'calls'}, {formatMillis(one.durationMs)}
          </option>
        ))}
      </select>
      <select
        aria-label={`Turn ${letter}`}
        value={turn ?? 0}
        disabled={turns < 2}
        onChange={({ target }) => choose(name, { turn: Number(target.value) || undefined })}
      >
        <option value={0}>whole session</option>
        {Array.from({ length: turns }, (_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a turn is its number
          <option key={i} value={i + 1}>
            turn {i + 1}
          </option>
        ))}
      </select>
      <span className={styles.facts}>
        {facts === undefined
          ? ''
          : `${formatCount(facts.calls)} ${facts.calls === 1 ? 'call' : 'calls'}, ${formatMillis(facts.wallMs)}`}
      </span>
    </div>
  );
}

function Body({ view }: Props) {
  const { problem, result, a, b, states } = view;
  if (problem !== undefined) {
    return <DialogFailure {...problem} />;
  }
  const one = a.sessionId === undefined ? undefined : states[a.sessionId];
  const other = b.sessionId === undefined ? undefined : states[b.sessionId];
  if (result === undefined || one === undefined || other === undefined) {
    return <p className={styles.same}>Reading the sessions.</p>;
  }
  const isOne = a.sessionId === b.sessionId && a.turn === b.turn;
  return (
    <>
      <LanePictures a={one} b={other} result={result} selected={view.selected} />
      <p className={styles.same} role="status">
        {isOne ? 'Both sides are the same. Choose another session or turn.' : sameWords(result)}
      </p>
      <Differences result={result} a={one} b={other} selected={view.selected} />
      <Footer view={view} result={result} />
    </>
  );
}

type ListProps = {
  readonly result: Comparison;
  readonly a: SessionState;
  readonly b: SessionState;
  readonly selected: number | undefined;
};

/** More rows than anybody reads; the command line prints them all. */
const MOST = 500;

function Differences({ result, a, b, selected }: ListProps) {
  const { differences, first } = result;
  if (differences.length === 0) return null;
  return (
    <div className={styles.list}>
      <table className={styles.table} aria-label="Differences">
        <thead>
          <tr>
            <th scope="col">In A</th>
            <th scope="col">In B</th>
            <th scope="col">Call</th>
            <th scope="col">Difference</th>
          </tr>
        </thead>
        <tbody>
          {differences.slice(0, MOST).map((difference, i) => {
            const call = callOf(difference, a, b);
            return (
              <tr
                // biome-ignore lint/suspicious/noArrayIndexKey: the list is made at once and never changes
                key={i}
                data-selected={i === selected}
                onClick={() => selectDifference(i)}
              >
                <td className={styles.moment}>{callOn(difference, 'a') && formatMillis(difference.at.a)}</td>
                <td className={styles.moment}>{callOn(difference, 'b') && formatMillis(difference.at.b)}</td>
                <td>
                  <button type="button" className={styles.call} aria-pressed={i === selected}>
                    {call === undefined ? '' : callName(call)}
                  </button>
                </td>
                <td>
                  {changeWords(difference)}
                  {difference === first ? <span className={styles.first}>first difference</span> : null}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {differences.length > MOST ? (
        <p className={styles.same}>{formatCount(differences.length - MOST)} more: `gantry compare` prints them all.</p>
      ) : null}
    </div>
  );
}

function Footer({ view, result }: Props & { readonly result: Comparison }) {
  const difference = view.selected === undefined ? undefined : result.differences[view.selected];
  if (result.differences.length === 0) return null;
  return (
    <DialogFooter>
      {(['a', 'b'] as const).map((side) => {
        const callId = difference === undefined ? undefined : callOn(difference, side);
        return (
          <Button
            key={side}
            disabled={callId === undefined}
            onClick={() => callId !== undefined && void showCall(side, callId)}
          >
            Show in {side.toUpperCase()}
          </Button>
        );
      })}
    </DialogFooter>
  );
}
