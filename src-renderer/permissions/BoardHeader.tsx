import { Ban, Check, ChevronDown, ChevronUp, Hand } from 'lucide-react';
import type { MouseEvent } from 'react';
import type { SessionState } from '../../src-shared/session/state.ts';
import { formatCount } from '../../src-shared/timeline/words.ts';
import { Button } from '../widgets/Button.tsx';
import { IconButton } from '../widgets/IconButton.tsx';
import type { OpenAsk } from './asks.ts';
import styles from './BoardHeader.module.css';
import { foldBoard } from './board-store.ts';
import type { AnswerAction } from './guard.ts';

export type BoardHeaderProps = {
  readonly asks: readonly OpenAsk[];
  readonly reads: number;
  readonly state: SessionState;
  readonly isFolded: boolean;
  readonly onAction: (action: AnswerAction, byKey: boolean) => void;
};

/** How many calls wait, and the answers for several of them at once. */
export function BoardHeader({ asks, reads, state, isFolded, onAction }: BoardHeaderProps) {
  const act = (action: AnswerAction) => (event: MouseEvent) => onAction(action, event.detail === 0);
  const n = asks.length;
  return (
    <header className={styles.header}>
      <Hand aria-hidden="true" size={18} className={styles.hand} />
      <h2 className={styles.title}>{n === 0 ? 'No call waits for your answer' : waitingWords(n)}</h2>
      <span className={styles.others}>{n === 0 ? '' : othersWords(state, n)}</span>
      {reads > 0 && !isFolded ? (
        <Button icon={Check} onClick={act('allow-all-reads')}>
          Allow all reads {reads}
        </Button>
      ) : null}
      {n > 1 && !isFolded ? (
        <Button icon={Ban} onClick={act('deny-all')}>
          Deny all {n}
        </Button>
      ) : null}
      {n === 0 ? null : (
        <IconButton
          icon={isFolded ? ChevronUp : ChevronDown}
          name={isFolded ? 'Show the questions' : 'Fold the questions'}
          aria-expanded={!isFolded}
          side="top"
          onClick={() => foldBoard(!isFolded)}
        />
      )}
    </header>
  );
}

const waitingWords = (n: number): string =>
  n === 1 ? '1 call waits for your answer' : `${formatCount(n)} calls wait for your answer`;

/** What else goes on: a question holds its own call and whoever needs its lock, nobody else. */
function othersWords(state: SessionState, asking: number): string {
  const running = state.calls.filter((call) => call.phase === 'executing').length - asking;
  return running > 0 ? 'Other calls go on.' : 'Nothing else runs.';
}
