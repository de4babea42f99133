import { FolderOpen } from 'lucide-react';
import { useStore } from 'zustand';
import { request } from '../bridge.ts';
import { appStore } from '../state/app-store.ts';
import { shortPath, tildePath } from '../state/format.ts';
import { failureWords } from '../state/problem.ts';
import { announce } from '../state/view-store.ts';
import { Button } from '../widgets/Button.tsx';
import { Field } from './Field.tsx';
import { changeForm, formStore } from './form-store.ts';
import styles from './ModelDialog.module.css';

/** So many folders are proposed as buttons. */
const SHOWN = 4;

/** Where the session works: typed, chosen in the system's dialog, or one of those used lately. */
export function FolderField({ problem }: { readonly problem: string | undefined }) {
  const { form, folders } = useStore(formStore);
  const home = useStore(appStore, (app) => app.info?.home);
  const others = folders.filter((folder) => folder !== form.folder).slice(0, SHOWN);
  const choose = async (): Promise<void> => {
    try {
      const { path } = await request('folder.choose', { from: form.folder });
      if (path !== undefined) changeForm({ folder: path });
    } catch (error) {
      announce(failureWords(error).message);
    }
  };
  return (
    <Field label="Folder" problem={problem} hint="The agent reads and changes files here.">
      {(ids) => (
        <>
          <div className={styles.line}>
            <input
              {...ids}
              type="text"
              className={styles.input}
              value={form.folder}
              spellCheck={false}
              placeholder="~/work/shop"
              data-autofocus
              onChange={(event) => changeForm({ folder: event.target.value })}
            />
            <Button icon={FolderOpen} onClick={() => void choose()}>
              Choose…
            </Button>
          </div>
          {others.length === 0 ? null : (
            <ul className={styles.chips} aria-label="Folders used lately">
              {others.map((folder) => (
                <li key={folder}>
                  <button type="button" className={styles.chip} title={folder} onClick={() => changeForm({ folder })}>
                    {shortPath(tildePath(folder, home), 32)}
                  </button>
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </Field>
  );
}
