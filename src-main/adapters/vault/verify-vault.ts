import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { VaultProblem } from '../../../src-shared/vault/view.ts';
import type { Content } from '../../core/vault/plan.ts';
import { diskTrouble } from '../storage/disk-trouble.ts';
import { contentOf } from './content.ts';
import { vaultFolder } from './folders.ts';
import { lockVault } from './lock.ts';
import { ManifestFile, readManifest } from './manifest-file.ts';
import type { VaultOptions } from './run-vault.ts';
import { codeOf } from './trouble.ts';

export type VerifyResult = {
  readonly files: number;
  readonly bytes: number;
  readonly problems: readonly VaultProblem[];
  /** Lines of the manifest that cannot be read. What they told of is found again by a run. */
  readonly unreadable: number;
};

type Entry = Content & { readonly path: string; readonly isOlder: boolean };

/**
 * Reads every copy and every older version whole and compares it with its hash. What is not as it should be is noted, so
 * that the next run copies it again.
 * @throws FailureError when there is no vault or it is at work, the signal's reason
 */
export async function verifyVault(options: Omit<VaultOptions, 'sources'>): Promise<VerifyResult> {
  const { folder, now, signal, onProgress } = options;
  const root = await vaultFolder(folder);
  const manifest = await readManifest(root);
  const entries: readonly Entry[] = [
    ...[...manifest.files.values()].map((file) => ({ ...file, isOlder: false })),
    ...[...manifest.older.values()].map((older) => ({ ...older, path: older.kept, isOlder: true })),
  ];
  const ofBytes = entries.reduce((sum, { bytes }) => sum + bytes, 0);
  const problems: VaultProblem[] = [];
  const bad: string[] = [];
  let [files, bytes] = [0, 0];
  const tell = (): void => onProgress({ files, ofFiles: entries.length, bytes, ofBytes });
  for (const entry of entries) {
    signal.throwIfAborted();
    const count = (read: number): void => {
      bytes += read;
      tell();
    };
    const wrong = await wrongWith(join(root, ...entry.path.split('/')), entry, signal, count);
    files++;
    tell();
    if (wrong === undefined) continue;
    problems.push({ path: join(root, entry.path), message: `${join(root, entry.path)} ${wrong}.` });
    if (!entry.isOlder) bad.push(entry.path);
  }
  if (bad.length > 0) await note(root, bad, now());
  return { files, bytes, problems, unreadable: manifest.unreadable };
}

async function wrongWith(
  path: string,
  { bytes, sha256 }: Content,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<string | undefined> {
  try {
    const found = await lstat(path);
    if (!found.isFile()) return 'is no file any more';
    const content = await contentOf(path, signal, onBytes);
    return content.bytes === bytes && content.sha256 === sha256 ? undefined : 'is not what was copied';
  } catch (cause) {
    signal.throwIfAborted();
    return codeOf(cause) === 'ENOENT' ? 'is missing' : `cannot be read: ${diskTrouble(cause)}`;
  }
}

/** A vault that cannot be written, a read-only disk, is told of all the same. */
async function note(root: string, bad: readonly string[], at: number): Promise<void> {
  try {
    const release = await lockVault(root, () => undefined);
    const file = await ManifestFile.open(root).catch(async (error: unknown) => {
      await release();
      throw error;
    });
    try {
      for (const path of bad) await file.record({ kind: 'bad', path, at });
      await file.finish();
    } finally {
      await file.close();
      await release();
    }
  } catch {
    // The next check finds it again.
  }
}
