import { FolderPlus, TriangleAlert, X } from 'lucide-react';
import { useStore } from 'zustand';
import type { LibraryPlaces } from '../../src-shared/library/view.ts';
import { formatName } from '../sessions/groups.ts';
import { appStore } from '../state/app-store.ts';
import { counted, tildePath } from '../state/format.ts';
import { Button } from '../widgets/Button.tsx';
import { DialogFailure, DialogFooter, DialogForm, DialogFrame } from '../widgets/DialogFrame.tsx';
import { IconButton } from '../widgets/IconButton.tsx';
import styles from './Vault.module.css';
import { addPlace, closeVault, removePlace, setProgram, vaultStore } from './vault-store.ts';

/** Where sessions are looked for: programs that may be left out, and folders that were added. */
export function PlacesDialog() {
  const open = useStore(vaultStore, (view) => view.open === 'places');
  const { places, problem } = useStore(vaultStore);
  return (
    <DialogFrame open={open} onClose={closeVault} className={styles.dialog} startsAt="[data-start]">
      {open ? (
        <DialogForm title="Where sessions are looked for" onClose={closeVault}>
          <div className={styles.body} data-start tabIndex={-1}>
            {places === undefined ? <p className={styles.note}>Counting files.</p> : <Places places={places} />}
          </div>
          {problem === undefined ? null : <DialogFailure {...problem} />}
          <DialogFooter>
            <Button icon={FolderPlus} look="primary" onClick={() => void addPlace()}>
              Add a folder…
            </Button>
          </DialogFooter>
        </DialogForm>
      ) : null}
    </DialogFrame>
  );
}

const Places = ({ places }: { readonly places: LibraryPlaces }) => (
  <>
    <Programs places={places} />
    <Added added={places.added} />
    <p className={styles.note}>
      The vault copies what is looked at here, and sessions run in Gantry. What is left out or taken away leaves the
      list; its files stay as they are.
    </p>
  </>
);

function Programs({ places: { otherPrograms, programs } }: { readonly places: LibraryPlaces }) {
  const home = useStore(appStore, (app) => app.info?.home);
  return (
    <section className={styles.part} aria-label="Programs">
      <h3 className={styles.label}>Programs</h3>
      {otherPrograms ? null : (
        <p className={styles.missing}>
          <TriangleAlert aria-hidden="true" size={14} strokeWidth={1.75} />
          Folders of other programs are not looked into: your settings say so.
        </p>
      )}
      {programs.length === 0 ? <p className={styles.note}>No other program has left sessions here.</p> : null}
      <ul className={styles.list}>
        {programs.map(({ format, on, places }) => (
          <li key={format}>
            <label className={styles.check}>
              <input
                type="checkbox"
                checked={on}
                disabled={!otherPrograms}
                onChange={(event) => void setProgram(format, event.target.checked)}
              />
              <span>{formatName(format)}</span>
              <span className={styles.count}>
                {counted(
                  places.reduce((sum, { count = 0 }) => sum + count, 0),
                  'file',
                )}
              </span>
              <span className={styles.note} title={places.map(({ folder }) => folder).join('\n')}>
                {places.map(({ folder }) => tildePath(folder, home)).join(', ')}
              </span>
            </label>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Added({ added }: { readonly added: LibraryPlaces['added'] }) {
  const home = useStore(appStore, (app) => app.info?.home);
  return (
    <section className={styles.part} aria-label="Folders you have added">
      <h3 className={styles.label}>Folders you have added</h3>
      {added.length === 0 ? (
        <p className={styles.note}>None. Add the folder of an export, or of another machine.</p>
      ) : null}
      <ul className={styles.list}>
        {added.map(({ folder, there, count }) => (
          <li key={folder} className={styles.added}>
            <span className={styles.path} title={folder}>
              {tildePath(folder, home)}
            </span>
            {there ? (
              <span className={styles.count}>{count === undefined ? 'counting' : counted(count, 'file')}</span>
            ) : (
              <span className={styles.missing}>
                <TriangleAlert aria-hidden="true" size={14} strokeWidth={1.75} />
                is not there
              </span>
            )}
            <IconButton icon={X} name={`Take ${folder} away`} iconSize={14} onClick={() => void removePlace(folder)} />
          </li>
        ))}
      </ul>
    </section>
  );
}
