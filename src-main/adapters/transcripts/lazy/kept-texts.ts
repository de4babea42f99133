import { type FileHandle, open } from 'node:fs/promises';
import { FailureError } from '../../../../src-shared/failure.ts';
import type { WholeTexts } from '../../../ports/whole-texts.ts';
import { parseBody } from './long-text.ts';

/** Where texts lie, as plain data: by their numbers, in columns. */
export type KeptTextPlaces = {
  readonly files: readonly string[];
  readonly fileOf: readonly number[];
  readonly offsets: readonly number[];
  readonly lengths: readonly number[];
};

/** Knows where the long texts of a reading lie, by the numbers that its events hold, and reads them. */
export class KeptTexts implements WholeTexts {
  readonly #files: string[];
  readonly #fileOf: number[];
  readonly #offsets: number[];
  readonly #lengths: number[];

  constructor(places?: KeptTextPlaces) {
    this.#files = [...(places?.files ?? [])];
    this.#fileOf = [...(places?.fileOf ?? [])];
    this.#offsets = [...(places?.offsets ?? [])];
    this.#lengths = [...(places?.lengths ?? [])];
  }

  /** @returns its number. `offset` and `bytes`: of what stands between the quotes. */
  add(file: string, offset: number, bytes: number): number {
    let at = this.#files.lastIndexOf(file);
    if (at === -1) at = this.#files.push(file) - 1;
    this.#fileOf.push(at);
    this.#offsets.push(offset);
    return this.#lengths.push(bytes) - 1;
  }

  places(): KeptTextPlaces {
    return { files: this.#files, fileOf: this.#fileOf, offsets: this.#offsets, lengths: this.#lengths };
  }

  async read(id: number): Promise<string> {
    const reader = new Reader();
    try {
      return await this.#read(id, reader);
    } finally {
      await reader.close();
    }
  }

  async *readAll(ids: Iterable<number>): AsyncGenerator<{ readonly id: number; readonly text: string }> {
    const reader = new Reader();
    try {
      for (const id of ids) yield { id, text: await this.#read(id, reader) };
    } finally {
      await reader.close();
    }
  }

  async #read(id: number, reader: Reader): Promise<string> {
    const file = this.#files[this.#fileOf[id] ?? -1];
    const [offset, length] = [this.#offsets[id], this.#lengths[id]];
    if (file === undefined || offset === undefined || length === undefined) {
      throw new FailureError({ kind: 'not-found', message: 'This text is not in the files of the session.' });
    }
    return reader.read(file, offset, length);
  }
}

/** Holds one file open: texts that are read together mostly lie in one. */
class Reader {
  #file: string | undefined;
  #handle: FileHandle | undefined;

  async read(file: string, offset: number, length: number): Promise<string> {
    try {
      if (this.#file !== file) {
        await this.close();
        this.#handle = await open(file, 'r');
        this.#file = file;
      }
      // Together with the quotes around it, by which it is seen whether the file is still what it was.
      const bytes = Buffer.allocUnsafe(length + 2);
      const { bytesRead } = await (this.#handle as FileHandle).read(bytes, 0, length + 2, offset - 1);
      const text = bytes.toString('utf8', 0, bytesRead);
      if (bytesRead === length + 2 && text.startsWith('"') && text.endsWith('"')) return parseBody(text.slice(1, -1));
    } catch (cause) {
      throw changed(file, cause);
    }
    throw changed(file, undefined);
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    this.#file = undefined;
    await handle?.close();
  }
}

const changed = (file: string, cause: unknown): FailureError =>
  new FailureError(
    {
      kind: 'not-readable',
      message: `The text cannot be read from ${file} any more: the file was moved or changed since it was opened.`,
      hint: 'Open the transcript again.',
    },
    { cause },
  );
