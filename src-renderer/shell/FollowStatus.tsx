import { Radio } from 'lucide-react';
import { useEffect, useReducer } from 'react';
import { useStore } from 'zustand';
import { clock } from '../state/format.ts';
import { sessionStore } from '../state/session-store.ts';
import styles from './StatusBar.module.css';

/** When the last line came of a session that another program writes: `last line 12 s ago`. */
export function FollowStatus() {
  const at = useStore(sessionStore, (view) => (view.phase === 'open' ? view.lastLineAt : undefined));
  const [, again] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (at === undefined) return;
    const timer = setInterval(again, 1_000);
    return () => clearInterval(timer);
  }, [at]);
  if (at === undefined) return null;
  return (
    <span
      className={styles.item}
      title="Another program writes this session. It is read as it grows."
      data-testid="last-line"
    >
      <Radio aria-hidden="true" size={14} strokeWidth={1.75} />
      last line {agoWords(performance.now() - at)}
    </span>
  );
}

const agoWords = (ms: number): string =>
  ms < 1_500 ? 'now' : ms < 60_000 ? `${Math.round(ms / 1_000)} s ago` : `${clock(ms)} ago`;
