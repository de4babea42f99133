import { createStore } from 'zustand/vanilla';
import type { LibraryPlaces } from '../../src-shared/library/view.ts';
import type { VaultOverview, VaultState } from '../../src-shared/vault/view.ts';
import { onPush, request } from '../bridge.ts';
import { failureWords, type Problem } from '../state/problem.ts';

export type VaultView = {
  readonly open: 'vault' | 'places' | undefined;
  /** Undefined before main has answered. */
  readonly overview: VaultOverview | undefined;
  readonly places: LibraryPlaces | undefined;
  readonly state: VaultState;
  /** Why the last wish was not done. */
  readonly problem: Problem | undefined;
};

export const emptyVault: VaultView = {
  open: undefined,
  overview: undefined,
  places: undefined,
  state: { kind: 'idle' },
  problem: undefined,
};

export const vaultStore = createStore<VaultView>(() => emptyVault);

/** Does what main is asked for, and says why when it was not done. */
async function wish(task: () => Promise<unknown>): Promise<void> {
  try {
    vaultStore.setState({ problem: undefined });
    await task();
  } catch (error) {
    vaultStore.setState({ problem: failureWords(error) });
  }
}

export async function loadVault(): Promise<void> {
  try {
    const overview = await request('vault.overview', undefined);
    vaultStore.setState({ overview, state: overview.state });
  } catch (error) {
    vaultStore.setState({ problem: failureWords(error) });
  }
}

/** Only the last question's answer counts: an earlier one may be slower, and does not know of what was changed since. */
let asked = 0;

async function loadPlaces(): Promise<void> {
  const mine = ++asked;
  const places = await request('library.places', undefined);
  if (mine === asked) vaultStore.setState({ places });
}

/** Shows at once what was changed; files are counted meanwhile. */
async function changePlaces(change: (places: LibraryPlaces) => LibraryPlaces): Promise<void> {
  vaultStore.setState(({ places }) => (places === undefined ? {} : { places: change(places) }));
  await loadPlaces();
}

export function showVault(): void {
  vaultStore.setState({ open: 'vault', problem: undefined });
  void loadVault();
}

export function showPlaces(): void {
  vaultStore.setState({ open: 'places', problem: undefined });
  void wish(loadPlaces);
}

export const closeVault = (): void => vaultStore.setState({ open: undefined });

async function chosenFolder(from?: string): Promise<string | undefined> {
  const { path } = await request('folder.choose', from === undefined ? {} : { from });
  return path;
}

/** Asks for a folder and makes it the vault. */
export const chooseVault = (): Promise<void> =>
  wish(async () => {
    const folder = await chosenFolder(vaultStore.getState().overview?.folder);
    if (folder === undefined) return;
    await request('vault.choose', { folder });
    await loadVault();
  });

export const leaveVault = (): Promise<void> =>
  wish(async () => {
    await request('vault.leave', undefined);
    await loadVault();
  });

export const keepUpToDate = (whileRunning: boolean): Promise<void> =>
  wish(async () => {
    await request('vault.set', { whileRunning });
    await loadVault();
  });

export const runVault = (): Promise<void> => wish(() => request('vault.run', undefined));
export const verifyVault = (): Promise<void> => wish(() => request('vault.verify', undefined));
export const stopVault = (): Promise<void> => wish(() => request('vault.stop', undefined));

/** Restores a session that only the vault has: to where it was, or into a folder that is asked for. */
export const restoreRow = (id: number, where: 'back' | 'folder'): Promise<void> =>
  wish(async () => {
    if (where === 'back') {
      await request('vault.restore', { id });
      return;
    }
    const to = await chosenFolder();
    if (to !== undefined) await request('vault.restore', { id, to });
  });

export const addPlace = (): Promise<void> =>
  wish(async () => {
    const folder = await chosenFolder();
    if (folder === undefined) return;
    await request('library.set-folder', { folder, on: true });
    await changePlaces((places) => ({
      ...places,
      added: [...places.added.filter((place) => place.folder !== folder), { folder, there: true }],
    }));
  });

export const removePlace = (folder: string): Promise<void> =>
  wish(async () => {
    await request('library.set-folder', { folder, on: false });
    await changePlaces((places) => ({ ...places, added: places.added.filter((place) => place.folder !== folder) }));
  });

export const setProgram = (format: string, on: boolean): Promise<void> =>
  wish(async () => {
    await request('library.set-program', { format, on });
    await changePlaces((places) => ({
      ...places,
      programs: places.programs.map((program) => (program.format === format ? { ...program, on } : program)),
    }));
  });

export const isAtWork = (state: VaultState): boolean => state.kind !== 'idle';

/** Follows what the vault does. */
export function startVaultStore(): () => void {
  return onPush('vault.changed', ({ state }) => {
    vaultStore.setState({ state });
    if (state.kind === 'idle' && vaultStore.getState().overview !== undefined) void loadVault();
  });
}
