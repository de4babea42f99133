import { z } from 'zod';
import { VaultOverview, VaultState } from './view.ts';

const none = z.undefined();
const nothing = z.void();
const folder = z.string().min(1).max(4_000);

/** Requests about the vault of transcripts. Work goes on by itself; `vault.changed` tells how far it has come. */
export const vaultRequests = {
  'vault.overview': { input: none, output: VaultOverview },
  /** Makes a vault in a folder, or takes the one that is there, and remembers it. */
  'vault.choose': { input: z.object({ folder }), output: nothing },
  /** Forgets the folder. Nothing in it is touched. */
  'vault.leave': { input: none, output: nothing },
  /** Whether it is kept up to date while the app runs. */
  'vault.set': { input: z.object({ whileRunning: z.boolean() }), output: nothing },
  'vault.run': { input: none, output: nothing },
  'vault.verify': { input: none, output: nothing },
  /** Restores a session of the library, named by the index's number, into a folder or to where it was copied from. */
  'vault.restore': { input: z.object({ id: z.number().int().positive(), to: folder.optional() }), output: nothing },
  /** Stops what goes on. What was done stays. */
  'vault.stop': { input: none, output: nothing },
} as const;

export const vaultPushes = {
  'vault.changed': z.object({ state: VaultState }),
} as const;
