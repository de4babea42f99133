import { open } from 'node:fs/promises';
import { FailureError } from '../../../src-shared/failure.ts';

const SEARCH_CHUNK_BYTES = 1024 * 1024;
/** One search looks at this much of a file at most and then says where it stopped. */
const SEARCH_LIMIT_BYTES = 512 * 1024 * 1024;

export type Page = {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly offset: number;
  readonly total: number;
  readonly path: string;
};

/**
 * A page of a file by byte offset, costs the same anywhere in a file of any size. Begins and ends between characters
 * of UTF-8; `offset` of the answer may therefore lie up to three bytes before the one asked for.
 */
export async function readPage(path: string, offset: number, length: number): Promise<Page> {
  const file = await openFile(path);
  try {
    const { size } = await file.stat();
    const wanted = Math.min(offset, size);
    const from = Math.max(0, wanted - 3);
    const { bytesRead, buffer } = await file.read(Buffer.alloc(length + 6), 0, length + 6, from);
    const read = buffer.subarray(0, bytesRead);
    const start = wholeCharacterAt(read, wanted - from);
    const end = Math.max(start, wholeCharacterAt(read, Math.min(wanted - from + length, bytesRead)));
    return { bytes: new Uint8Array(read.subarray(start, end)), offset: from + start, total: size, path };
  } finally {
    await file.close();
  }
}

/** The beginning of the character that lies at `at`: continuation bytes of UTF-8 are 10xxxxxx. */
function wholeCharacterAt(bytes: Uint8Array, at: number): number {
  if (at >= bytes.length) return bytes.length;
  let start = at;
  for (let back = 0; back < 3 && start > 0 && ((bytes[start] ?? 0) & 0xc0) === 0x80; back++) start--;
  // Not UTF-8 at all: any place is as good as another.
  return ((bytes[start] ?? 0) & 0xc0) === 0x80 ? at : start;
}

/** Byte offsets at which a text stands, from `fromOffset` on. `more` when there may be others behind the last one. */
export async function searchFile(
  path: string,
  text: string,
  fromOffset: number,
  limit: number,
): Promise<{ readonly offsets: number[]; readonly more: boolean }> {
  const needle = Buffer.from(text, 'utf8');
  const offsets: number[] = [];
  const file = await openFile(path);
  try {
    const { size } = await file.stat();
    const end = Math.min(size, fromOffset + SEARCH_LIMIT_BYTES);
    const buffer = Buffer.alloc(SEARCH_CHUNK_BYTES + needle.length - 1);
    for (let at = fromOffset; at < end; at += SEARCH_CHUNK_BYTES) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
      const chunk = buffer.subarray(0, bytesRead);
      for (
        let hit = chunk.indexOf(needle);
        hit !== -1 && hit < SEARCH_CHUNK_BYTES;
        hit = chunk.indexOf(needle, hit + 1)
      ) {
        if (offsets.length === limit) return { offsets, more: true };
        offsets.push(at + hit);
      }
    }
    return { offsets, more: end < size };
  } finally {
    await file.close();
  }
}

async function openFile(path: string) {
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
