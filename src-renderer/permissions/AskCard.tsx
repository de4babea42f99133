import { callLabel, formatMillis } from '../../src-shared/timeline/words.ts';
import { DiffCounts, DiffView } from '../inspector/DiffView.tsx';
import { diffOf } from '../inspector/diff.ts';
import { useLiveNow } from '../state/use-live-now.ts';
import { classes } from '../widgets/classes.ts';
import { ToolIcon } from '../widgets/ToolIcon.tsx';
import styles from './AskCard.module.css';
import { commandOf, type OpenAsk, shownLine } from './asks.ts';
import type { Guard } from './guard.ts';

export type AskCardProps = {
  readonly open: OpenAsk;
  readonly isOpen: boolean;
  readonly guard: Guard;
  readonly onOpen: () => void;
};

/** A question as a card of the list. The open one shows for how long keys are still ignored. */
export function AskCard({ open, isOpen, guard, onOpen }: AskCardProps) {
  const { ask, call, number, agentName } = open;
  const { tool, argument } = callLabel(call);
  const line = commandOf(call)?.split('\n', 1)[0];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the board handles the keys of all cards in one place
    <div
      role="option"
      aria-selected={isOpen}
      aria-label={`Question ${number}: ${tool} ${argument}, ${agentName}`}
      tabIndex={isOpen ? 0 : -1}
      data-ask-id={ask.askId}
      className={classes(styles.card, isOpen && styles.open)}
      onClick={onOpen}
    >
      {isOpen && guard.mode === 'arming' ? <span key={guard.until} className={styles.arming} /> : null}
      <span className={styles.number}>{number}</span>
      <div className={styles.text}>
        <p className={styles.head}>
          <ToolIcon tool={call.tool} />
          <span className={styles.name}>
            <strong>{tool}</strong> {line === undefined ? argument : ''}
          </span>
          <Waited from={ask.from} />
        </p>
        <p className={styles.line}>
          {agentName}
          {line === undefined ? null : (
            <>
              {' · '}
              <code>{line}</code>
            </>
          )}
          <Counts open={open} />
        </p>
        <Preview open={open} />
      </div>
    </div>
  );
}

function Counts({ open }: { readonly open: OpenAsk }) {
  const change = open.ask.question.diff;
  const diff = change === undefined ? undefined : diffOf({ ...change, isWhole: true });
  if (diff === undefined) return null;
  return (
    <>
      {' · '}
      <DiffCounts diff={diff} />
    </>
  );
}

/** A few lines of the change, or the input in one line, where there is no command. */
function Preview({ open }: { readonly open: OpenAsk }) {
  const { ask, call } = open;
  const { diff, choices, plan } = ask.question;
  if (choices !== undefined) return <p className={styles.question}>{choices[0]?.question}</p>;
  if (plan !== undefined) return null;
  if (diff !== undefined) {
    return (
      <div className={styles.diff}>
        <DiffView change={{ ...diff, isWhole: true }} compact />
      </div>
    );
  }
  if (commandOf(call) !== undefined) return null;
  return <code className={styles.json}>{shownLine(call)}</code>;
}

/** Whole seconds: `18 s`, from a minute on `1:04`. */
function Waited({ from }: { readonly from: number }) {
  const now = useLiveNow(true, 1_000);
  const seconds = Math.max(0, Math.floor((now - from) / 1_000));
  return <span className={styles.waited}>{seconds < 60 ? `${seconds} s` : formatMillis(seconds * 1_000)}</span>;
}
