import { lstat, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FailureError } from '../../../src-shared/failure.ts';
import type { VaultProblem, VaultRun } from '../../../src-shared/vault/view.ts';
import type { Manifest } from '../../core/vault/manifest.ts';
import { type Placed, placesFor, refusal, type Source } from '../../core/vault/places.ts';
import { type Plan, type Planned, plan } from '../../core/vault/plan.ts';
import { type CopyDeps, copyIn, PARTS } from './copy-in.ts';
import { OwnFolders, realPath, vaultFolder } from './folders.ts';
import { type Listing, listSources, present } from './list-source.ts';
import { lockVault } from './lock.ts';
import { ensureManifest, ManifestFile, makeManifest } from './manifest-file.ts';
import { withEach } from './pool.ts';
import { FileTrouble, noVault } from './trouble.ts';

export type Progress = {
  readonly files: number;
  readonly ofFiles: number;
  readonly bytes: number;
  readonly ofBytes: number;
};

export type VaultOptions = {
  readonly folder: string;
  readonly sources: readonly Source[];
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
};

export type RunOptions = VaultOptions & {
  /** A name for a vault that is made anew; undefined: it has to be there. */
  readonly makeAs: string | undefined;
  /** Nobody has asked for it: files that are being written are left for later. */
  readonly calm: boolean;
};

export type RunResult = {
  readonly run: VaultRun;
  readonly problems: readonly VaultProblem[];
  /** Files left for a later run, because they are being written. */
  readonly resting: number;
  /** Databases, which are not copied. */
  readonly leftOut: readonly string[];
};

/**
 * Copies what is new or has changed into the vault. What was copied before it is stopped, or before something fails, stays.
 * @throws FailureError when there is no vault, it may not be there, is at work, or cannot be written
 */
export async function runVault(options: RunOptions): Promise<RunResult> {
  const { now, signal, makeAs } = options;
  const root = await checkedFolder(options);
  if (makeAs !== undefined) await startVault(root, makeAs, now());
  ensureManifest(root);
  const cut = new AbortController();
  const either = AbortSignal.any([signal, cut.signal]);
  const release = await lockVault(root, (reason) => cut.abort(reason));
  let manifest: ManifestFile | undefined;
  try {
    manifest = await ManifestFile.open(root);
    const result = await runLocked(root, manifest, { ...options, signal: either });
    cut.signal.throwIfAborted();
    return result;
  } finally {
    await manifest?.close();
    await release();
  }
}

/** The vault's folder, if it may be one for these sources. @throws FailureError */
export async function checkedFolder({ folder, sources }: Pick<VaultOptions, 'folder' | 'sources'>): Promise<string> {
  const root = await vaultFolder(folder);
  const real = await Promise.all(sources.map(async ({ path }) => ({ path: await realPath(path) })));
  const why = refusal(root, real);
  if (why === undefined) return root;
  throw new FailureError({ kind: 'bad-input', message: why, hint: 'Choose a folder beside the programs’ own.' });
}

const ABOUT = `This folder is a vault of transcripts, kept by Gantry.

The folders of each program hold copies of its files as they were, under their own names; "older" holds versions that were
replaced, under their SHA-256. gantry-vault.jsonl says of each copy where it came from, its size, its SHA-256 and when it was
made. Nothing else is needed to read any of it. Other files in this folder are never touched.
`;

/** Makes a vault in a folder, unless there is one. @throws FailureError when it cannot be written */
export async function startVault(root: string, id: string, now: number): Promise<void> {
  await makeManifest(root, id, now);
  await writeFile(join(root, 'gantry-vault.txt'), ABOUT, { flag: 'wx', mode: 0o600 }).catch(() => undefined);
}

