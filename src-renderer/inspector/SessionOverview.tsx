import { useEffect, useState } from 'react';
import type { SessionId } from '../../src-shared/ids.ts';
import type { SessionState } from '../../src-shared/session/state.ts';
import type { Finding } from '../../src-shared/session/summary.ts';
import { formatCount, formatMillis } from '../../src-shared/timeline/words.ts';
import { request } from '../bridge.ts';
import { failureText } from '../conversation/failure-text.ts';
import { hasTimes } from '../conversation/selectors.ts';
import { PathPart } from '../critical-path/PathPart.tsx';
import { activityOf, isAtWork } from '../state/activity.ts';
import { counted } from '../state/format.ts';
import { useLiveNow } from '../state/use-live-now.ts';
import { Button } from '../widgets/Button.tsx';
import { Fact, Facts, Part } from './Facts.tsx';
import { sessionFacts } from './facts.ts';
import styles from './Tab.module.css';
import { SessionModel } from './TokensPart.tsx';

const FINDINGS_SHOWN = 20;

type Props = {
  readonly state: SessionState;
  /** The session as main knows it: an imported file carries an id of its own in its events. */
  readonly sessionId: SessionId;
};

/** What stands here while no call is selected: the session as a whole. */
export function SessionOverview({ state, sessionId }: Props) {
  const isGrowing = isAtWork(activityOf(state));
  const now = useLiveNow(isGrowing, 1_000);
  const facts = sessionFacts(state, isGrowing ? now : state.now);
  return (
    <div className={styles.tab}>
      <Part title="Session">
        <Facts>
          <Fact name="Turns">{formatCount(facts.turns)}</Fact>
          <Fact name="Calls">{formatCount(facts.calls)}</Fact>
          {facts.outcomes.map(({ outcome, count }) => (
            <Fact key={outcome} name={`– ${outcome}`}>
              {formatCount(count)}
            </Fact>
          ))}
          {hasTimes(state) ? (
            <>
              <Fact name="Wall time">{formatMillis(facts.wallMs)}</Fact>
              <Fact name="Sum of calls">{formatMillis(facts.sumMs)}</Fact>
            </>
          ) : (
            <Fact name="Times">none in the file</Fact>
          )}
          <Fact name="Strategy">
            {state.settings.strategy}, {counted(state.settings.cap, 'lane')}, cascade {state.settings.cascade}
          </Fact>
          {state.cwd === '' ? null : <Fact name="Folder">{state.cwd}</Fact>}
          {state.origin?.kind === 'imported' ? <Fact name="File">{state.origin.path}</Fact> : null}
        </Facts>
      </Part>
      {hasTimes(state) ? <PathPart state={state} /> : null}
      <SessionModel state={state} />
      {state.origin?.kind === 'imported' ? <Findings sessionId={sessionId} /> : null}
      <p className={styles.muted}>Select a call to see what happened to it.</p>
    </div>
  );
}

/** What was odd in the file that the session was read from. */
function Findings({ sessionId }: { readonly sessionId: SessionId }) {
  const [findings, setFindings] = useState<readonly Finding[]>();
  const [problem, setProblem] = useState<string>();
  const [all, setAll] = useState(false);
  useEffect(() => {
    let isWanted = true;
    request('session.findings', { sessionId }).then(
      (found) => isWanted && setFindings(found),
      (error: unknown) => isWanted && setProblem(failureText(error)),
    );
    return () => {
      isWanted = false;
    };
  }, [sessionId]);
  if (problem !== undefined) return <p role="alert">{problem}</p>;
  if (findings === undefined) return null;
  if (findings.length === 0) return <Part title="Findings">None. The whole file was understood.</Part>;
  const shown = all ? findings : findings.slice(0, FINDINGS_SHOWN);
  return (
    <Part title={counted(findings.length, 'finding')}>
      <ul className={styles.findings}>
        {shown.map(({ file, line, kind, message }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: findings have no identity but their place
          <li key={at} title={`${file}${line > 0 ? `:${line}` : ''} (${kind})`}>
            {line > 0 ? <span className={styles.muted}>line {formatCount(line)}: </span> : null}
            {message}
          </li>
        ))}
      </ul>
      {shown.length < findings.length ? (
        <Button onClick={() => setAll(true)}>Show all {formatCount(findings.length)}</Button>
      ) : null}
    </Part>
  );
}
