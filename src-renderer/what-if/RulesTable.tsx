import { GitCompareArrows, TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { callName, formatMillis } from '../../src-shared/timeline/words.ts';
import type { ToolCall } from '../../src-shared/tool-call/state.ts';
import type { Race } from '../../src-shared/what-if/races.ts';
import type { Numbers } from '../../src-shared/what-if/what-if.ts';
import { notesOf, racesText, strategyName, wallText } from '../../src-shared/what-if/words.ts';
import { selectCall } from '../state/view-store.ts';
import { classes } from '../widgets/classes.ts';
import { watchTurn } from './compute.ts';
import styles from './WhatIf.module.css';
import { chooseRules, type Subject, type TableRow, variantOf, type WhatIf, whatIfStore } from './what-if-store.ts';

/** "This turn under other rules": the numbers of each set of rules. A row that is chosen becomes the ghost row's rules. */
export function RulesTable() {
  const whatIf = useStore(whatIfStore);
  useEffect(() => watchTurn(), []);
  const { subject, phase, why } = whatIf;
  return (
    <section className={styles.table} aria-label="This turn under other rules">
      <header className={styles.tableHead}>
        <GitCompareArrows aria-hidden="true" size={16} />
        <h2 className={styles.title}>This turn under other rules</h2>
        {phase === 'computing' ? <span className={styles.aside}>Computing…</span> : null}
        {subject === undefined || phase === 'computing' ? null : (
          <span className={styles.aside}>turn {subject.number}</span>
        )}
      </header>
      {subject === undefined ? (
        <p className={styles.note}>{phase === 'none' ? (why ?? 'There is no turn yet.') : 'Computing…'}</p>
      ) : (
        <Rules whatIf={whatIf} subject={subject} />
      )}
    </section>
  );
}

function Rules({ whatIf, subject }: { readonly whatIf: WhatIf; readonly subject: Subject }) {
  const { rows } = whatIf;
  const { question, state } = subject;
  const variant = variantOf(whatIf);
  const isChosen = ({ row }: TableRow): boolean =>
    whatIf.isOpen &&
    row.strategy === variant?.strategy &&
    (row.strategy === 'all-at-once' || row.alike.includes(variant.cascade));
  const { strategy, cascade } = question.rules;
  return (
    <>
      <table className={styles.rules}>
        <thead>
          <tr>
            <th scope="col">Rules</th>
            {['Wall time', 'Cancelled', 'Lost', 'Races'].map((name) => (
              <th key={name} scope="col" className={styles.number}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">
              <strong>recorded</strong> <span className={styles.aside}>{`${strategy}, ${cascade}`}</span>
            </th>
            <NumberCells wall={formatMillis(question.recorded.wallMs)} numbers={question.recorded} />
          </tr>
          {rows.map((one) => (
            <RuleRow key={`${one.row.strategy} ${one.row.cascade}`} one={one} isChosen={isChosen(one)} />
          ))}
        </tbody>
      </table>
      <Pairs whatIf={whatIf} subject={subject} chosen={rows.find(isChosen)} />
      {notesOf(state, question).map((note) => (
        <p key={note} className={styles.note}>
          {note}
        </p>
      ))}
    </>
  );
}

function RuleRow({ one, isChosen }: { readonly one: TableRow; readonly isChosen: boolean }) {
  const { row, outcome } = one;
  const choose = (): void => chooseRules({ strategy: row.strategy, cascade: row.cascade });
  const isFree = row.strategy === 'all-at-once';
  const alike = row.alike.filter((policy) => policy !== row.cascade);
  const hint =
    isFree || alike.length === 0
      ? undefined
      : `${alike.join(', ')} ${alike.length === 1 ? 'comes' : 'come'} to the same`;
  return (
    <tr className={classes(styles.row, isChosen && styles.chosen)}>
      <th scope="row">
        <button type="button" className={styles.choose} aria-pressed={isChosen} title={hint} onClick={choose}>
          {strategyName(row.strategy)}
          {isFree ? <span className={styles.aside}> never live</span> : `, ${row.cascade}`}
        </button>
      </th>
      <NumberCells wall={wallText(outcome.numbers, outcome.trust)} numbers={outcome.numbers} />
    </tr>
  );
}

function NumberCells({ wall, numbers }: { readonly wall: string; readonly numbers: Numbers }) {
  const hasRaces = numbers.races.count > 0;
  return (
    <>
      <td className={styles.number}>{wall}</td>
      <td className={styles.number}>{numbers.cancelled}</td>
      <td className={styles.number}>{formatMillis(numbers.lostMs)}</td>
      <td className={classes(styles.number, hasRaces && styles.races)}>
        {hasRaces ? <TriangleAlert aria-hidden="true" size={14} /> : null}
        {racesText(numbers)}
      </td>
    </>
  );
}

type PairsProps = { readonly whatIf: WhatIf; readonly subject: Subject; readonly chosen: TableRow | undefined };

/** The raced pairs of the chosen row, else of the first that has any, and what a race is. */
function Pairs({ whatIf, subject, chosen }: PairsProps) {
  const [isShown, setShown] = useState(false);
  const shown =
    (chosen?.outcome.numbers.races.count ?? 0) > 0
      ? chosen
      : whatIf.rows.find(({ outcome }) => outcome.numbers.races.count > 0);
  if (shown === undefined) return null;
  const { races } = shown.outcome.numbers;
  const count = racesText(shown.outcome.numbers);
  const what = races.count === 1 ? 'the pair' : `the ${count} pairs`;
  return (
    <>
      <p className={styles.note}>
        Race: two calls use the same path, one writes.{' '}
        <button type="button" className={styles.link} aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide' : 'Show'} {what}
        </button>
        {shown === chosen ? '' : ` of ${strategyName(shown.row.strategy)}`}
      </p>
      {isShown ? (
        <ul className={styles.pairs}>
          {races.pairs.map((race) => (
            <Pair key={race.items.join()} race={race} subject={subject} />
          ))}
          {races.count > races.pairs.length ? (
            <li className={styles.aside}>The first {races.pairs.length} are listed.</li>
          ) : null}
        </ul>
      ) : null}
    </>
  );
}

function Pair({ race, subject }: { readonly race: Race; readonly subject: Subject }) {
  const { state } = subject;
  const [a, b] = race.items.map((item) => state.calls[item] as ToolCall) as [ToolCall, ToolCall];
  const inside =
    state.cwd !== '' && race.path.startsWith(`${state.cwd}/`) ? race.path.slice(state.cwd.length + 1) : race.path;
  return (
    <li>
      <button type="button" className={styles.link} onClick={() => selectCall(a.callId)}>
        {callName(a)}
      </button>
      {' and '}
      <button type="button" className={styles.link} onClick={() => selectCall(b.callId)}>
        {callName(b)}
      </button>
      <span className={styles.aside}>
        {' '}
        {inside}, {race.kind === 'write-write' ? 'both write' : 'one writes'}
      </span>
    </li>
  );
}
