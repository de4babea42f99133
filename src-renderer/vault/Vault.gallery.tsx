import { useEffect } from 'react';
import type { GalleryPage } from '../gallery/page.ts';
import { sampleRow } from '../library/samples.ts';
import { sampleVault } from './samples.ts';
import { VaultRestore } from './VaultRestore.tsx';
import { VaultStatus } from './VaultStatus.tsx';
import { emptyVault, type VaultView, vaultStore } from './vault-store.ts';

/** One store for the page: each state is shown with what it puts there, the last one stays. */
function With({ view, children }: { readonly view: Partial<VaultView>; readonly children: React.ReactNode }) {
  useEffect(() => vaultStore.setState({ ...emptyVault, overview: sampleVault, ...view }), [view]);
  return <div style={{ width: 332 }}>{children}</div>;
}

const BUSY: Partial<VaultView> = {
  state: { kind: 'busy', work: 'run', files: 312, ofFiles: 9_312, bytes: 61_000_000, ofBytes: 1_900_000_000 },
};

export const gallery: GalleryPage = [
  {
    title: 'A session that only the vault has, while the vault is at work',
    height: 220,
    show: () => (
      <With view={BUSY}>
        <VaultRestore row={sampleRow(1, { inVault: true })} />
        <VaultStatus />
      </With>
    ),
  },
];
