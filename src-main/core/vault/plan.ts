import type { Manifest } from './manifest.ts';

/** A file as it lies in a source. */
export type Listed = {
  /** Where its copy has its place, below the vault. */
  readonly path: string;
  /** Absolute. */
  readonly from: string;
  readonly bytes: number;
  readonly mtimeMs: number;
};

export type Why = 'new' | 'changed' | 'missing' | 'bad';
export type Planned = Listed & { readonly why: Why };

export type Plan = {
  /** What to copy, the newest first: should the run be cut short, that is what nobody has a copy of. */
  readonly copy: readonly Planned[];
  /** Files that have changed and are left for a later run, because they are being written. */
  readonly resting: number;
  /** Files of the vault that are in no source any more. */
  readonly gone: readonly string[];
};

export type PlanOptions = {
  readonly listed: readonly Listed[];
  readonly manifest: Pick<Manifest, 'files' | 'bad'>;
  /** The size of a copy as it lies in the vault now; undefined where there is none. */
  readonly copyBytes: (path: string) => number | undefined;
  readonly now: number;
  /**
   * A run that nobody asked for leaves a file that is being written for later, unless its copy is old. Otherwise a program
   * that writes its sessions anew with every message would have each of these versions kept.
   */
  readonly calm: boolean;
};

/** So long a file has to be left alone, in ms, before a calm run copies it again … */
export const QUIET_MS = 5 * 60_000;
/** … unless its copy is as old as this. */
export const STALE_MS = 15 * 60_000;

/** What a run copies. The same lists always give the same plan. */
export function plan({ listed, manifest, copyBytes, now, calm }: PlanOptions): Plan {
  const copy: Planned[] = [];
  const seen = new Set<string>();
  let resting = 0;
  for (const file of listed) {
    if (seen.has(file.path)) continue;
    seen.add(file.path);
    const why = whyCopy(file, manifest, copyBytes);
    if (why === undefined) continue;
    const copiedAt = manifest.files.get(file.path)?.at ?? 0;
    const isBusy = now - file.mtimeMs < QUIET_MS && now - copiedAt < STALE_MS;
    if (calm && why === 'changed' && isBusy) resting++;
    else copy.push({ ...file, why });
  }
  copy.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : 1));
  return { copy, resting, gone: [...manifest.files.keys()].filter((path) => !seen.has(path)) };
}

function whyCopy(
  file: Listed,
  { files, bad }: PlanOptions['manifest'],
  copyBytes: PlanOptions['copyBytes'],
): Why | undefined {
  const known = files.get(file.path);
  if (known === undefined) return 'new';
  if (known.sourceBytes !== file.bytes || known.mtimeMs !== file.mtimeMs) return 'changed';
  const there = copyBytes(file.path);
  if (there === undefined) return 'missing';
  return bad.has(file.path) || there !== known.bytes ? 'bad' : undefined;
}

/** A content, told by its length and hash. */
export type Content = { readonly bytes: number; readonly sha256: string };

export type Placing =
  /** Nothing is there. */
  | 'put'
  /** It is there already. */
  | 'same'
  /** What is there is the beginning of it: nothing is lost by replacing it. */
  | 'replace'
  /** What is there says something else: it is kept under its hash, then replaced. */
  | 'keep-older'
  /** A file that the vault knows nothing of, with other content. It is somebody's, and is left alone. */
  | 'in-the-way';

/**
 * What to do with a content that is to have a place in the vault.
 * @param there what lies at the place now.
 * @param beginning hash of as many first bytes of the new content as `there` has; undefined where it has fewer.
 * @param isOurs the manifest knows the place.
 */
export function placing(
  there: Content | undefined,
  content: Content,
  beginning: string | undefined,
  isOurs: boolean,
): Placing {
  if (there === undefined) return 'put';
  if (there.bytes === content.bytes && there.sha256 === content.sha256) return 'same';
  if (beginning === there.sha256) return 'replace';
  return isOurs ? 'keep-older' : 'in-the-way';
}

/** Where an older version is kept, below the vault. */
export function olderPath({ sha256 }: Content, path: string): string {
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(path)?.[0] ?? '';
  return `older/${sha256.slice(0, 2)}/${sha256}${extension}`;
}
