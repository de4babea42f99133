import { type FileHandle, open, stat } from 'node:fs/promises';

/**
 * What became of a file since it was last looked at. `replaced`: it was cut, written anew, or another file has its name now;
 * what was read of it says nothing any more.
 */
export type Growth = 'same' | 'grown' | 'replaced' | 'gone';

/** Called with the number of bytes of every read. */
export type OnRead = (bytes: number) => void;

const PIECE_BYTES = 1024 * 1024;
/** So many bytes before the place where reading goes on are compared: a file that was written anew differs there. */
const MARK_BYTES = 16;

type Identity = { readonly dev: number; readonly ino: number; readonly mtimeMs: number };

/** The end of a file that grows. Reads each byte once, but for the few that show that it is still the same file. */
export class FileTail {
  readonly path: string;
  readonly #onRead: OnRead;
  #offset = 0;
  #mark: Buffer = Buffer.alloc(0);
  #identity: Identity | undefined;

  constructor(path: string, onRead: OnRead) {
    this.path = path;
    this.#onRead = onRead;
  }

  /** Bytes read so far. */
  get offset(): number {
    return this.#offset;
  }

  /** Reads what was appended, in pieces. Throws only where the file is there and cannot be read. */
  async grow(take: (piece: Buffer) => void): Promise<Growth> {
    const found = await stat(this.path).catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return;
      throw error;
    });
    if (found === undefined) return 'gone';
    const before = this.#identity;
    const { dev, ino, mtimeMs, size } = found;
    const isOther = before !== undefined && (before.ino !== ino || before.dev !== dev);
    if (isOther || size < this.#offset) return 'replaced';
    if (before !== undefined && size === this.#offset && mtimeMs === before.mtimeMs) return 'same';
    this.#identity = { dev, ino, mtimeMs };
    if (size === 0) return 'same';
    const handle = await open(this.path, 'r').catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (handle === undefined) return 'gone';
    try {
      return await this.#read(handle, size, take);
    } finally {
      await handle.close();
    }
  }

  async #read(handle: FileHandle, size: number, take: (piece: Buffer) => void): Promise<Growth> {
    const mark = this.#mark;
    let growth: Growth = 'same';
    // The mark and the first piece in one read.
    for (let isFirst = true; isFirst || this.#offset < size; isFirst = false) {
      const from = isFirst ? this.#offset - mark.length : this.#offset;
      const wanted = Math.min(PIECE_BYTES, size - from);
      if (wanted <= 0) break;
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(wanted), 0, wanted, from);
      if (bytesRead === 0) break;
      this.#onRead(bytesRead);
      const skipped = isFirst ? mark.length : 0;
      if (isFirst && !buffer.subarray(0, skipped).equals(mark)) return 'replaced';
      const piece = buffer.subarray(skipped, bytesRead);
      if (piece.length === 0) continue;
      this.#offset += piece.length;
      this.#mark = Buffer.concat([this.#mark, piece.subarray(-MARK_BYTES)]).subarray(-MARK_BYTES);
      take(piece);
      growth = 'grown';
    }
    return growth;
  }
}
