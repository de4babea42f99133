import { Hourglass } from 'lucide-react';
import type { CallId } from '../../src-shared/ids.ts';
import { callById, type SessionState } from '../../src-shared/session/state.ts';
import { queueEnd } from '../../src-shared/timeline/parts.ts';
import { laterWaits } from '../../src-shared/timeline/wait-words.ts';
import { callName, whyItWaited } from '../../src-shared/timeline/words.ts';
import type { ToolCall } from '../../src-shared/tool-call/state.ts';
import { useLiveNow } from '../state/use-live-now.ts';
import { CallLink, Linked } from './CallLink.tsx';
import styles from './CriticalPath.module.css';

/** Waits shorter than this are not worth a card, in ms. */
const WAIT_MS = 50;

/** Every wait of a call, in the queue, in its lane and after its end, with who held it up. */
export function WaitCard({ state, call }: { readonly state: SessionState; readonly call: ToolCall }) {
  const goesOn = call.phase !== 'yielded' && state.ended === undefined;
  const now = useLiveNow(goesOn);
  const waited = (queueEnd(call) ?? now) - call.queuedAt;
  const later = laterWaits(state, call, now);
  if (waited < WAIT_MS && later.length === 0) return null;
  const text = waited < WAIT_MS ? undefined : `${whyItWaited(state, call, now)}.`;
  const holders = holdersOf(call);
  return (
    <section className={styles.wait} aria-label="Why did it wait?">
      <h3>
        <Hourglass aria-hidden="true" size={15} /> Why did it wait?
      </h3>
      {text === undefined ? null : (
        <>
          <p>
            <Linked state={state} text={text} ids={holders} />
          </p>
          <Others state={state} text={text} ids={holders} />
        </>
      )}
      {later.map((wait) => (
        <p key={wait.text}>
          <Linked state={state} text={wait.text} ids={wait.by} />
        </p>
      ))}
    </section>
  );
}

/** In the order of the sentence: the longest reason first. */
function holdersOf(call: ToolCall): readonly CallId[] {
  const length = ({ from, until }: ToolCall['waits'][number]): number => (until ?? Number.POSITIVE_INFINITY) - from;
  const waits = [...call.waits].sort((a, b) => length(b) - length(a));
  return [...new Set(waits.flatMap((wait) => wait.by))];
}

/** More than this many calls are not offered as links. */
const LINKS = 6;

/** Those whom the sentence only counts. */
function Others({
  state,
  text,
  ids,
}: {
  readonly state: SessionState;
  readonly text: string;
  readonly ids: readonly CallId[];
}) {
  const calls = ids.flatMap((id) => callById(state, id) ?? []).filter((call) => !text.includes(callName(call)));
  if (calls.length === 0) return null;
  return (
    <ul className={styles.holders} aria-label="Go to">
      {calls.slice(0, LINKS).map((holder) => (
        <li key={holder.callId}>
          <CallLink call={holder} />
        </li>
      ))}
    </ul>
  );
}
