import { randomBytes } from 'node:crypto';
import { link, lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { FailureError } from '../../../src-shared/failure.ts';
import type { VaultProblem } from '../../../src-shared/vault/view.ts';
import type { Manifest } from '../../core/vault/manifest.ts';
import { isWithin, placesFor, type Source } from '../../core/vault/places.ts';
import type { Content } from '../../core/vault/plan.ts';
import { filesOfSession, filesWith } from '../../core/vault/session-files.ts';
import { diskTrouble } from '../storage/disk-trouble.ts';
import { ContentHash, chunksOf, contentOf, openFile } from './content.ts';
import { realPath, syncFolder, vaultFolder } from './folders.ts';
import { readManifest } from './manifest-file.ts';
import type { VaultOptions } from './run-vault.ts';
import { codeOf, FileTrouble } from './trouble.ts';

/** Which files: all, those of a session by its id, or those of the session whose own file has this path in the vault. */
export type Which =
  | { readonly kind: 'all' }
  | { readonly kind: 'session'; readonly id: string }
  | { readonly kind: 'main'; readonly path: string };

export type RestoreOptions = VaultOptions & {
  readonly which: Which;
  /** A folder to restore into; undefined: to where each file was copied from. */
  readonly to: string | undefined;
  /** Older versions too, beside the last one. Only with `to`. */
  readonly older: boolean;
};

export type RestoreResult = {
  readonly files: number;
  readonly bytes: number;
  /** Files that are there already, with the same content. */
  readonly same: number;
  readonly problems: readonly VaultProblem[];
};

type Entry = Content & {
  readonly path: string;
  readonly target: string | undefined;
  readonly mtimeMs: number | undefined;
};

/**
 * Copies files out of the vault, each checked against its hash. Nothing that is there is ever replaced.
 * @throws FailureError when there is no vault or no such session, the signal's reason
 */
export async function restoreVault(options: RestoreOptions): Promise<RestoreResult> {
  const root = await vaultFolder(options.folder);
  const manifest = await readManifest(root);
  const paths = chosen(manifest, options.which);
  if (options.to !== undefined && isWithin(await realPath(options.to), root)) {
    throw new FailureError({
      kind: 'bad-input',
      message: `${options.to} lies in the vault.`,
      hint: 'Choose another folder.',
    });
  }
  const entries = entriesOf(manifest, paths, options);
  const ofBytes = entries.reduce((sum, { bytes }) => sum + bytes, 0);
  const at = { files: 0, bytes: 0 };
  const tell = (bytes = 0): void => {
    at.bytes += bytes;
    options.onProgress({ ...at, ofFiles: entries.length, ofBytes });
  };
  const result = { files: 0, bytes: 0, same: 0, problems: [] as VaultProblem[] };
  for (const entry of entries) {
    options.signal.throwIfAborted();
    try {
      const isNew = await bringBack(root, entry, options.signal, tell);
      if (isNew) {
        result.files++;
        result.bytes += entry.bytes;
      } else result.same++;
    } catch (error) {
      if (!(error instanceof FileTrouble)) throw error;
      const name = entry.target ?? join(root, entry.path);
      result.problems.push({ path: name, message: `${name} ${error.message}.` });
    }
    at.files++;
    tell();
  }
  return result;
}

function chosen({ files }: Manifest, which: Which): readonly string[] {
  const all = [...files.keys()];
  if (which.kind === 'all') return all;
  const found = which.kind === 'session' ? filesOfSession(all, which.id) : filesWith(all, which.path);
  if (found.length > 0) return found;
  throw new FailureError({
    kind: 'not-found',
    message:
      which.kind === 'session' ? `The vault has no session ${which.id}.` : 'The vault has no copy of this session.',
  });
}

function entriesOf(
  manifest: Manifest,
  paths: readonly string[],
  { to, sources, older }: RestoreOptions,
): readonly Entry[] {
  const entries: Entry[] = [];
  for (const path of paths) {
    const record = manifest.files.get(path);
    if (record === undefined) continue;
    const target = to === undefined ? originalOf(path, manifest, sources) : join(to, ...path.split('/'));
    entries.push({ ...record, target });
  }
  if (!older || to === undefined) return entries;
  const wanted = new Set(paths);
  for (const { path, kept, bytes, sha256, mtimeMs } of manifest.older.values()) {
    if (!wanted.has(path)) continue;
    const place = join(to, ...path.split('/'));
    const extension = extname(place);
    const name = `${basename(place, extension)}.${sha256.slice(0, 12)}${extension}`;
    entries.push({ path: kept, bytes, sha256, mtimeMs, target: join(dirname(place), name) });
  }
  return entries;
}

/**
 * Where a file was copied from, if that lies in a folder which is still copied. What a manifest says is not enough: somebody
 * else may have written it, and would have files laid anywhere.
 */
function originalOf(path: string, manifest: Manifest, sources: readonly Source[]): string | undefined {
  const place = placesFor(sources, manifest.sources).find(({ folder }) => path.startsWith(`${folder}/`));
  return place === undefined ? undefined : join(place.path, ...path.slice(place.folder.length + 1).split('/'));
}

/** @returns false where the same content is there already. @throws FileTrouble */
async function bringBack(
  root: string,
  entry: Entry,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<boolean> {
  const { target } = entry;
  if (target === undefined)
    throw new FileTrouble('was copied from a folder that Gantry does not copy now: choose a folder to restore to');
  try {
    if (await isThere(target, entry, signal)) return false;
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const beside = join(dirname(target), `.gantry-${randomBytes(6).toString('hex')}.part`);
    try {
      await copyOut(join(root, ...entry.path.split('/')), beside, entry, { signal, onBytes });
      await nameOnce(beside, target);
      await syncFolder(dirname(target));
    } finally {
      await rm(beside, { force: true }).catch(() => undefined);
    }
    return true;
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof FileTrouble) throw cause;
    throw new FileTrouble(`cannot be restored: ${diskTrouble(cause)}`, { cause });
  }
}

async function isThere(target: string, { bytes, sha256 }: Content, signal: AbortSignal): Promise<boolean> {
  const found = await lstat(target).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (found === undefined) return false;
  const isSame = found.isFile() && found.size === bytes && (await contentOf(target, signal)).sha256 === sha256;
  if (isSame) return true;
  throw new FileTrouble('is there already with other content, and was left as it is');
}

async function copyOut(
  from: string,
  beside: string,
  { bytes, sha256, mtimeMs }: Entry,
  { signal, onBytes }: { readonly signal: AbortSignal; readonly onBytes: (bytes: number) => void },
): Promise<void> {
  const source = await openFile(from).catch((cause: unknown) => {
    throw new FileTrouble(
      codeOf(cause) === 'ENOENT' ? 'is missing in the vault' : `cannot be read in the vault: ${diskTrouble(cause)}`,
    );
  });
  try {
    const into = await open(beside, 'wx', 0o600);
    try {
      const hash = new ContentHash();
      for await (const chunk of chunksOf(source, Number.MAX_SAFE_INTEGER, signal)) {
        hash.take(chunk);
        await into.writeFile(chunk);
        onBytes(chunk.length);
      }
      const content = hash.whole();
      if (content.bytes !== bytes || content.sha256 !== sha256) {
        throw new FileTrouble('was not restored: the copy in the vault is not what was copied');
      }
      if (mtimeMs !== undefined) await into.utimes(mtimeMs / 1000, mtimeMs / 1000);
      await into.sync();
    } finally {
      await into.close();
    }
  } finally {
    await source.close();
  }
}

/** Unlike a rename a link does not replace what somebody has put there meanwhile. */
async function nameOnce(beside: string, target: string): Promise<void> {
  try {
    await link(beside, target);
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST') throw new FileTrouble('is there already with other content, and was left as it is');
    if ((await lstat(target).catch(() => undefined)) !== undefined) throw new FileTrouble('is there already');
    // FAT has no links.
    await rename(beside, target);
  }
}
