import type { CallId } from '../../src-shared/ids.ts';
import { callById } from '../../src-shared/session/state.ts';
import { callName, formatMoment } from '../../src-shared/timeline/words.ts';
import { hasTimes } from '../conversation/selectors.ts';
import { useWholeSession } from '../state/use-session.ts';
import { seekToTime } from './playhead-store.ts';
import styles from './Replay.module.css';

/** In the inspector, for a call that is selected in the future: what of it may be said, and the way there. */
export function NotYet({ callId }: { readonly callId: CallId }) {
  const whole = useWholeSession();
  const call = whole === undefined ? undefined : callById(whole.state, callId);
  if (whole === undefined || call === undefined) return null;
  return (
    <p className={styles.notYet} role="note">
      {callName(call)} lies ahead of the playhead. It is asked for
      {hasTimes(whole.state) ? ` at ${formatMoment(call.queuedAt)}` : ' later'}.{' '}
      <button type="button" className={styles.link} onClick={() => seekToTime(call.queuedAt)}>
        Go there
      </button>
    </p>
  );
}
