import { TriangleAlert } from 'lucide-react';
import { useStore } from 'zustand';
import type { SessionId } from '../../src-shared/ids.ts';
import { formatBytes } from '../../src-shared/timeline/words.ts';
import { readingStore, stopReadingFile } from '../state/reading-store.ts';
import styles from './ReadingStatus.module.css';

/** How far a transcript that is shown already has been read, and the way to stop with what is there. */
export function ReadingStatus({ sessionId }: { readonly sessionId: SessionId }) {
  const reading = useStore(readingStore, (all) => all.get(sessionId));
  if (reading === undefined) return null;
  const { phase, bytes, totalBytes, message } = reading;
  const amount = `${formatBytes(bytes)} of ${formatBytes(totalBytes)}`;
  if (phase !== 'reading') {
    return (
      <span className={styles.ended} title={message}>
        <TriangleAlert aria-hidden="true" size={14} strokeWidth={1.75} />
        {amount} read
      </span>
    );
  }
  return (
    <span className={styles.reading}>
      <progress
        className={styles.progress}
        max={Math.max(1, totalBytes)}
        value={bytes}
        aria-label={`Reading the transcript, ${amount}`}
      />
      <span className={styles.words}>Reading {amount}</span>
      <button type="button" className={styles.stop} onClick={() => stopReadingFile(sessionId)}>
        Stop
      </button>
    </span>
  );
}
