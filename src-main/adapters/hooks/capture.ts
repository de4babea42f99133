import type { Captured } from '../../core/hooks/output.ts';

/** More of a stream than this is read and dropped: a program that is not read would hang. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Keeps the beginning of what a program writes, and counts the rest. */
export class Capture {
  readonly #chunks: Buffer[] = [];
  #kept = 0;
  #bytes = 0;
  #isOpen = true;

  get bytes(): number {
    return this.#bytes;
  }

  add(chunk: Buffer): void {
    if (!this.#isOpen) return;
    this.#bytes += chunk.length;
    const fits = chunk.subarray(0, MOST_BYTES - this.#kept);
    if (fits.length === 0) return;
    this.#kept += fits.length;
    this.#chunks.push(fits);
  }

  /** What there is. Later chunks are no longer counted. */
  finish(): Captured {
    this.#isOpen = false;
    const text = new TextDecoder().decode(Buffer.concat(this.#chunks));
    this.#chunks.length = 0;
    return { text, bytes: this.#bytes, cut: this.#bytes > this.#kept };
  }
}
