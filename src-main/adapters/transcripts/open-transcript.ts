import { stat } from 'node:fs/promises';
import { FindingList } from './findings.ts';
import { type Imported, type ReadProgress, type TranscriptSource, TranscriptUnreadable } from './importer.ts';
import type { KeptTexts } from './lazy/kept-texts.ts';
import { locate } from './locate.ts';

export type OpenOptions = {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ReadProgress) => void;
  /** Takes the places of long texts: they stay in the files, and events hold their beginnings. */
  readonly keptTexts?: KeptTexts;
};

/**
 * Reads a transcript or journal, named by its file or by a folder that holds it, as the events of a session. Whatever is
 * odd about the files becomes a finding.
 * @throws TranscriptUnreadable when nothing at all can be read; the signal's reason when it is aborted
 */
export async function openTranscript(path: string, options: OpenOptions = {}): Promise<Imported> {
  const signal = options.signal ?? new AbortController().signal;
  const findings = new FindingList();
  const { importer, source } = await locate(path, { onFinding: findings.add, signal });
  const totalBytes = options.onProgress === undefined ? 0 : await sizeOf(source);
  let bytes = 0;
  const onBytes = (more: number) => {
    bytes += more;
    options.onProgress?.({ bytes, totalBytes });
  };
  const main = source.main ?? source.path;
  try {
    const reading = await importer.read(source, {
      onFinding: findings.add,
      signal,
      onBytes,
      keptTexts: options.keptTexts,
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
