import type { Handlers } from '../../src-shared/ipc/contract.ts';
import type { VaultDesk } from '../app/vault-desk.ts';

type VaultRequest = Extract<keyof Handlers, `vault.${string}`>;

/** Requests about the vault of transcripts. */
export const vaultHandlers = (
  desk: Pick<VaultDesk, 'overview' | 'choose' | 'leave' | 'set' | 'run' | 'verify' | 'restore' | 'stop'>,
): Pick<Handlers, VaultRequest> => ({
  'vault.overview': () => desk.overview(),
  'vault.choose': ({ folder }) => desk.choose(folder),
  'vault.leave': async () => desk.leave(),
  'vault.set': async ({ whileRunning }) => desk.set(whileRunning),
  'vault.run': async () => desk.run(),
  'vault.verify': async () => desk.verify(),
  'vault.restore': ({ id, to }) => desk.restore(id, to),
  'vault.stop': async () => desk.stop(),
});
