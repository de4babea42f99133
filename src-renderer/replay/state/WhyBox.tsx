import { Hand, Lock } from 'lucide-react';
import type { CallId } from '../../../src-shared/ids.ts';
import { aheadOf } from '../../../src-shared/replay/ahead.ts';
import { waitsFor } from '../../../src-shared/replay/waits-for.ts';
import { type Piece, whyWaits } from '../../../src-shared/replay/why-waits.ts';
import type { SessionState } from '../../../src-shared/session/state.ts';
import type { ToolCall } from '../../../src-shared/tool-call/state.ts';
import { hasTimes } from '../../conversation/selectors.ts';
import { Part } from '../../inspector/Facts.tsx';
import { useLiveNow } from '../../state/use-live-now.ts';
import { useWholeSession } from '../../state/use-session.ts';
import { selectCall } from '../../state/view-store.ts';
import { classes } from '../../widgets/classes.ts';
import { useIsPast } from '../past.ts';
import { seekToTime } from '../playhead-store.ts';
import styles from './State.module.css';

export type CallProps = { readonly state: SessionState; readonly call: ToolCall };

/** "Why does it wait?" of a call that waits at this moment: in the queue, for its turn, or for a person. */
export function WhyBox({ state, call }: CallProps) {
  const { kind } = waitsFor(state, call);
  const now = useLiveNow(kind !== 'nothing');
  const pieces = whyWaits(state, call, now, hasTimes(state));
  if (pieces === undefined) return null;
  const isForYou = kind === 'you';
  const Icon = isForYou ? Hand : Lock;
  return (
    <section className={classes(styles.why, isForYou && styles.whyYou)} aria-label="Why does it wait?">
      <h3>
        <Icon aria-hidden="true" size={15} /> Why does it wait?
      </h3>
      <p>
        {pieces.map((piece, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one sentence have no other name
          <PieceView key={at} piece={piece} />
        ))}
      </p>
    </section>
  );
}

function PieceView({ piece: { text, callId, strong } }: { readonly piece: Piece }) {
  if (callId !== undefined) return <CallLink callId={callId}>{text}</CallLink>;
  return strong === true ? <strong>{text}</strong> : text;
}

const CallLink = ({ callId, children }: { readonly callId: CallId; readonly children: string }) => (
  <button type="button" className={styles.name} onClick={() => selectCall(callId)}>
    {children}
  </button>
);

/** What becomes of the call after the playhead. Nothing where none is set. */
export function AheadPart({ call }: { readonly call: ToolCall }) {
  const whole = useWholeSession();
  const isPast = useIsPast();
  if (whole === undefined || !isPast) return null;
  const ahead = aheadOf(whole.state, call, hasTimes(whole.state));
  if (ahead === undefined) return null;
  const { words, at } = ahead;
  return (
    <Part title="Ahead of the playhead">
      <p className={styles.ahead}>
        {words}{' '}
        {at === undefined ? null : (
          <button type="button" className={styles.link} onClick={() => seekToTime(at)}>
            Go there
          </button>
        )}
      </p>
    </Part>
  );
}
