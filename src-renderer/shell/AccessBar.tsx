import { Eye, RotateCw } from 'lucide-react';
import { useState } from 'react';
import type { SessionId } from '../../src-shared/ids.ts';
import { request } from '../bridge.ts';
import { useOtherReader } from '../state/access-store.ts';
import { activityOf } from '../state/activity.ts';
import { counted } from '../state/format.ts';
import { failureWords } from '../state/problem.ts';
import { openSession } from '../state/session-store.ts';
import { useOpenSession } from '../state/use-session.ts';
import { Button } from '../widgets/Button.tsx';
import styles from './AccessBar.module.css';

/** Why this window only shows the session, and the way to work in it. Nothing where it is the window's own. */
export function AccessBar() {
  const open = useOpenSession();
  const reader = useOtherReader(open?.view.sessionId);
  if (open === undefined || reader === undefined) return null;
  const waiting = activityOf(open.state).asking.length;
  return <ReadOnly sessionId={open.view.sessionId} why={reader.why} takeOver={reader.takeOver} waiting={waiting} />;
}

export type ReadOnlyProps = {
  readonly sessionId: SessionId;
  readonly why: string;
  readonly takeOver: boolean;
  /** Calls that wait for an answer in the other window. */
  readonly waiting: number;
};

/** The same for given words: what the component gallery shows. */
export function ReadOnly({ sessionId, why, takeOver, waiting }: ReadOnlyProps) {
  const [problem, setProblem] = useState<string>();
  const take = (): void => {
    setProblem(undefined);
    request('session.take-over', { sessionId }).catch((error: unknown) => setProblem(failureWords(error).message));
  };
  const asks =
    waiting === 0 ? '' : `${counted(waiting, 'call')} ${waiting === 1 ? 'waits' : 'wait'} for an answer there.`;
  return (
    <section className={styles.bar} aria-label="Read-only">
      <Eye aria-hidden="true" size={16} strokeWidth={1.75} />
      <p>
        {why} {asks} {problem === undefined ? null : <strong role="alert">{problem}</strong>}
      </p>
      {takeOver ? (
        <Button onClick={take}>Take over</Button>
      ) : (
        <Button icon={RotateCw} onClick={() => void openSession(sessionId)}>
          Try again
        </Button>
      )}
    </section>
  );
}
