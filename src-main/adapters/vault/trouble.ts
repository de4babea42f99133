import { FailureError } from '../../../src-shared/failure.ts';
import { diskTrouble } from '../storage/disk-trouble.ts';

/** Something is wrong with one file; the others are copied all the same. */
export class FileTrouble extends Error {
  override readonly name = 'FileTrouble';
}

export const codeOf = (cause: unknown): unknown =>
  typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;

/** Faults of a name or of what stands in its place: another file may do well. */
const OF_ONE_FILE = new Set(['ENAMETOOLONG', 'EINVAL', 'EISDIR', 'ENOTDIR', 'EEXIST', 'EILSEQ', 'ENOTEMPTY', 'EFBIG']);

export type VaultPlace = { readonly root: string; readonly signal: AbortSignal };

/**
 * A step in the vault itself.
 * @throws FileTrouble or, where nothing more can be written, FailureError; the signal's reason when it is aborted
 */
export async function inVault<T>({ root: folder, signal }: VaultPlace, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof FileTrouble || cause instanceof FailureError) throw cause;
    if (OF_ONE_FILE.has(String(codeOf(cause))))
      throw new FileTrouble(`has no place in the vault: ${diskTrouble(cause)}`);
    throw vaultDown(folder, cause);
  }
}

/** The vault cannot be used any more. */
export const vaultDown = (folder: string, cause: unknown): FailureError =>
  new FailureError(
    {
      kind: 'not-writable',
      message: `The vault in ${folder} cannot be written: ${vaultTrouble(cause)}.`,
      hint: 'What was copied before is safe. Run it again when the folder can be written.',
    },
    { cause },
  );

const vaultTrouble = (cause: unknown): string => {
  const code = codeOf(cause);
  if (code === 'ENOENT') return 'its folder has gone';
  return code === 'EIO' || code === 'ENODEV' || code === 'ENXIO' ? 'the disk does not answer' : diskTrouble(cause);
};

/** There is no vault where one should be. */
export const noVault = (folder: string, why: string): FailureError =>
  new FailureError({
    kind: 'not-found',
    message: `There is no vault in ${folder}: ${why}.`,
    hint: 'Is the disk connected? A new vault is made when you choose the folder, or with `gantry vault run --new`.',
  });
