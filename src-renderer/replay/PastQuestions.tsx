import { Hand } from 'lucide-react';
import type { SessionState } from '../../src-shared/session/state.ts';
import { callName, formatMillis } from '../../src-shared/timeline/words.ts';
import type { Ask, ToolCall } from '../../src-shared/tool-call/state.ts';
import { agentOf, shownText } from '../permissions/asks.ts';
import { isReadOnly } from '../state/activity.ts';
import { useOpenSession, useWholeSession } from '../state/use-session.ts';
import { selectCall } from '../state/view-store.ts';
import { Pill } from '../widgets/Pill.tsx';
import { useIsPast } from './past.ts';
import { seekToTime, whereItStands } from './playhead-store.ts';
import styles from './Replay.module.css';

type Open = { readonly call: ToolCall; readonly ask: Ask };

/** Questions that waited for an answer in this state. */
export function questionsIn(state: SessionState): readonly Open[] {
  return state.calls.flatMap((call) => {
    const ask = call.asks.at(-1);
    const waits =
      (call.phase === 'queued' || call.phase === 'executing') && ask !== undefined && ask.until === undefined;
    return waits ? [{ call, ask }] : [];
  });
}

/** The dialogs that were open at the playhead: as they were, and not to be answered. */
export function PastQuestions() {
  const open = useOpenSession();
  const whole = useWholeSession();
  const past = useIsPast();
  if (open === undefined || whole === undefined || !past) return null;
  const questions = questionsIn(open.state);
  if (questions.length === 0) return null;
  const { t } = whereItStands();
  return (
    <section className={styles.past} aria-label="Questions at the playhead">
      <h2>
        <Hand aria-hidden="true" size={15} /> {questions.length === 1 ? 'A question' : `${questions.length} questions`}{' '}
        waited here <Pill tone="accent">past, not answerable</Pill>
      </h2>
      <ul>
        {questions.map(({ call, ask }) => (
          <li key={ask.askId}>
            <button type="button" className={styles.call} onClick={() => selectCall(call.callId)}>
              <strong>{ask.question.title === '' ? callName(call) : ask.question.title}</strong>
            </button>{' '}
            <code>{shownText(call)}</code>
            <p>
              {ask.question.reason} {agentOf(open.state, call)}, waiting for {formatMillis(Math.max(0, t - ask.from))}.{' '}
              <Answer whole={whole.state} call={call} ask={ask} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

const BY = { allow: 'allowed', deny: 'denied' } as const;

/** What came of it, which is ahead of the playhead. */
function Answer({ whole, call, ask }: { readonly whole: SessionState } & Open) {
  const at = whole.callIndex[call.callId];
  const later = at === undefined ? undefined : whole.calls[at];
  const until = later?.asks.find(({ askId }) => askId === ask.askId)?.until;
  if (until === undefined)
    return whole.ended === undefined && !isReadOnly(whole) ? <>It still waits.</> : <>No answer is recorded.</>;
  const settled = later?.permission;
  const words = settled === undefined || settled.at !== until ? 'ended' : `${BY[settled.verdict]} by ${settled.by}`;
  return (
    <>
      It was {words} {formatMillis(until - ask.from)} after it was asked.{' '}
      <button type="button" className={styles.link} onClick={() => seekToTime(until)}>
        Go there
      </button>
    </>
  );
}
