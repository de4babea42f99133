import { createHash, type Hash } from 'node:crypto';
import { constants, type FileHandle, open } from 'node:fs/promises';
import type { Content } from '../../core/vault/plan.ts';
import { FileTrouble } from './trouble.ts';

/** Bytes that are read at once. */
const CHUNK = 256 * 1024;
const NEWLINE = 10;

/** Hashes a content while it passes, and what it was at two earlier points: its first bytes, and its last whole line. */
export class ContentHash {
  readonly #hash = createHash('sha256');
  readonly #beginningAt: number | undefined;
  #bytes = 0;
  #beginning: string | undefined;
  #lines: { readonly bytes: number; readonly hash: Hash } = { bytes: 0, hash: createHash('sha256') };

  /** @param beginningAt so many first bytes are hashed by themselves. */
  constructor(beginningAt?: number) {
    this.#beginningAt = beginningAt;
    if (beginningAt === 0) this.#beginning = this.#hash.copy().digest('hex');
  }

  take(chunk: Buffer): void {
    const toBeginning = (this.#beginningAt ?? 0) - this.#bytes;
    const newline = chunk.lastIndexOf(NEWLINE) + 1;
    const stops = [toBeginning, newline].filter((at) => at > 0 && at <= chunk.length).sort((a, b) => a - b);
    let from = 0;
    for (const stop of [...stops, chunk.length]) {
      this.#hash.update(chunk.subarray(from, stop));
      from = stop;
      if (stop === toBeginning) this.#beginning ??= this.#hash.copy().digest('hex');
      if (stop === newline && newline > 0) this.#lines = { bytes: this.#bytes + stop, hash: this.#hash.copy() };
    }
    this.#bytes += chunk.length;
  }

  /** Hash of the first bytes; undefined where there were not so many. */
  get beginning(): string | undefined {
    return this.#beginning;
  }

  /** All of it. Nothing may be taken afterwards. */
  whole(): Content {
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }

  /** As far as it is whole lines. */
  lines(): Content {
    return { bytes: this.#lines.bytes, sha256: this.#lines.hash.digest('hex') };
  }
}

/** Opens a regular file for reading, and nothing through a link. @throws FileTrouble for what is no file */
export async function openFile(path: string): Promise<FileHandle> {
  // A pipe that somebody has laid there must not hold the run up.
  const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  const isFile = (await handle.stat().catch(() => undefined))?.isFile() === true;
  if (isFile) return handle;
  await handle.close();
  throw new FileTrouble('is no file');
}

/** The bytes of a file up to a limit, chunk by chunk. A chunk is overwritten by the next. */
export async function* chunksOf(handle: FileHandle, until: number, signal: AbortSignal): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.max(1, Math.min(CHUNK, until)));
  for (let at = 0; at < until; ) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, until - at), at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** What a file holds. @throws what opening and reading it throws */
export async function contentOf(
  path: string,
  signal: AbortSignal,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<Content> {
  const handle = await openFile(path);
  try {
    const hash = new ContentHash();
    for await (const chunk of chunksOf(handle, Number.MAX_SAFE_INTEGER, signal)) {
      hash.take(chunk);
      onBytes(chunk.length);
    }
    return hash.whole();
  } finally {
    await handle.close();
  }
}
