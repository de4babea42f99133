import { formatCount } from '../../src-shared/timeline/words.ts';
import { showGallery } from '../commands/actions.ts';
import { openSession, type SessionView, stopReading } from '../state/session-store.ts';
import { Button } from '../widgets/Button.tsx';
import styles from './States.module.css';

/** A session whose events are on the way: how many, of how many, and the way to stop with what is there. */
export function LoadingSession({ view }: { readonly view: Extract<SessionView, { phase: 'loading' }> }) {
  const { read, total } = view;
  return (
    <main className={styles.reading} aria-label="Reading the session">
      <p className={styles.readingLine} role="status">
        {total === 0 ? 'Reading the session' : `Reading ${formatCount(read)} of ${formatCount(total)} events`}
      </p>
      <progress className={styles.progress} max={Math.max(1, total)} value={read} aria-label="Events read" />
      <Button onClick={stopReading} disabled={read === 0} title="Shows what was read so far">
        Cancel
      </Button>
    </main>
  );
}

/** A session that could not be read: what happened, what to do, one action. */
export function FailedSession({ view }: { readonly view: Extract<SessionView, { phase: 'failed' }> }) {
  return (
    <main className={styles.state} aria-label="The session could not be read">
      <div role="alert">
        <h2 className={styles.title}>{view.message}</h2>
        {view.hint === undefined ? null : <p className={styles.text}>{view.hint}</p>}
      </div>
      <Button onClick={() => void openSession(view.sessionId)}>Read it again</Button>
      <button type="button" className={styles.link} onClick={showGallery}>
        Show the scenario gallery
      </button>
    </main>
  );
}
