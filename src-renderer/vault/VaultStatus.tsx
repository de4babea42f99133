import { Archive } from 'lucide-react';
import { useStore } from 'zustand';
import statusStyles from '../shell/StatusBar.module.css';
import { isAtWork, showVault, vaultStore } from './vault-store.ts';
import { stateWords } from './words.ts';

/** In the bottom line: what the vault is doing. Nothing while it rests. */
export function VaultStatus() {
  const state = useStore(vaultStore, (view) => view.state);
  if (!isAtWork(state)) return null;
  return (
    <button type="button" className={statusStyles.button} onClick={showVault}>
      <Archive aria-hidden="true" size={14} strokeWidth={1.75} />
      Vault: {stateWords(state)}
    </button>
  );
}
