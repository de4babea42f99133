import { readFile, stat } from 'node:fs/promises';
import type { ReadOptions } from './importer.ts';
import { escapeControls, parseJson } from './json-scan.ts';
import { readRecords } from './read-records.ts';
import { parseTorn } from './torn-json.ts';

/** A JSON value of a file, and the line it began at (1 for all of a document). */
export type ReadValue = { readonly value: unknown; readonly line: number };

/** Larger files are read record by record only; no document of this size was seen. */
const MAX_DOCUMENT_BYTES = 128 * 1024 * 1024;
/** Lines that are looked at to tell records from the inside of a document. */
const LINES_TO_TELL = 50;

/**
 * The JSON values of a file that is either one document or a record a line: programs have changed from one to the other
 * and kept the name. A torn document gives what there is of it and then the whole objects behind the torn place. What is
 * odd becomes a finding; only the file system makes it throw.
 */
export async function readValues(file: string, options: ReadOptions): Promise<readonly ReadValue[]> {
  const { size } = await stat(file);
  if (size > MAX_DOCUMENT_BYTES) return records(file, options);
  const bytes = await readFile(file, { signal: options.signal });
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  const trimmed = text.replace(/[\0\s]+$/, '');
  const document = wholeDocument(trimmed);
  if (document === undefined && hasRecordLines(trimmed)) return records(file, options);
  options.onBytes(bytes.length);
  const tell = (kind: string, message: string) => options.onFinding({ file, line: 1, kind, message });
  if (text.slice(trimmed.length).includes('\0')) tell('nul-bytes', 'NUL bytes were skipped');
  if (document !== undefined) {
    if (document.repaired) tell('control-characters', 'Bare control characters were escaped');
    return [{ value: document.value, line: 1 }];
  }
  const torn = parseTorn(trimmed);
  tell('torn-document', wordsFor(torn, trimmed.length));
  const values = torn.value === undefined ? torn.rest : [torn.value, ...torn.rest];
  return values.map((value) => ({ value, line: 1 }));
}

async function records(file: string, options: ReadOptions): Promise<readonly ReadValue[]> {
  const values: ReadValue[] = [];
  for await (const piece of readRecords(file, options)) {
    for (const { value, line } of piece) values.push({ value, line });
  }
  return values;
}

function wholeDocument(text: string): { readonly value: unknown; readonly repaired: boolean } | undefined {
  const value = parseJson(text);
  if (value !== undefined) return { value, repaired: false };
  const repaired = parseJson(escapeControls(text));
  return repaired === undefined ? undefined : { value: repaired, repaired: true };
}

/** Do lines parse by themselves? Those of a document do not: they end with a comma or hold half an object. */
function hasRecordLines(text: string): boolean {
  let from = 0;
  for (let n = 0; n < LINES_TO_TELL && from < text.length; n++) {
    const end = text.indexOf('\n', from);
    const line = parseJson(text.slice(from, end === -1 ? undefined : end));
    if (typeof line === 'object' && line !== null && Object.keys(line).length > 1) return true;
    if (end === -1) break;
    from = end + 1;
  }
  return false;
}

function wordsFor(torn: ReturnType<typeof parseTorn>, length: number): string {
  const { value, rest, stoppedAt } = torn;
  if (value === undefined && rest.length === 0) return `The ${length} characters of the file are not JSON`;
  const after = rest.length === 0 ? 'the rest was left out' : `of the rest ${rest.length} whole objects were read`;
  return `The file is damaged after ${stoppedAt} of ${length} characters; ${after}`;
}
