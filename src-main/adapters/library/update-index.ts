import { lstat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { TranscriptUnreadable } from '../transcripts/importer.ts';
import { openTranscript } from '../transcripts/open-transcript.ts';
import { readHead } from '../transcripts/read-records.ts';
import { IMPORTERS } from '../transcripts/registry.ts';
import { onlyInVault } from '../vault/vault-status.ts';
import { factsOf, notReadYet, type SessionFacts, withoutTexts } from './facts-of.ts';
import { glanceAt } from './glance.ts';
import { type FoundFile, scan } from './scan.ts';
import type { SessionIndex } from './session-index.ts';

/** Larger ones are listed and opened, but not searched: reading one takes seconds and hundreds of MB of memory. */
const MOST_BYTES = 100 * 1024 * 1024;

/** Files that are listed in one step. */
const ANNOUNCED_AT_ONCE = 200;

export type UpdateOptions = {
  readonly folders: readonly string[];
  /** Where sessions are found whose own file is gone. */
  readonly vault?: string | undefined;
  /** Nothing is forgotten because it lies in none of the folders. */
  readonly onlyThere?: boolean;
  readonly signal: AbortSignal;
  /** `total` files have to be read, `done` of them are. */
  readonly onProgress: (done: number, total: number) => void;
};

/**
 * Brings the index up to date: lists new files by what a glance at them tells, then reads files that are new or have another size or time, the newest first, one at a time,
 * and forgets those that are gone. Stopping keeps what was read.
 * @throws the signal's reason when it is aborted
 */
export async function updateIndex(index: SessionIndex, options: UpdateOptions): Promise<void> {
  const known = index.files();
  const there = new Set<string>();
  const changed: FoundFile[] = [];
  const onUnlisted = (database: string): void => {
    // Its sessions are still there, as far as anybody knows.
    for (const path of known.keys()) if (path.startsWith(`${database}#`)) there.add(path);
  };
  for await (const file of filesOf(options, onUnlisted)) {
    there.add(file.path);
    const before = known.get(file.path);
    if (before?.bytes !== file.bytes || before.mtimeMs !== file.mtimeMs) changed.push(file);
  }
  const isLookedAt = (path: string): boolean =>
    options.onlyThere !== true || options.folders.some((folder) => isBelow(path, folder));
  for (const path of known.keys()) if (!there.has(path) && isLookedAt(path)) index.drop(path);
  changed.sort((a, b) => b.mtimeMs - a.mtimeMs);
  const unknown = changed.filter(({ path }) => !known.has(path));
  for (let at = 0; at < unknown.length; at += ANNOUNCED_AT_ONCE) {
    options.signal.throwIfAborted();
    const some = unknown.slice(at, at + ANNOUNCED_AT_ONCE);
    const heads = await Promise.all(some.map(glanceAt));
    index.announce(some.map((file, of) => ({ file, session: notReadYet(file, heads[of] ?? {}).session })));
  }
  for (const [at, file] of changed.entries()) {
    options.onProgress(at, changed.length);
    index.put(file, await read(file, options.signal));
  }
  options.onProgress(changed.length, changed.length);
}

/** Does a path lie below a folder? Both absolute. */
export const isBelow = (path: string, folder: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** What lies in the folders, and what only the vault has. */
async function* filesOf(
  { folders, vault, signal }: UpdateOptions,
  onUnlisted: (database: string) => void,
): AsyncGenerator<FoundFile> {
  const seen = new Set<string>();
  for await (const file of scan(folders, { signal, onUnlisted })) {
    seen.add(file.path);
    yield file;
  }
  if (vault === undefined) return;
  const isThere = async (path: string): Promise<boolean> =>
    seen.has(path) || (await lstat(path).catch(() => undefined)) !== undefined;
  for (const { path, record } of await onlyInVault(vault, isThere, signal)) {
    signal.throwIfAborted();
    const copy = join(vault, ...path.split('/'));
    const found = await lstat(copy).catch(() => undefined);
    if (found?.isFile() === true) yield { path: copy, bytes: record.bytes, mtimeMs: record.mtimeMs };
  }
}

async function read(file: FoundFile, signal: AbortSignal): Promise<SessionFacts> {
  if (file.bytes > MOST_BYTES) return withoutTexts(file, 'is larger than 100 MB');
  try {
    if (file.stored === undefined && (await isPart(file.path, signal))) return withoutTexts(file, PART);
    return factsOf(await openTranscript(file.path, { signal }), file);
  } catch (error) {
    signal.throwIfAborted();
    // Whatever is wrong with one file, the others are found all the same.
    return withoutTexts(file, error instanceof TranscriptUnreadable ? error.what : 'could not be read');
  }
}

const PART = 'is a part of another session';
/** What is said of files that lie among sessions and are none. */
const NO_SESSION: ReadonlySet<string> = new Set([PART, 'is empty', 'is in no known format', 'does not exist']);

/** Does the file stand for a session, if only for one whose texts are not in the index? */
export const isSession = ({ problem }: { readonly problem: string }): boolean => !NO_SESSION.has(problem);

/** A file's first objects are enough to tell what it is. */
const HEAD_OBJECTS = 40;

async function isPart(path: string, signal: AbortSignal): Promise<boolean> {
  const head = await readHead(path, HEAD_OBJECTS, signal);
  if (head.length === 0) return false;
  const best = IMPORTERS.reduce((a, b) => (b.sniff(head) > a.sniff(head) ? b : a));
  return best.sniff(head) > 0 && best.isPart?.(head) === true;
}
