import { Archive, FolderOpen, Undo2 } from 'lucide-react';
import { useStore } from 'zustand';
import type { LibraryRow } from '../../src-shared/library/view.ts';
import { Button } from '../widgets/Button.tsx';
import styles from './Vault.module.css';
import { isAtWork, restoreRow, vaultStore } from './vault-store.ts';
import { stateWords } from './words.ts';

/** For a session that only the vault has: says so, and brings it back. */
export function VaultRestore({ row }: { readonly row: LibraryRow }) {
  const { state, problem } = useStore(vaultStore);
  const outcome = state.kind === 'idle' && state.outcome?.work === 'restore' ? state.outcome : undefined;
  const words =
    problem?.message ?? (isAtWork(state) ? stateWords(state) : (outcome?.first[0]?.message ?? outcome?.message));
  return (
    <section className={styles.restore} aria-label="In the vault">
      <p className={styles.restoreNote}>
        <Archive aria-hidden="true" size={14} strokeWidth={1.75} />
        Its own file is gone. This is the copy in the vault.
      </p>
      <div className={styles.buttons}>
        <Button icon={Undo2} disabled={isAtWork(state)} onClick={() => void restoreRow(row.id, 'back')}>
          Put it back
        </Button>
        <Button icon={FolderOpen} disabled={isAtWork(state)} onClick={() => void restoreRow(row.id, 'folder')}>
          Restore to a folder…
        </Button>
      </div>
      {words === undefined ? null : (
        <p className={styles.note} role="status">
          {words}
        </p>
      )}
    </section>
  );
}
