import { stat } from 'node:fs/promises';
import { FindingList } from './findings.ts';
import {
  type Imported,
  type Preview,
  type Reading,
  type ReadProgress,
  type TranscriptSource,
  TranscriptUnreadable,
} from './importer.ts';
import type { KeptTexts } from './lazy/kept-texts.ts';
import { locate } from './locate.ts';
import { PIECE_BYTES } from './read-records.ts';

export type OpenOptions = {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ReadProgress) => void;
  /** Told what a large session looks like so far, a few times while it is read, each time with about eight times as much. */
  readonly onPreview?: (soFar: SoFar) => Promise<void>;
  /** Takes the places of long texts: they stay in the files, and events hold their beginnings. */
  readonly keptTexts?: KeptTexts;
};

/** A session that is still being read. `path`: its main file. */
export type SoFar = Pick<Reading, 'events'> & { readonly path: string } & ReadProgress;

/** Smaller files are read before anybody has seen a part of them. */
const LEAST_TO_PREVIEW = 8 * 1024 * 1024;
/** How much more there has to be for the next preview: all of them together cost a fraction of the telling. */
const NEXT_PREVIEW = 8;

/**
 * Reads a transcript or journal, named by its file or by a folder that holds it, as the events of a session. Whatever is
 * odd about the files becomes a finding.
 * @throws TranscriptUnreadable when nothing at all can be read; the signal's reason when it is aborted
 */
export async function openTranscript(path: string, options: OpenOptions = {}): Promise<Imported> {
  const signal = options.signal ?? new AbortController().signal;
  const findings = new FindingList();
  const { importer, source } = await locate(path, { onFinding: findings.add, signal });
  const main = source.main ?? source.path;
  const { onPreview } = options;
  const totalBytes = options.onProgress === undefined && onPreview === undefined ? 0 : await sizeOf(source);
  let bytes = 0;
  let nextPreview = 0;
  const preview: Preview | undefined =
    onPreview === undefined || totalBytes < LEAST_TO_PREVIEW
      ? undefined
      : {
          // More than half-way the whole is told soon enough.
          isDue: () => bytes >= nextPreview && bytes * 2 < totalBytes,
          take: ({ events }) => {
            nextPreview = Math.max(bytes, PIECE_BYTES) * NEXT_PREVIEW;
            return onPreview({ events, path: main, bytes, totalBytes });
          },
        };
  const onBytes = (more: number) => {
    bytes += more;
    options.onProgress?.({ bytes, totalBytes });
  };
  try {
    const reading = await importer.read(source, {
      onFinding: findings.add,
      signal,
      onBytes,
      keptTexts: options.keptTexts,
      preview,
    });
    return { ...reading, format: importer.name, findings: findings.all(), path: main };
  } catch (cause) {
    signal.throwIfAborted();
    const isFileTrouble = cause instanceof Error && 'code' in cause && typeof cause.code === 'string';
    if (!isFileTrouble) throw cause;
    throw new TranscriptUnreadable(
      main,
      'could not be read to its end',
      'Check the disk and whether you may read it.',
      {
        cause,
      },
    );
  }
}

async function sizeOf(source: TranscriptSource): Promise<number> {
  let total = 0;
  for (const file of [source.main, ...source.agentFiles, ...(source.partFiles ?? [])]) {
    if (file !== undefined) total += (await stat(file).catch(() => undefined))?.size ?? 0;
  }
  return total;
}
