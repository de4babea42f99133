import { sep } from 'node:path';
import { z } from 'zod';
import { VaultRun } from '../../../src-shared/vault/view.ts';

/** Raised when lines change their meaning; a vault of a later version is left alone. */
export const MANIFEST_VERSION = 1;
export const MANIFEST_NAME = 'gantry-vault.jsonl';

const count = z.number().int().nonnegative();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** Below the vault's folder, with `/` on every system, and never out of it. */
const inVault = z
  .string()
  .min(1)
  .refine((path) => path.split(sep === '/' ? '/' : /[\\/]/).every((part) => !['', '.', '..'].includes(part)));

const Header = z.object({ kind: z.literal('vault'), v: z.number().int(), id: z.string(), madeAt: z.number() });

/** A folder that is copied, and where in the vault. */
const Source = z.object({ kind: z.literal('source'), folder: inVault, program: z.string(), path: z.string() });
export type SourceRecord = z.output<typeof Source>;

const FileRecord = z.object({
  kind: z.literal('file'),
  path: inVault,
  /** Where it was copied from. Absolute. */
  from: z.string(),
  /** Of the copy. */
  bytes: count,
  sha256,
  /** Of the source when it was copied: what tells whether it has changed. More bytes than the copy's: it was still written. */
  sourceBytes: count,
  mtimeMs: z.number(),
  /** When it was copied, epoch ms. */
  at: z.number(),
});
export type FileRecord = z.output<typeof FileRecord>;

/** A version that something else has taken the place of. */
const Older = z.object({
  kind: z.literal('older'),
  /** The file it was a version of. */
  path: inVault,
  /** Where it is now, in the vault. */
  kept: inVault,
  bytes: count,
  sha256,
  /** Of the source, where it is known. */
  mtimeMs: z.number().optional(),
  at: z.number(),
});
export type OlderRecord = z.output<typeof Older>;

/** A check has found that the copy is not what was copied. The next run copies it again. */
const Bad = z.object({ kind: z.literal('bad'), path: inVault, at: z.number() });
const Run = VaultRun.extend({ kind: z.literal('run') });

export const ManifestLine = z.discriminatedUnion('kind', [Header, Source, FileRecord, Older, Bad, Run]);
export type ManifestLine = z.output<typeof ManifestLine>;

/** What all lines come to: the last word on each file counts. */
export type Manifest = {
  readonly header: z.output<typeof Header> | undefined;
  /** By their folder in the vault. */
  readonly sources: ReadonlyMap<string, SourceRecord>;
  readonly files: ReadonlyMap<string, FileRecord>;
  /** By where they are kept. */
  readonly older: ReadonlyMap<string, OlderRecord>;
  /** Files whose copies are not what was copied. */
  readonly bad: ReadonlySet<string>;
  readonly lastRun: VaultRun | undefined;
  /** Lines in all, and those that could not be read. */
  readonly lines: number;
  readonly unreadable: number;
};

/** Collects lines one by one. */
export class ManifestFold implements Manifest {
  header: z.output<typeof Header> | undefined;
  readonly sources = new Map<string, SourceRecord>();
  readonly files = new Map<string, FileRecord>();
  readonly older = new Map<string, OlderRecord>();
  readonly bad = new Set<string>();
  lastRun: VaultRun | undefined;
  lines = 0;
  unreadable = 0;

  /** A line as it stands in the file. One that cannot be read, such as the last before a power cut, is counted. */
  takeText(text: string): void {
    if (text.trim() === '') return;
    const line = parsed(text);
    if (line === undefined) {
      this.lines++;
      this.unreadable++;
    } else this.take(line);
  }

  take(line: ManifestLine): void {
    this.lines++;
    switch (line.kind) {
      case 'vault':
        this.header ??= line;
        break;
      case 'source':
        this.sources.set(line.folder, line);
        break;
      case 'file':
        this.files.set(line.path, line);
        this.bad.delete(line.path);
        break;
      case 'older':
        this.older.set(line.kept, line);
        break;
      case 'bad':
        this.bad.add(line.path);
        break;
      case 'run': {
        const { kind: _, ...run } = line;
        this.lastRun = run;
        break;
      }
    }
  }
}

function parsed(text: string): ManifestLine | undefined {
  try {
    return ManifestLine.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** The fewest lines that come to the same. */
export function* shortest(manifest: Manifest): Generator<ManifestLine> {
  if (manifest.header !== undefined) yield manifest.header;
  yield* manifest.sources.values();
  yield* manifest.older.values();
  yield* manifest.files.values();
  for (const path of manifest.bad) yield { kind: 'bad', path, at: 0 };
  if (manifest.lastRun !== undefined) yield { kind: 'run', ...manifest.lastRun };
}

/** Is the file long for what it says? */
export const isWordy = (manifest: Manifest): boolean =>
  manifest.lines > 2 * (manifest.sources.size + manifest.files.size + manifest.older.size) + 100;
