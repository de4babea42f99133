import { Library } from 'lucide-react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { formatCount } from '../../src-shared/timeline/words.ts';
import { formatName } from '../sessions/groups.ts';
import { appStore } from '../state/app-store.ts';
import { counted, tildePath } from '../state/format.ts';
import { Button } from '../widgets/Button.tsx';
import styles from './Library.module.css';
import { countFound, libraryStore, type Place, showLibrary } from './library-store.ts';

/** Nobody is to wait for the start page because files are counted. */
const WAIT_MS = 1_500;

/** What other programs have left on this machine, for the start page. Nothing where there is nothing. */
export function FoundHere() {
  const places = useStore(libraryStore, (view) => view.places) ?? [];
  const home = useStore(appStore, (app) => app.info?.home);
  useEffect(() => {
    const timer = setTimeout(() => void countFound(), WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  if (places.length === 0) return null;
  const count = places.reduce((sum, place) => sum + place.count, 0);
  return (
    <div className={styles.foundHere}>
      <div className={styles.foundText}>
        <p>
          Found on this machine: <strong>{counted(count, 'session')}</strong> of {programs(places)}
        </p>
        <p className={styles.note}>
          in{' '}
          {places
            .slice(0, 2)
            .map(({ folder }) => tildePath(folder, home))
            .join(', ')}
          {places.length > 2 ? ` and ${formatCount(places.length - 2)} more` : ''}
        </p>
      </div>
      <Button icon={Library} onClick={showLibrary}>
        Show them
      </Button>
    </div>
  );
}

function programs(places: readonly Place[]): string {
  const names = [...new Set(places.map(({ format }) => formatName(format)))];
  return names.length <= 2 ? names.join(' and ') : `${names[0]} and ${formatCount(names.length - 1)} other programs`;
}
