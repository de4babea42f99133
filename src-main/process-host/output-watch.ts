import { closeSync, fstatSync, openSync, read, readSync } from 'node:fs';
import { promisify } from 'node:util';
import type { ProcessProgress } from '../ports/process-runner.ts';
import { countLineFeeds } from './count-lines.ts';
import { textTail } from './text-tail.ts';

const readAsync = promisify(read);

const CHUNK = 1024 * 1024;
/** What the last look may still count: a few milliseconds. A flood's end is not held up for its number of lines. */
const LAST_LOOK = 4 * CHUNK;
/** What one look may count, so that a flood does not hold up the progress of other calls. */
const ONE_LOOK = 64 * CHUNK;
const TAIL = 2048;

// Shared by all calls, which are read in turn: a gigabyte of output costs no more memory than a line.
const chunk = Buffer.alloc(CHUNK);
const lastChunk = Buffer.alloc(CHUNK);
let turn: Promise<unknown> = Promise.resolve();

/** Watches a file that a child writes: size, number of lines and the last lines, each byte read once. */
export class OutputWatch {
  readonly #path: string;
  /** The descriptor that the child writes through: knows the size even when the file has been unlinked. */
  readonly #writer: number;
  #reader: number | undefined;
  #running: Promise<ProcessProgress | undefined> | undefined;
  #finishing = false;
  #told = 0;
  #counted = 0;
  #lineFeeds = 0;
  #endsInLine = false;

  constructor(path: string, writer: number) {
    this.#path = path;
    this.#writer = writer;
  }

  size(): number {
    return fstatSync(this.#writer).size;
  }

  /** Progress since the last look, or undefined when nothing was written. */
  look(): Promise<ProcessProgress | undefined> {
    const mine = turn.then(async () => {
      if (this.#finishing) return undefined;
      this.#running = this.#look();
      const progress = await this.#running;
      this.#running = undefined;
      return progress;
    });
    turn = mine;
    return mine;
  }

  /** A look is under way: `finish` then, not `finishNow`. */
  get isLooking(): boolean {
    return this.#running !== undefined;
  }

  async finish(): Promise<ProcessProgress | undefined> {
    this.#finishing = true;
    await this.#running;
    return this.finishNow();
  }

  /** The last look, which a flood cannot hold up: lines stay as they are when too much is uncounted. Ends the watch. */
  finishNow(): ProcessProgress | undefined {
    this.#finishing = true;
    const size = this.#grown();
    try {
      if (size === undefined) return undefined;
      const reader = this.#open();
      while (this.#counted < size && size - this.#counted <= LAST_LOOK) {
        const wanted = Math.min(CHUNK, size - this.#counted);
        if (!this.#count(lastChunk, readSync(reader, lastChunk, 0, wanted, this.#counted))) break;
      }
      return this.#progress(size, reader);
    } catch {
      return undefined;
    } finally {
      if (this.#reader !== undefined) closeSync(this.#reader);
    }
  }

  async #look(): Promise<ProcessProgress | undefined> {
    const size = this.#grown();
    if (size === undefined) return undefined;
    const end = Math.min(size, this.#counted + ONE_LOOK);
    try {
      const reader = this.#open();
      while (this.#counted < end && !this.#finishing) {
        const { bytesRead } = await readAsync(reader, chunk, 0, Math.min(CHUNK, end - this.#counted), this.#counted);
        if (!this.#count(chunk, bytesRead)) break;
      }
      return this.#finishing ? undefined : this.#progress(size, reader);
    } catch {
      // Removed by the command itself: no lines then; size and end are told all the same.
      return undefined;
    }
  }

  #open(): number {
    this.#reader ??= openSync(this.#path, 'r');
    return this.#reader;
  }

  /** The size when there is something to tell. */
  #grown(): number | undefined {
    const size = this.size();
    if (size === this.#told && size === this.#counted) return undefined;
    // A command can cut its own output, e.g. by writing to /dev/stderr, which opens the file anew.
    if (size < this.#counted) {
      this.#counted = 0;
      this.#lineFeeds = 0;
      this.#endsInLine = false;
    }
    return size;
  }

  #count(bytes: Buffer, length: number): boolean {
    if (length === 0) return false;
    this.#lineFeeds += countLineFeeds(bytes, length);
    this.#counted += length;
    this.#endsInLine = bytes[length - 1] !== 0x0a;
    return true;
  }

  #progress(size: number, reader: number): ProcessProgress {
    this.#told = size;
    const from = Math.max(0, size - TAIL);
    const bytes = Buffer.allocUnsafe(Math.min(TAIL, size));
    const length = readSync(reader, bytes, 0, bytes.length, from);
    const lines = this.#lineFeeds + (this.#endsInLine ? 1 : 0);
    return { bytes: size, lines, tail: textTail(bytes.subarray(0, length), from === 0) };
  }
}
