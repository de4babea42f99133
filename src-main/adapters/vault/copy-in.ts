import { copyFile, type FileHandle, link, lstat, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FileRecord, ManifestLine, OlderRecord } from '../../core/vault/manifest.ts';
import { type Content, olderPath, type Planned, placing } from '../../core/vault/plan.ts';
import { diskTrouble } from '../storage/disk-trouble.ts';
import { ContentHash, chunksOf, contentOf, openFile } from './content.ts';
import { type OwnFolders, syncFolder } from './folders.ts';
import { codeOf, FileTrouble, inVault } from './trouble.ts';

export const PARTS = 'gantry-parts';
/** So often a file is read that changes meanwhile. */
const MOST_TRIES = 3;

export type CopyDeps = {
  /** The vault's folder by its real path. */
  readonly root: string;
  readonly folders: OwnFolders;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly onBytes: (bytes: number) => void;
  /** Puts lines into the manifest, on the disk before it settles where `safe` is set. */
  readonly record: (line: ManifestLine, safe?: 'safe') => Promise<void>;
};

type Read = {
  readonly content: Content;
  readonly beginning: string | undefined;
  readonly sourceBytes: number;
  readonly mtimeMs: number;
};

/**
 * Brings one file into the vault. Its place holds the copy before or the new one at any moment, whole; a content that was
 * there and is not the beginning of the new one is kept under its hash first.
 * @param known what the manifest says of its place.
 * @returns false where the source has gone meanwhile: there is nothing to copy
 * @throws FileTrouble what is wrong with this file, FailureError when the vault cannot be written, the signal's reason
 */
export async function copyIn(file: Planned, known: FileRecord | undefined, deps: CopyDeps): Promise<boolean> {
  const { root, record } = deps;
  const target = join(root, ...file.path.split('/'));
  const part = join(root, PARTS, 'copy.part');
  await inVault(deps, () => deps.folders.ensure(file.path.split('/').slice(0, -1).join('/')));
  const believed = file.why === 'bad' ? undefined : known;
  const there = await inVault(deps, () => thereNow(target, believed, deps.signal));
  try {
    const read = await readQuietly(file, part, there?.bytes, deps);
    if (read === undefined) return false;
    await inVault(deps, () => place({ file, known, there, read, target, part }, deps));
    const { content, sourceBytes, mtimeMs } = read;
    await record({ kind: 'file', path: file.path, from: file.from, ...content, sourceBytes, mtimeMs, at: deps.now() });
    return true;
  } finally {
    await rm(part, { force: true }).catch(() => undefined);
  }
}

/** What lies at the place. Its hash is believed where size and time are those of the copy that was made. */
async function thereNow(
  target: string,
  known: FileRecord | undefined,
  signal: AbortSignal,
): Promise<Content | undefined> {
  const found = await lstat(target).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (found === undefined) return undefined;
  if (!found.isFile()) throw new FileTrouble('has no place in the vault: something that is no file stands there');
  const isAsMade = known?.bytes === found.size && Math.abs(known.mtimeMs - found.mtimeMs) < 2_000;
  if (known !== undefined && isAsMade) return { bytes: known.bytes, sha256: known.sha256 };
  return contentOf(target, signal);
}

/** Reads a file that may be written meanwhile, into the part. Undefined where it has gone. */
async function readQuietly(
  file: Planned,
  part: string,
  beginningAt: number | undefined,
  deps: CopyDeps,
): Promise<Read | undefined> {
  for (let tries = 1; ; tries++) {
    const handle = await opened(file.from);
    if (handle === undefined) return undefined;
    try {
      const read = await readOnce(handle, { file, part, beginningAt }, deps);
      if (read !== 'changed') return read;
      if (tries === MOST_TRIES) throw new FileTrouble('kept changing while it was copied');
    } finally {
      await handle.close();
    }
  }
}

async function opened(path: string): Promise<FileHandle | undefined> {
  try {
    return await openFile(path);
  } catch (cause) {
    if (cause instanceof FileTrouble) throw cause;
    if (codeOf(cause) === 'ENOENT') return undefined;
    throw new FileTrouble(codeOf(cause) === 'ELOOP' ? 'is a link' : `cannot be read: ${diskTrouble(cause)}`, { cause });
  }
}

