import { Library, TriangleAlert } from 'lucide-react';
import { useStore } from 'zustand';
import { formatBytes } from '../../src-shared/timeline/words.ts';
import statusStyles from '../shell/StatusBar.module.css';
import { counted } from '../state/format.ts';
import { VaultStatus } from '../vault/VaultStatus.tsx';
import styles from './Library.module.css';
import { libraryStore, refresh, stopIndexing } from './library-store.ts';
import { indexWords, isBusy } from './words.ts';

/** The bottom line while all sessions are shown: how many there are, and whether they can all be searched. */
export function LibraryStatus() {
  const overview = useStore(libraryStore, (view) => view.overview);
  if (overview === undefined) return <span className={statusStyles.item}>Opening the index.</span>;
  const { facets, index } = overview;
  const isReading = index.kind === 'reading' && isBusy(index);
  return (
    <>
      <span className={statusStyles.item}>
        <Library aria-hidden="true" size={14} strokeWidth={1.75} />
        {counted(facets.where.all, 'session')}, {formatBytes(facets.bytes)}
      </span>
      <span className={statusStyles.item}>
        {index.kind === 'failed' ? <TriangleAlert aria-hidden="true" size={14} strokeWidth={1.75} /> : null}
        {indexWords(index)}
      </span>
      {isReading ? (
        <progress className={styles.progress} aria-label="Sessions read" max={index.total} value={index.done} />
      ) : null}
      <button
        type="button"
        className={`${statusStyles.button} ${styles.link}`}
        onClick={() => (isBusy(index) ? stopIndexing() : void refresh())}
      >
        {isBusy(index) ? 'Stop' : 'Look again'}
      </button>
      <VaultStatus />
      <span className={statusStyles.gap} />
      <span className={statusStyles.item}>sources are never changed</span>
    </>
  );
}
