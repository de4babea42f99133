import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { diskTrouble } from '../storage/disk-trouble.ts';

/** No settings file that people write comes near. */
const MOST_BYTES = 2 * 1024 * 1024;

export type SettingsText =
  /** `mark` is the mark of the byte order at the file's beginning, or empty; `text` follows it. */
  | { readonly kind: 'text'; readonly text: string; readonly mark: string }
  | { readonly kind: 'missing' }
  /** `why` is the end of a sentence. */
  | { readonly kind: 'unreadable'; readonly why: string };

/** A whole settings file. Never throws, and never waits for a pipe or a device that lies in its place. */
export function readSettingsText(path: string): SettingsText {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return { kind: 'unreadable', why: stats.isDirectory() ? 'it is a folder' : 'it is no file' };
    if (stats.size > MOST_BYTES) return { kind: 'unreadable', why: 'it is larger than 2 MB' };
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(descriptor));
    const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
    return { kind: 'text', text: text.slice(mark.length), mark };
  } catch (error) {
    if (isMissing(error)) return { kind: 'missing' };
    return { kind: 'unreadable', why: error instanceof TypeError ? 'it is not UTF-8 text' : diskTrouble(error) };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** A folder on the way that is a file means the same as one that is missing. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');

/** Changes of a file within this time of each other may carry the same times: clocks of file systems tick slowly. */
const YOUNG_MS = 100;

/** What tells one state of a file from another without reading it. */
export type Stamp = {
  readonly text: string;
  /** The file was changed so shortly before it was looked at that another change might not show. */
  readonly young: boolean;
};

/** @param now wall clock, ms. */
export function stampOf(path: string, now: number): Stamp {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs, ctimeMs } = statSync(path, { bigint: true });
    return {
      text: [dev, ino, size, mtimeNs, ctimeNs].join(':'),
      young: Math.abs(now - Number(ctimeMs)) < YOUNG_MS,
    };
  } catch (error) {
    return { text: isMissing(error) ? 'missing' : `unreadable: ${diskTrouble(error)}`, young: false };
  }
}
