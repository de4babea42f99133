import { type FileHandle, open } from 'node:fs/promises';
import { FailureError } from '../../../src-shared/failure.ts';

const SEARCH_CHUNK_BYTES = 1024 * 1024;
/** A character of UTF-8 has at most three bytes after its first. */
const MOST_CONTINUED = 3;

export type Page = {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly offset: number;
  readonly total: number;
  readonly path: string;
};

/**
 * A page of a file by byte offset, costs the same anywhere in a file of any size. Begins and ends between characters
 * of UTF-8; `offset` of the answer may therefore lie up to three bytes before the one asked for, and a page shorter
 * than one character holds that character. A page is empty only at the end of the file.
 * @param length at least 1.
 */
export async function readPage(path: string, offset: number, length: number): Promise<Page> {
  const file = await openFile(path);
  try {
    const { size } = await file.stat();
    const wanted = Math.min(Math.max(0, offset), size);
    const from = Math.max(0, wanted - MOST_CONTINUED);
    const read = await readFully(file, Buffer.alloc(length + 2 * MOST_CONTINUED + 1), from);
    const start = beginOfCharacter(read, wanted - from);
    let end = beginOfCharacter(read, wanted - from + length);
    if (end <= start) end = endOfCharacter(read, start);
    return { bytes: new Uint8Array(read.subarray(start, end)), offset: from + start, total: size, path };
  } finally {
    await file.close();
  }
}

const isContinued = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** Where the character begins in which `at` lies: bytes that continue one are 10xxxxxx. */
function beginOfCharacter(bytes: Uint8Array, at: number): number {
  if (at >= bytes.length) return bytes.length;
  for (let back = 0; back <= Math.min(MOST_CONTINUED, at); back++) if (!isContinued(bytes[at - back])) return at - back;
  // Not UTF-8 at all: any place is as good as another.
  return at;
}

/** The next place after `start` at which a page may end. */
function endOfCharacter(bytes: Uint8Array, start: number): number {
  let end = Math.min(start + 1, bytes.length);
  while (end < bytes.length && beginOfCharacter(bytes, end) !== end) end++;
  return end;
}

/**
 * Byte offsets at which a text stands, from `fromOffset` on, overlapping ones included, `limit` of them at most; `more`
 * when there are others. Looks at the whole rest of the file, about a gigabyte a second.
 */
export async function searchFile(
  path: string,
  text: string,
  fromOffset: number,
  limit: number,
): Promise<{ readonly offsets: number[]; readonly more: boolean }> {
  const needle = Buffer.from(text, 'utf8');
  const offsets: number[] = [];
  if (needle.length === 0) return { offsets, more: false };
  const file = await openFile(path);
  try {
    const { size } = await file.stat();
    // Each chunk reaches into the next one by as much as a text that begins in it may.
    const buffer = Buffer.alloc(SEARCH_CHUNK_BYTES + needle.length - 1);
    for (let at = fromOffset; at < size; at += SEARCH_CHUNK_BYTES) {
      const chunk = await readFully(file, buffer, at);
      let hit = chunk.indexOf(needle);
      for (; hit !== -1 && hit < SEARCH_CHUNK_BYTES; hit = chunk.indexOf(needle, hit + 1)) {
        if (offsets.length === limit) return { offsets, more: true };
        offsets.push(at + hit);
      }
    }
    return { offsets, more: false };
  } finally {
    await file.close();
  }
}

/** Fills the buffer from a place in the file on, as far as the file goes; one read may give less than there is. */
async function readFully(file: FileHandle, buffer: Buffer, from: number): Promise<Buffer> {
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, from + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (cause) {
    throw new FailureError(
      {
        kind: 'not-readable',
        message: `The output in ${path} cannot be read.`,
        hint: 'It may have been moved or deleted.',
      },
      { cause },
    );
  }
}
