import type { VaultOutcome, VaultStatus } from '../../src-shared/vault/view.ts';

export type VaultProgress = {
  readonly files: number;
  readonly ofFiles: number;
  readonly bytes: number;
  readonly ofBytes: number;
};

/** Which files are restored: of the session whose own file this is, by its place in the vault or in its source. */
export type VaultRestore = {
  readonly path: string;
  /** A folder; where it is absent, to where each was copied from. */
  readonly to?: string;
};

export type VaultWatch = { readonly onProgress: (progress: VaultProgress) => void; readonly signal: AbortSignal };

/**
 * Keeps copies of transcripts in a folder. Every answer may fail with a `FailureError`; work that is stopped settles with
 * what it came to.
 */
export interface VaultKeeper {
  /** Makes a vault in a folder that is there, unless it has one. */
  start(folder: string): Promise<void>;
  status(folder: string): Promise<VaultStatus>;
  /** `calm`: nobody has asked for it, and files that are being written are left for later. */
  run(folder: string, calm: boolean, watch: VaultWatch): Promise<VaultOutcome>;
  verify(folder: string, watch: VaultWatch): Promise<VaultOutcome>;
  restore(folder: string, what: VaultRestore, watch: VaultWatch): Promise<VaultOutcome>;
}
