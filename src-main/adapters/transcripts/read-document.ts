import { readFile } from 'node:fs/promises';
import type { ReadOptions } from './importer.ts';
import { escapeControls, parseJson } from './json-scan.ts';
import { parseTorn } from './torn-json.ts';

/** What a file holds that is one JSON document, rather than a line for each record. */
export type Document = {
  /** Undefined where nothing of it could be read. */
  readonly value: unknown;
  /** Whole objects that stand after a damaged place of it. */
  readonly rest: readonly unknown[];
};

/** A document is one text in memory; longer ones cannot be. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Reads a file that should be one JSON document. What is odd about it becomes a finding, and what can be read of a torn
 * one is read; only the file system makes it throw.
 */
export async function readDocument(file: string, options: ReadOptions): Promise<Document> {
  const bytes = await readFile(file, { signal: options.signal });
  options.onBytes(bytes.length);
  const tell = (kind: string, message: string) => options.onFinding({ file, line: 1, kind, message });
  if (bytes.length > MAX_BYTES) {
    tell('line-too-long', `The file has ${bytes.length} bytes and was left out`);
    return { value: undefined, rest: [] };
  }
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  const trimmed = text.replace(/\0+\s*$/, '');
  if (trimmed.length !== text.length) tell('nul-bytes', 'NUL bytes were skipped');
  const whole = parseJson(trimmed);
  if (whole !== undefined) return { value: whole, rest: [] };
  const repaired = parseJson(escapeControls(trimmed));
  if (repaired !== undefined) {
    tell('control-characters', 'Bare control characters were escaped');
    return { value: repaired, rest: [] };
  }
  const torn = parseTorn(trimmed);
  tell('torn-document', wordsFor(torn.value, torn.rest, trimmed.length, torn.stoppedAt));
  return torn;
}

function wordsFor(value: unknown, rest: readonly unknown[], length: number, stoppedAt: number): string {
  if (value === undefined && rest.length === 0) return `The ${length} characters of the file are not JSON`;
  const after = rest.length === 0 ? 'what follows was left out' : `of the rest ${rest.length} whole objects were read`;
  return `The file is damaged after ${stoppedAt} of ${length} characters; ${after}`;
}