type Reading = { readonly file: Planned; readonly part: string; readonly beginningAt: number | undefined };

async function readOnce(
  source: FileHandle,
  { file, part, beginningAt }: Reading,
  deps: CopyDeps,
): Promise<Read | 'changed'> {
  const { signal, onBytes } = deps;
  const before = await source.stat();
  const hash = new ContentHash(beginningAt);
  const into = await inVault(deps, () => open(part, 'w', 0o600));
  try {
    for await (const chunk of readable(chunksOf(source, before.size, signal), signal)) {
      hash.take(chunk);
      await inVault(deps, () => into.writeFile(chunk));
      onBytes(chunk.length);
    }
    const after = await source.stat();
    const isQuiet = after.size === before.size && after.mtimeMs === before.mtimeMs;
    const whole = hash.whole();
    const hasGrown = after.size > before.size && whole.bytes === before.size && file.path.endsWith('.jsonl');
    if (!hasGrown && (!isQuiet || whole.bytes !== before.size)) return 'changed';
    // What is appended meanwhile is for the next run; its first half may stand at the end already.
    const content = isQuiet ? whole : hash.lines();
    await inVault(deps, async () => {
      if (content.bytes < whole.bytes) await into.truncate(content.bytes);
      await into.utimes(before.atime, before.mtime);
      await into.sync();
    });
    const beginning = content.bytes < (beginningAt ?? 0) ? undefined : hash.beginning;
    return { content, beginning, sourceBytes: before.size, mtimeMs: before.mtimeMs };
  } finally {
    await into.close();
  }
}

/** Tells a source that cannot be read from a vault that cannot be written. */
async function* readable(chunks: AsyncGenerator<Buffer>, signal: AbortSignal): AsyncGenerator<Buffer> {
  const failed = (cause: unknown): never => {
    signal.throwIfAborted();
    throw new FileTrouble(`cannot be read: ${diskTrouble(cause)}`, { cause });
  };
  for (;;) {
    const next = await chunks.next().catch(failed);
    if (next.done === true) return;
    yield next.value;
  }
}

type Placement = {
  readonly file: Planned;
  readonly known: FileRecord | undefined;
  readonly there: Content | undefined;
  readonly read: Read;
  readonly target: string;
  readonly part: string;
};

async function place({ file, known, there, read, target, part }: Placement, deps: CopyDeps): Promise<void> {
  const written = await contentOf(part, deps.signal);
  if (written.sha256 !== read.content.sha256) {
    throw new FileTrouble('was not copied: the vault’s disk does not give back what was written to it');
  }
  const step = placing(there, read.content, read.beginning, known !== undefined);
  if (step === 'same') return;
  if (step === 'in-the-way') {
    throw new FileTrouble(`was not copied: ${target} is no file of the vault. Move it away, or choose another folder.`);
  }
  if (step === 'keep-older' && there !== undefined) {
    await keepOlder(
      file.path,
      { there, target, mtimeMs: known?.sha256 === there.sha256 ? known.mtimeMs : undefined },
      deps,
    );
  }
  await rename(part, target);
  await syncFolder(dirname(target));
}

/** Gives what is there a second name under its hash, so that it is not lost with the first one. */
async function keepOlder(
  path: string,
  {
    there,
    target,
    mtimeMs,
  }: { readonly there: Content; readonly target: string; readonly mtimeMs: number | undefined },
  { root, folders, record, now, signal }: CopyDeps,
): Promise<void> {
  const kept = olderPath(there, path);
  const place = join(root, ...kept.split('/'));
  const folder = await folders.ensure(kept.split('/').slice(0, -1).join('/'));
  const isKept = (await contentOf(place, signal).catch(() => undefined))?.sha256 === there.sha256;
  if (!isKept) {
    await rm(place, { force: true });
    await link(target, place).catch(async () => {
      // FAT has no links.
      await copyFile(target, place);
      const handle = await open(place, 'r+');
      await handle.sync().finally(() => handle.close());
    });
    await syncFolder(folder);
  }
  const line: OlderRecord = {
    kind: 'older',
    path,
    kept,
    ...there,
    at: now(),
    ...(mtimeMs === undefined ? {} : { mtimeMs }),
  };
  await record(line, 'safe');
}
