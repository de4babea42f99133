import type { VaultProgram, VaultStatus } from '../../../src-shared/vault/view.ts';
import type { FileRecord, Manifest } from '../../core/vault/manifest.ts';
import { placesFor } from '../../core/vault/places.ts';
import { plan } from '../../core/vault/plan.ts';
import { sessionIn } from '../../core/vault/session-files.ts';
import { listSources, present } from './list-source.ts';
import { readManifest } from './manifest-file.ts';
import { withEach } from './pool.ts';
import { checkedFolder, sizesOf, type VaultOptions } from './run-vault.ts';

/** What the vault covers, and what is waiting. Opens no transcript and writes nothing. @throws FailureError */
export async function vaultStatus(options: Omit<VaultOptions, 'onProgress'>): Promise<VaultStatus> {
  const { sources, now, signal } = options;
  const root = await checkedFolder(options);
  const manifest = await readManifest(root);
  const { folders, databases } = await present(sources);
  const { files: listed, leftOut } = await listSources(placesFor(folders, manifest.sources), signal);
  const sizes = await sizesOf(root, manifest, signal);
  const { copy, gone } = plan({ listed, manifest, copyBytes: (path) => sizes.get(path), now: now(), calm: false });
  const older = [...manifest.older.values()];
  const programs = programsOf([...manifest.files.values()]);
  return {
    programs,
    sessions: sum(programs, ({ sessions }) => sessions),
    files: manifest.files.size,
    bytes: sum(programs, ({ bytes }) => bytes),
    older: { files: older.length, bytes: sum(older, ({ bytes }) => bytes) },
    gone: gone.filter((path) => sessionIn(path) !== undefined && sizes.has(path)).length,
    waiting: { files: copy.length, bytes: sum(copy, ({ bytes }) => bytes) },
    leftOut: [...databases, ...leftOut],
    ...(manifest.lastRun === undefined ? {} : { lastRun: manifest.lastRun }),
  };
}

function programsOf(files: readonly FileRecord[]): VaultProgram[] {
  const programs = new Map<string, VaultProgram>();
  for (const { path, bytes } of files) {
    const program = path.slice(0, path.indexOf('/'));
    const before = programs.get(program) ?? { program, sessions: 0, files: 0, bytes: 0 };
    programs.set(program, {
      program,
      sessions: before.sessions + (sessionIn(path) === undefined ? 0 : 1),
      files: before.files + 1,
      bytes: before.bytes + bytes,
    });
  }
  return [...programs.values()].sort((a, b) => b.bytes - a.bytes);
}

const sum = <T>(all: readonly T[], of: (one: T) => number): number => all.reduce((total, one) => total + of(one), 0);

/** Sessions of which only the vault has the file, with the size and time it had. Nothing where there is no vault. */
export async function onlyInVault(
  root: string,
  isThere: (path: string) => Promise<boolean>,
  signal: AbortSignal,
): Promise<readonly { readonly path: string; readonly record: FileRecord }[]> {
  let manifest: Manifest;
  try {
    manifest = await readManifest(root);
  } catch {
    return [];
  }
  const mains = [...manifest.files.values()].filter(({ path }) => sessionIn(path) !== undefined);
  const found: { path: string; record: FileRecord }[] = [];
  await withEach(mains, signal, async (record) => {
    if (!(await isThere(record.from))) found.push({ path: record.path, record });
  });
  return found;
}
