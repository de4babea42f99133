import { Ghost } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { RequestOutput } from '../../src-shared/ipc/contract.ts';
import { request } from '../bridge.ts';
import { counted, whenWords } from '../state/format.ts';
import { failureWords } from '../state/problem.ts';
import { announce } from '../state/view-store.ts';
import { Button } from '../widgets/Button.tsx';
import styles from './LeftoversBar.module.css';

export type Leftover = RequestOutput<'leftovers.list'>[number];

/** Offers to end what a crashed run has left running. Looks once, when the window opens. */
export function LeftoversBar() {
  const [found, setFound] = useState<readonly Leftover[]>([]);
  const [problem, setProblem] = useState<string>();
  const [isEnding, setIsEnding] = useState(false);
  useEffect(() => {
    // Whoever cannot be told of them misses nothing else.
    request('leftovers.list', undefined).then(setFound, () => undefined);
  }, []);
  const end = async (): Promise<void> => {
    setIsEnding(true);
    setProblem(undefined);
    try {
      const { ended, survivors } = await request('leftovers.end', undefined);
      setFound(found.filter(({ pid }) => survivors.some((survivor) => survivor.pid === pid)));
      if (survivors.length === 0) announce(`${counted(ended, 'process', 'processes')} ended, nothing is left.`);
      else setProblem('These could not be ended. They belong to another user, or wait for the system.');
    } catch (error) {
      setProblem(failureWords(error).message);
    } finally {
      setIsEnding(false);
    }
  };
  if (found.length === 0) return null;
  return (
    <LeftoversOf
      found={found}
      problem={problem}
      isEnding={isEnding}
      onEnd={() => void end()}
      onLeave={() => setFound([])}
    />
  );
}

export type LeftoversOfProps = {
  readonly found: readonly Leftover[];
  readonly problem: string | undefined;
  readonly isEnding: boolean;
  readonly onEnd: () => void;
  readonly onLeave: () => void;
};

/** The same for given processes: what the component gallery shows. */
export function LeftoversOf({ found, problem, isEnding, onEnd, onLeave }: LeftoversOfProps) {
  const them = found.length === 1 ? 'it' : 'them';
  return (
    <section className={styles.bar} aria-label="Left over from an earlier run">
      <Ghost aria-hidden="true" size={16} strokeWidth={1.75} />
      <div className={styles.text}>
        <p>
          <strong>
            {counted(found.length, 'process', 'processes')} of an earlier run {found.length === 1 ? 'lives' : 'live'}{' '}
            on.
          </strong>{' '}
          {problem === undefined ? `Nobody looks after ${them} any more.` : <span role="alert">{problem}</span>}
        </p>
        <ul className={styles.list}>
          {found.map(({ pid, command, since, title }) => (
            <li key={pid} className={styles.process}>
              <code className={styles.command} title={command}>
                {command}
              </code>
              <span className={styles.facts}>{factsOf({ pid, since, title })}</span>
            </li>
          ))}
        </ul>
      </div>
      <Button look="danger" disabled={isEnding} onClick={onEnd}>
        End {them}
      </Button>
      <Button disabled={isEnding} onClick={onLeave}>
        Leave {them}
      </Button>
    </section>
  );
}

/** `4711 · since today 09:41 · of Cascade` */
const factsOf = ({ pid, since, title }: Pick<Leftover, 'pid' | 'since' | 'title'>): string =>
  [
    String(pid),
    ...(since === undefined ? [] : [`since ${whenWords(since, Date.now())}`]),
    ...(title === '' ? [] : [`of ${title}`]),
  ].join(' · ');