async function runLocked(root: string, file: ManifestFile, options: RunOptions): Promise<RunResult> {
  const { sources, now, signal, calm } = options;
  const at = now();
  const folders = new OwnFolders(root);
  const { manifest } = file;
  const record: CopyDeps['record'] = (line, safe) => file.record(line, safe);
  const isSame = await sameFolder(root);
  await clearParts(await folders.ensure(PARTS));
  const done = { files: 0, bytes: 0 };
  const problems: VaultProblem[] = [];
  let listing: Listing = { files: [], leftOut: [] };
  let wanted: Plan = { copy: [], resting: 0, gone: [] };
  let stopped = false;
  try {
    const there = await present(sources);
    const placed = placesFor(there.folders, manifest.sources);
    await recordPlaces(placed, file);
    const { files, leftOut } = await listSources(placed, signal);
    listing = { files, leftOut: [...there.databases, ...leftOut] };
    const sizes = await sizesOf(root, manifest, signal);
    wanted = plan({ listed: listing.files, manifest, copyBytes: (path) => sizes.get(path), now: at, calm });
    const tell = progressOf(wanted.copy, options);
    for (const planned of wanted.copy) {
      await isSame();
      const deps = { root, folders, signal, now, record, onBytes: tell.bytes };
      const copied = await oneFile(planned, manifest, deps, problems);
      if (copied) {
        done.files++;
        done.bytes += planned.bytes;
      }
      tell.file();
    }
  } catch (error) {
    if (!options.signal.aborted || error instanceof FailureError) throw error;
    stopped = true;
  }
  const run: VaultRun = { at, endedAt: now(), ...done, problems: problems.length, stopped };
  await file.record({ kind: 'run', ...run });
  await file.finish();
  return { run, problems, resting: wanted.resting, leftOut: listing.leftOut };
}

async function oneFile(
  planned: Planned,
  { files }: Manifest,
  deps: CopyDeps,
  problems: VaultProblem[],
): Promise<boolean> {
  try {
    deps.signal.throwIfAborted();
    return await copyIn(planned, files.get(planned.path), deps);
  } catch (error) {
    if (!(error instanceof FileTrouble)) throw error;
    problems.push({ path: planned.from, message: `${planned.from} ${error.message.replace(/\.$/, '')}.` });
    return false;
  }
}

/** A disk that is unplugged may leave an empty folder in its place, which must not become half a vault. */
async function sameFolder(root: string): Promise<() => Promise<void>> {
  const { dev, ino } = await stat(root);
  return async () => {
    const now = await stat(root).catch(() => undefined);
    if (now?.dev !== dev || now.ino !== ino) throw noVault(root, 'its disk was taken away');
  };
}

async function recordPlaces(placed: readonly Placed[], file: ManifestFile): Promise<void> {
  for (const { folder, program, path } of placed) {
    if (file.manifest.sources.get(folder)?.path === path) continue;
    await file.record({ kind: 'source', folder, program, path });
  }
}

/** What a run that was cut short has left. Only files that a run makes: others are somebody's. */
async function clearParts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name === 'copy.part' || name === 'manifest.part') await rm(join(folder, name), { force: true });
  }
}

/** Sizes of the copies as they lie there, a few at a time. */
export async function sizesOf(root: string, { files }: Manifest, signal: AbortSignal): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  await withEach([...files.keys()], signal, async (path) => {
    const found = await lstat(join(root, ...path.split('/'))).catch(() => undefined);
    if (found?.isFile() === true) sizes.set(path, found.size);
  });
  return sizes;
}

function progressOf(copy: readonly Planned[], { onProgress }: VaultOptions) {
  const ofBytes = copy.reduce((sum, { bytes }) => sum + bytes, 0);
  const at = { files: 0, bytes: 0 };
  const tell = (): void => onProgress({ ...at, bytes: Math.min(at.bytes, ofBytes), ofFiles: copy.length, ofBytes });
  tell();
  return {
    bytes: (bytes: number): void => {
      at.bytes += bytes;
      tell();
    },
    file: (): void => {
      at.files++;
      tell();
    },
  };
}
